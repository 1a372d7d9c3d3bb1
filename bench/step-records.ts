/** Runs, steps and checkpoints for benches of a store alone: what an engine would write, without one. */

import type { AttemptRecord } from '../src-engine/model/attempt.ts'
import type { Checkpoint } from '../src-engine/model/checkpoint.ts'
import { noWrites } from '../src-engine/model/checkpoint.ts'
import type { EventBody, EventDraft } from '../src-engine/model/event.ts'
import {
  definitionHash,
  invocationId,
  nodeId,
  opId,
  runId,
  runnerId,
  workflowId,
} from '../src-engine/model/ids.ts'
import type { Cause, InvocationRecord } from '../src-engine/model/invocation.ts'
import { newInvocation, newRun } from '../src-engine/model/new-records.ts'
import type { RunRecord } from '../src-engine/model/run.ts'
import type { Store } from '../src-engine/store/store.ts'

/** Who owns all that is started. */
export const runner = runnerId('runner-0001')
const actor = { kind: 'runner', id: runner } as const
const because = (kind: string, by: string): Cause => ({ kind, by, detail: null })

/** What a step is given and gives. */
const input = { kind: 'inline', json: '{"a":1}' } as const
const output = { kind: 'inline', json: JSON.stringify({ ok: true, text: 'x'.repeat(57) }) } as const
/** Bytes of both. */
export const payloadBytes = input.json.length + output.json.length

/** One text for all runs, as who starts many of one version has it. */
const definition = definitionHash(`w1_${'0'.repeat(64)}`)

/** A run as it begins. */
export const benchRun = (index: number, now: number): RunRecord =>
  newRun({
    id: runId(`run_${index.toString(36).padStart(12, '0')}`),
    workflowId: workflowId('bench'),
    workflowTitle: 'Bench',
    definitionHash: definition,
    input: { kind: 'inline', json: '{}' },
    now,
    seed: 'seed',
  })

/** A step that is available. */
export const newStep = (run: RunRecord, step: number, now: number): InvocationRecord =>
  newInvocation({
    id: invocationId(`${run.id}/step${step}`),
    runId: run.id,
    nodeId: nodeId(`step${step}`),
    taskKind: 'noop',
    registeredAt: now,
    cause: step === 0 ? because('start', run.id) : because('upstream', `${run.id}/step${step - 1}`),
  })

/** An event about a step. */
export const event = (record: InvocationRecord, body: EventBody, cause = record.cause): EventDraft => {
  return { runId: record.runId, invocationId: record.id, cause, body }
}

/** A registered step that is claimed and started in the checkpoint that registers it. */
function opening(run: RunRecord, step: number, now: number) {
  const registered = newStep(run, step, now)
  const fence = { epoch: 1, counter: 1 }
  const claim = {
    status: 'PENDING',
    lease: { runnerId: runner, fence, expiresAt: now + 300_000 },
    fence,
  } as const
  const begin = { status: 'RUNNING', attempt: 1, startedAt: now, deadlineAt: now + 3_600_000 } as const
  const record: InvocationRecord = { ...registered, ...claim, ...begin }
  const by = registered.cause.by ?? ''
  const why = step === 0 ? run.cause : because('attempt', by)
  const changed = { type: 'invocation.changed', attempt: null } as const
  const events = [
    event(record, { type: 'invocation.registered', invocation: registered }),
    event(record, { ...changed, from: 'REGISTERED', to: 'PENDING', set: claim }, why),
    event(record, { ...changed, from: 'PENDING', to: 'RUNNING', set: begin }, why),
  ]
  return { record, events }
}

/** The end of a started step. */
export function closing(record: InvocationRecord, now: number) {
  const set = {
    status: 'SUCCESS',
    version: record.version + 1,
    lease: null,
    deadlineAt: null,
    finishedAt: now,
    input,
    output,
  } as const
  const attempt: AttemptRecord = {
    invocationId: record.id,
    runId: record.runId,
    number: 1,
    runnerId: runner,
    fence: record.fence ?? { epoch: 1, counter: 1 },
    startedAt: now,
    endedAt: now,
    outcome: 'succeeded',
    input,
    output,
    error: null,
    log: null,
  }
  const body = { type: 'invocation.changed', from: 'RUNNING', to: 'SUCCESS', set, attempt } as const
  const events = [event(record, body, because('attempt', record.id))]
  return { record: { ...record, ...set }, attempt, events }
}

let ops = 0
/** A checkpoint with an op-id of its own. */
export const checkpoint = (
  now: number,
  parts: Partial<Checkpoint> & Pick<Checkpoint, 'expect' | 'writes' | 'events'>,
) => {
  return {
    partition: 0,
    opId: opId(`op_${(ops += 1).toString(36).padStart(12, '0')}`),
    actor,
    at: now,
    ...parts,
  }
}

/** Commits; throws when it is refused. */
export async function accepted(store: Store, item: Checkpoint): Promise<void> {
  const [answer] = await store.commit(0, [item])
  if (answer?.kind !== 'accepted') throw new Error(`Not accepted: ${JSON.stringify(answer)}`)
}

/** An event about a run. */
export const told = (run: RunRecord, body: EventBody): EventDraft => {
  return { runId: run.id, invocationId: null, cause: run.cause, body }
}

/** One run from its start to its end; as many commits as steps and one more. */
export async function chain(
  store: Store,
  index: number,
  chained: { readonly steps: number; readonly committed?: () => Promise<void> },
): Promise<void> {
  const { steps, committed } = chained
  const now = Date.now()
  const created = benchRun(index, now)
  let run: RunRecord = { ...created, status: 'RUNNING', startedAt: now }
  let { record, events } = opening(run, 0, now)
  const began = { status: 'RUNNING', startedAt: now } as const
  await accepted(
    store,
    checkpoint(now, {
      expect: {
        run: { id: run.id, version: 0 },
        invocations: [{ id: record.id, version: 0, fence: null }],
        registers: [],
      },
      writes: { ...noWrites, run, invocations: [record] },
      events: [
        told(run, { type: 'run.created', run: created }),
        told(run, { type: 'run.changed', from: 'CREATED', to: 'RUNNING', set: began }),
        ...events,
      ],
    }),
  )
  for (let step = 1; step <= steps; step += 1) {
    const at = Date.now()
    const done = closing(record, at)
    const held = { id: record.id, version: record.version, fence: record.fence }
    const before = run.version
    if (step === steps) {
      const end = { status: 'SUCCEEDED', version: before + 1, finishedAt: at } as const
      run = { ...run, ...end }
      await accepted(
        store,
        checkpoint(at, {
          expect: { run: { id: run.id, version: before }, invocations: [held], registers: [] },
          writes: { ...noWrites, run, invocations: [done.record], attempts: [done.attempt] },
          events: [
            ...done.events,
            told(run, { type: 'run.changed', from: 'RUNNING', to: 'SUCCEEDED', set: end }),
          ],
        }),
      )
      return
    }
    ;({ record, events } = opening(run, step, at))
    run = { ...run, version: before + 1 }
    const runVersion = run.version
    await accepted(
      store,
      checkpoint(at, {
        expect: {
          run: { id: run.id, version: before },
          invocations: [held, { id: record.id, version: 0, fence: null }],
          registers: [],
        },
        writes: { ...noWrites, run, invocations: [done.record, record], attempts: [done.attempt] },
        events: [...done.events, ...events].map((item) => ({ ...item, runVersion })),
      }),
    )
    if (committed !== undefined) await committed()
  }
}
