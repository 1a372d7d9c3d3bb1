/**
 * Steps per second of a store alone: runs in flight, each a chain of checkpoints that finishes a step,
 * registers the next one and claims and starts it, four events each. No engine, no tasks.
 *
 *   node bench/store-chain.ts [--seconds 5] [--runs 50] [--store sqlite|memory] [--durability strict|relaxed]
 */

import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
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
  storeId,
  workflowId,
} from '../src-engine/model/ids.ts'
import type { InvocationRecord } from '../src-engine/model/invocation.ts'
import { newInvocation, newRun } from '../src-engine/model/new-records.ts'
import type { RunRecord } from '../src-engine/model/run.ts'
import { systemClock } from '../src-engine/runtime/system-ports.ts'
import { storeCatalogue } from '../src-engine/store/catalogue.ts'
import type { Store } from '../src-engine/store/store.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '5' },
    runs: { type: 'string', default: '50' },
    steps: { type: 'string', default: '10' },
    store: { type: 'string', default: 'sqlite' },
    durability: { type: 'string', default: 'strict' },
  },
})

const runner = runnerId('runner-0001')
const actor = { kind: 'runner', id: runner } as const
const cause = { kind: 'upstream', by: 'step', detail: null }

const benchRun = (index: number, now: number): RunRecord =>
  newRun({
    id: runId(`run_${index.toString(36).padStart(12, '0')}`),
    workflowId: workflowId('bench'),
    workflowTitle: 'Bench',
    definitionHash: definitionHash(`w1_${'0'.repeat(64)}`),
    input: { kind: 'inline', json: '{}' },
    now,
    seed: 'seed',
  })

const newStep = (run: RunRecord, step: number, now: number): InvocationRecord =>
  newInvocation({
    id: invocationId(`${run.id}/step${step}`),
    runId: run.id,
    nodeId: nodeId(`step${step}`),
    taskKind: 'noop',
    registeredAt: now,
    cause,
  })

const event = (record: InvocationRecord, body: EventBody): EventDraft => {
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
  const events = [
    event(record, { type: 'invocation.registered', invocation: registered }),
    event(record, {
      type: 'invocation.changed',
      from: 'REGISTERED',
      to: 'PENDING',
      set: claim,
      attempt: null,
    }),
    event(record, { type: 'invocation.changed', from: 'PENDING', to: 'RUNNING', set: begin, attempt: null }),
  ]
  return { record, events }
}

function closing(record: InvocationRecord, now: number) {
  const input = { kind: 'inline', json: '{"a":1}' } as const
  const output = { kind: 'inline', json: '{"ok":true,"count":1}' } as const
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
  return { record: { ...record, ...set }, attempt, events: [event(record, body)] }
}

let ops = 0
const checkpoint = (
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

async function accepted(store: Store, item: Checkpoint): Promise<void> {
  const [answer] = await store.commit(0, [item])
  if (answer?.kind !== 'accepted') throw new Error(`Not accepted: ${JSON.stringify(answer)}`)
}

/** One run from its start to its end; as many commits as steps and one more. */
async function chain(store: Store, index: number, steps: number): Promise<void> {
  const now = Date.now()
  const created = benchRun(index, now)
  let run: RunRecord = { ...created, status: 'RUNNING', startedAt: now }
  let { record, events } = opening(run, 0, now)
  const began = { status: 'RUNNING', startedAt: now } as const
  const told = (body: EventBody): EventDraft => ({ runId: run.id, invocationId: null, cause, body })
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
        told({ type: 'run.created', run: created }),
        told({ type: 'run.changed', from: 'CREATED', to: 'RUNNING', set: began }),
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
          events: [...done.events, told({ type: 'run.changed', from: 'RUNNING', to: 'SUCCEEDED', set: end })],
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
  }
}

async function measure(store: Store): Promise<{ readonly steps: number; readonly seconds: number }> {
  const steps = Number(values.steps)
  const until = performance.now() + Number(values.seconds) * 1_000
  let started = 0
  let finished = 0
  const began = performance.now()
  const flight = async (): Promise<void> => {
    while (performance.now() < until) {
      await chain(store, (started += 1), steps)
      finished += 1
    }
  }
  await Promise.all(Array.from({ length: Number(values.runs) }, flight))
  return { steps: finished * steps, seconds: (performance.now() - began) / 1_000 }
}

const directory = mkdtempSync(join(tmpdir(), 'sagasmith-bench-'))
try {
  const durability = values.durability === 'relaxed' ? 'relaxed' : 'strict'
  const options = {
    directory,
    storeId: storeId('bench'),
    clock: systemClock,
    durability,
  } as const
  const store =
    values.store === 'memory' ? await storeCatalogue.memory(options) : await storeCatalogue.sqlite(options)
  const cpu = process.cpuUsage()
  const { steps, seconds } = await measure(store)
  const { user, system } = process.cpuUsage(cpu)
  await store.close()
  const bytes = values.store === 'memory' ? 0 : statSync(join(directory, 'sagasmith.db')).size
  process.stdout.write(
    `${JSON.stringify({
      store: values.store,
      durability,
      runsInFlight: Number(values.runs),
      steps,
      stepsPerSecond: Math.round(steps / seconds),
      cpuMicrosPerStep: Number(((user + system) / steps).toFixed(1)),
      bytesPerStep: Math.round(bytes / steps),
    })}\n`,
  )
} finally {
  rmSync(directory, { recursive: true, force: true })
}
