/** Texts of events as they were released: what was written then is read for ever. */

import { expect, test } from 'vitest'
import type { EventBody, EventDraft } from '../../../src-engine/model/event.ts'
import type { EventGroup } from '../../../src-engine/model/event-codec.ts'
import { groupEnd, packEvents, packedPieces } from '../../../src-engine/model/event-codec.ts'
import { invocationId, opId, runId } from '../../../src-engine/model/ids.ts'
import type { InvocationRecord } from '../../../src-engine/model/invocation.ts'
import { invocationStatuses } from '../../../src-engine/model/invocation-status.ts'
import { runStatuses } from '../../../src-engine/model/run-status.ts'
import { anAttempt, anInvocation, aRun, start } from '../../conformance/story.ts'

const run = runId('run_1')

test('the text of a step is short, and stays as it was released [S49]', () => {
  const record: InvocationRecord = anInvocation(aRun({ name: 'run_1' }), 'n', {
    lease: { runnerId: 'rnr' as never, fence: { epoch: 1, counter: 1 }, expiresAt: start + 30_000 },
    attempt: 1,
  })
  const output = { kind: 'inline', json: '{"a":1}' } as const
  const ended = anAttempt(record, { output, input: output })
  const next = anInvocation(aRun({ name: 'run_1' }), 'm', {
    cause: { kind: 'upstream', by: record.id, detail: null },
  })
  const why = { kind: 'attempt', by: record.id, detail: null }
  const set = {
    status: 'SUCCESS',
    version: 3,
    lease: null,
    finishedAt: start,
    input: output,
    output,
  } as const
  const drafts: readonly EventDraft[] = [
    {
      runId: run,
      invocationId: record.id,
      cause: why,
      runVersion: 5,
      body: { type: 'invocation.changed', from: 'RUNNING', to: 'SUCCESS', set, attempt: ended },
    },
    {
      runId: run,
      invocationId: next.id,
      cause: next.cause,
      runVersion: 5,
      body: { type: 'invocation.registered', invocation: next },
    },
    {
      runId: run,
      invocationId: null,
      cause: why,
      runVersion: 5,
      body: { type: 'run.changed', from: 'RUNNING', to: 'WAITING', set: { status: 'WAITING' } },
    },
  ]
  const of: EventGroup = {
    epoch: 1,
    runId: run,
    at: start,
    opId: opId('end:run_1/n:1.1'),
    actor: { kind: 'runner', id: 'rnr' },
  }
  expect(packedPieces({ ...of, version: 1 }, drafts).join('') + groupEnd).toMatchInlineSnapshot(
    `"[[1700000000000,"|end:|/n:1.1",0,"rnr"],[3,"/n",["attempt","/n"],5,6,18,25691232,18,3,null,0,"{\\"a\\":1}","{\\"a\\":1}",[1,"@",0,1,0,0,0,0,0,null,null]],[2,"/m",["upstream","/n"],0,4227075,"m","log",0,0],[1,null,["attempt","/n"],0,1,2,256,2]]"`,
  )
})

// A run of two plain steps, as an engine tells it.
const made = aRun({ name: 'run_1', input: { kind: 'inline', json: '{"a":1}' } })
const runner = { kind: 'runner', id: 'rnr' } as const
const because = (kind: string, by: string | null) => ({ kind, by, detail: null })
const step = (name: string, cause: InvocationRecord['cause']) => anInvocation(made, name, { cause })
const told = (
  record: InvocationRecord,
  why: InvocationRecord['cause'],
  change: Pick<Extract<EventBody, { type: 'invocation.changed' }>, 'set'> & Partial<EventBody>,
) => {
  const plain = { type: 'invocation.changed', from: 'REGISTERED', to: change.set.status, attempt: null }
  const body = { ...plain, ...change } as EventBody
  return { runId: run, invocationId: record.id, cause: why, body }
}
const registered = (record: InvocationRecord) => {
  const body = { type: 'invocation.registered', invocation: record } as const
  return { runId: run, invocationId: record.id, cause: record.cause, body }
}
const ofRun = (body: EventBody, why = because('manual', null)) => ({
  runId: run,
  invocationId: null,
  cause: why,
  body,
})
const firstFence = { epoch: 1, counter: 1 }
const ttl = { runnerId: 'rnr' as never, fence: firstFence, expiresAt: start + 300_000 }
const claim = { status: 'PENDING', lease: ttl, fence: firstFence } as const
const begin = { status: 'RUNNING', attempt: 1, startedAt: start, deadlineAt: start + 3_600_000 } as const
const result = { kind: 'inline', json: '[2]' } as const
const end = {
  status: 'SUCCESS',
  version: 2,
  lease: null,
  deadlineAt: null,
  finishedAt: start,
  input: made.input,
  output: result,
} as const
const ended = (record: InvocationRecord) => {
  const attempt = anAttempt({ ...record, ...claim, ...begin }, { ...end, endedAt: start })
  return told(record, because('attempt', record.id), { set: end, from: 'RUNNING', attempt })
}
const first = step('n', because('start', run))
const second = step('m', because('upstream', first.id))
const runEnd = {
  status: 'SUCCEEDED',
  deadlineAt: null,
  finishedAt: start,
  output: result,
  error: null,
  pauseRequestedAt: null,
} as const

test('a run of two plain steps is told by shapes, and these stay as they were released [S49]', () => {
  const texts = [
    [
      ofRun({ type: 'run.created', run: made }),
      ofRun({
        type: 'run.changed',
        from: 'CREATED',
        to: 'RUNNING',
        set: { status: 'RUNNING', startedAt: start },
      }),
      registered(first),
      told(first, because('manual', null), { set: claim }),
      told(first, because('manual', null), { set: begin, from: 'PENDING' }),
    ],
    [
      ended(first),
      registered(second),
      told(second, because('attempt', first.id), { set: claim }),
      told(second, because('attempt', first.id), { set: begin, from: 'PENDING' }),
    ],
    [
      ended(second),
      ofRun(
        { type: 'run.changed', from: 'RUNNING', to: 'SUCCEEDED', set: runEnd },
        because('attempt', second.id),
      ),
    ],
  ].map((drafts) =>
    packEvents(
      { epoch: 1, runId: run, at: start, opId: opId('op'), actor: runner },
      drafts as readonly EventDraft[],
    ),
  )
  expect(texts).toMatchInlineSnapshot(`
    [
      "[1700000000000,"=op",0,"rnr",13,0,"orders","Orders","w1_0000000000000000000000000000000000000000000000000000000000000000","{\\"a\\":1}","seed",15,9,"/n","log",10,3]",
      "[1700000000000,"=op",0,"rnr",0,"/n",0,2,"{\\"a\\":1}","[2]",0,1,"/m","log",2,3]",
      "[1700000000000,"=op",0,"rnr",0,"/m",0,2,"{\\"a\\":1}","[2]",0,16]",
    ]
  `)
})

test('what is stored by its place keeps its place [S49]', () => {
  const codeOf = (type: 'run' | 'invocation', statuses: readonly string[]) =>
    statuses.map((to) => {
      const invocation = invocationId('run_1/n')
      const body = { type: `${type}.changed`, from: to, to, set: {}, attempt: null } as unknown as EventBody
      const event: EventDraft = {
        runId: run,
        invocationId: invocation,
        cause: { kind: 'k', by: null, detail: null },
        body,
      }
      const of: EventGroup = {
        epoch: 1,
        runId: run,
        at: 0,
        opId: opId('o'),
        actor: { kind: 'run', id: null },
      }
      const packed = JSON.parse(packEvents(of, [event])) as readonly unknown[]
      return `${String((packed[4] as readonly unknown[])[5])} ${to}`
    })
  expect(codeOf('invocation', invocationStatuses)).toMatchInlineSnapshot(`
    [
      "0 REGISTERED",
      "1 REROUTED",
      "2 RETRY",
      "3 CONCURRENCY_CONTROLLED",
      "4 APPROVAL_REQUIRED",
      "5 PENDING",
      "6 RUNNING",
      "7 PAUSED",
      "8 RESUMED",
      "9 WAITING",
      "10 KILLED",
      "11 PENDING_RECOVERY",
      "12 RUNNING_RECOVERY",
      "13 CANCELLED",
      "14 TIMEOUT",
      "15 FAILED",
      "16 DENIED",
      "17 CONCURRENCY_CONTROLLED_FINAL",
      "18 SUCCESS",
      "19 OUTPUT_QUARANTINED",
    ]
  `)
  expect(codeOf('run', runStatuses)).toMatchInlineSnapshot(`
    [
      "0 CREATED",
      "1 RUNNING",
      "2 WAITING",
      "3 PAUSED",
      "4 COMPENSATING",
      "5 COMPENSATION_FAILED",
      "6 SUCCEEDED",
      "7 FAILED",
      "8 CANCELLED",
      "9 TIMED_OUT",
      "10 DENIED",
      "11 COMPENSATED",
      "12 ABANDONED",
    ]
  `)
})
