/** Records that say the usual are packed by name: the same values as from the list of fields, whatever else they say. */

import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { FieldList } from '../../../src-engine/model/field-list.ts'
import { definitionHash, invocationId, nodeId, runId, workflowId } from '../../../src-engine/model/ids.ts'
import type { InvocationRecord } from '../../../src-engine/model/invocation.ts'
import { newInvocation, newRun } from '../../../src-engine/model/new-records.ts'
import { packInvocation, packRun } from '../../../src-engine/model/plain-records.ts'
import type { Packing } from '../../../src-engine/model/record-codec.ts'
import { packRecord } from '../../../src-engine/model/record-codec.ts'
import { invocationFields, runFields } from '../../../src-engine/model/record-fields.ts'
import type { RunRecord } from '../../../src-engine/model/run.ts'
import { newContext } from '../../../src-engine/model/value-codec.ts'

const id = runId('run_1')
const run = newRun({
  id,
  workflowId: workflowId('orders'),
  workflowTitle: 'Orders',
  definitionHash: definitionHash('w1_0'),
  input: { kind: 'inline', json: '{}' },
  seed: 'seed',
  now: 1_000,
})
const step = newInvocation({
  id: invocationId('run_1/pay'),
  runId: id,
  nodeId: nodeId('pay'),
  taskKind: 'http',
  registeredAt: 1_000,
  cause: { kind: 'start', by: id, detail: null },
})

const error = { code: 'E', message: 'broken', hint: '', details: {}, retryable: false }
const waitReason = { code: 'held', message: 'it waits' }
const payload = { kind: 'blob', hash: 'b1', bytes: 7 }
const lease = { runnerId: 'rnr', fence: { epoch: 1, counter: 2 }, expiresAt: 9_000 }

/** Another value for each field. */
const otherOfRun = {
  partition: 3,
  tenant: 'other',
  workflowId: 'refunds',
  workflowTitle: 'Refunds "2"',
  definitionHash: 'w1_1',
  requestId: 'req',
  parentRunId: 'run_0',
  generation: 2,
  status: 'SUCCEEDED',
  version: 4,
  priority: 'HIGH',
  tags: ['tag'],
  cause: { kind: 'upstream', by: 'run_1/pay', detail: 'why' },
  input: payload,
  baseDirectory: '/data',
  now: 1_001,
  seed: 'other',
  createdAt: 990,
  startedAt: 1_002,
  finishedAt: 1_003,
  deadlineAt: 1_004,
  cancelRequestedAt: 1_005,
  output: payload,
  error,
  parentInvocationId: 'run_0/call',
  origin: { runId: 'run_0' },
  pauseRequestedAt: 1_006,
  signals: [{ name: 'go' }],
  permits: [{ key: 'a' }],
  waitReason,
  traceParent: '00-1',
  breakpoints: [{ nodeId: 'pay' }],
  idleMs: 5,
} satisfies Record<Exclude<keyof RunRecord, 'id'>, unknown>
const otherOfInvocation = {
  nodeId: 'ship',
  taskKind: 'code',
  generation: 1,
  path: 'each:3',
  role: 'compensation',
  status: 'PENDING',
  version: 2,
  priority: 'LOW',
  pool: 'gpu',
  tags: ['tag'],
  lease,
  fence: lease.fence,
  attempt: 1,
  failureCount: 1,
  crashCount: 1,
  registeredAt: 1_001,
  notBefore: 1_002,
  startedAt: 1_003,
  deadlineAt: 1_004,
  finishedAt: 1_005,
  cancelRequestedAt: 1_006,
  waitReason,
  cause: { kind: 'upstream', by: 'run_1/first', detail: null },
  input: payload,
  output: payload,
  ports: ['out'],
  error,
  route: { runner: 'rnr' },
  permits: [{ key: 'a' }],
  wait: { signal: 'go' },
  dispatch: { firstClaimedAt: 1_000 },
} satisfies Record<Exclude<keyof InvocationRecord, 'id' | 'runId'>, unknown>

/** What is appended, and what the context is from then on. */
function packedBy(pack: (packing: Packing) => void, subject: string | null, short: boolean) {
  const context = newContext({ at: 995, epoch: 1, runId: id }, { actorId: 'rnr', short })
  const out: Packing['out'] = ['before']
  context.id = subject
  context.cause = run.cause
  context.lease = lease as never
  pack({ context, out })
  return { out, context }
}

interface Kind<Item extends object> {
  readonly usual: Item
  readonly other: Readonly<Record<string, unknown>>
  readonly fields: FieldList
  readonly pack: (record: Item, packing: Packing) => void
  readonly subject: string | null
}

/** The record with other values in these fields. */
const changed = <Item extends object>({ usual, other }: Kind<Item>, names: readonly string[]): Item => ({
  ...usual,
  ...Object.fromEntries(names.map((name) => [name, other[name]])),
})

function expectSame<Item extends object>(kind: Kind<Item>, names: readonly string[], short: boolean): void {
  const { fields, pack, subject } = kind
  const record = changed(kind, names)
  const byName = packedBy((packing) => pack(record, packing), subject, short)
  const byList = packedBy((packing) => packRecord(fields, record, packing), subject, short)
  expect(byName).toEqual(byList)
}

const runs: Kind<RunRecord> = {
  usual: run,
  other: otherOfRun,
  fields: runFields,
  pack: packRun,
  subject: null,
}
const invocations: Kind<InvocationRecord> = {
  usual: step,
  other: otherOfInvocation,
  fields: invocationFields,
  pack: packInvocation,
  subject: step.id,
}

test.each([
  ['runs', runs as unknown as Kind<object>],
  ['invocations', invocations as unknown as Kind<object>],
])('%s are packed as from the list of their fields', (_, kind) => {
  const names = kind.fields.all.map(({ name }) => name)
  expect(Object.keys(kind.other).toSorted()).toEqual(names.toSorted())
  expectSame(kind, [], true)
  // Each by itself: none of them may be taken for usual.
  for (const name of names) expectSame(kind, [name], true)
  fc.assert(
    fc.property(fc.subarray(names, { maxLength: 9 }), fc.boolean(), (some, short) => {
      expectSame(kind, some, short)
    }),
    { numRuns: 300 },
  )
})
