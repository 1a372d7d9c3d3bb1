/** The packed form of events: exact both ways, the same text for the same events, and fixed once released. */

import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { EventBody, EventDraft } from '../../../src-engine/model/event.ts'
import type { EventGroup, PackedRecords } from '../../../src-engine/model/event-codec.ts'
import {
  groupEnd,
  packEvents,
  packedPieces,
  readPacked,
  unpackEvents,
  unpackHead,
} from '../../../src-engine/model/event-codec.ts'
import { opId, runId } from '../../../src-engine/model/ids.ts'
import type { InvocationRecord } from '../../../src-engine/model/invocation.ts'
import { priorityRank } from '../../../src-engine/model/invocation.ts'
import { invocationStatuses } from '../../../src-engine/model/invocation-status.ts'
import type { JsonValue } from '../../../src-engine/model/json.ts'
import { replayRun } from '../../../src-engine/model/replay.ts'
import type { RunRecord } from '../../../src-engine/model/run.ts'
import { runStatuses } from '../../../src-engine/model/run-status.ts'

const run = runId('run_1')
/** As JSON has it: without a negative zero. */
const json = fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value)) as JsonValue)
const orNull = <Item>(item: fc.Arbitrary<Item>) => fc.option(item, { nil: null })
const name = fc.oneof(
  fc.string(),
  fc.constantFrom('run_1', 'run_1/n', 'run_1/n#2~undo', 'run_12/n', 'rnr', '@', '.', '=x', '/n', 'a|b'),
)
const instant = fc.integer({ min: 0, max: 2 ** 48 })
const fence = fc.record({ epoch: fc.nat(9), counter: fc.nat(9) })
const lease = fc.record({ runnerId: name, fence, expiresAt: instant })
const cause = fc.record({
  kind: fc.constantFrom('upstream', 'manual', ''),
  by: orNull(name),
  detail: orNull(fc.string()),
})
const payload = fc.oneof(
  fc.record({ kind: fc.constant('inline'), json: fc.json() }),
  fc.record({ kind: fc.constant('blob'), hash: fc.string(), bytes: fc.nat() }),
  // All of it goes with its token.
  fc.string().map((token) => ({
    ...{ kind: 'sealed', token, blob: token.length % 2 === 0 ? null : `blob ${token}` },
    ...(token.length % 3 === 0 ? { problem: 'damaged' } : {}),
    ...(token.length % 5 === 0 ? { fleeting: true } : {}),
  })),
  fc.record({
    ...{ kind: fc.constant('blob'), hash: fc.string(), bytes: fc.nat() },
    fleeting: fc.record({ summary: orNull(fc.json()) }),
  }),
)
const error = fc.record({
  code: fc.string(),
  message: fc.string(),
  hint: fc.string(),
  details: fc.dictionary(fc.string(), json),
  retryable: fc.boolean(),
})
const tags = fc.array(fc.string(), { maxLength: 2 })
const priority = fc.constantFrom(...Object.keys(priorityRank))

const invocationFields = {
  nodeId: name,
  taskKind: fc.string(),
  generation: fc.nat(2),
  path: fc.constantFrom('', 'each:3'),
  role: fc.constantFrom('forward', 'compensation'),
  status: fc.constantFrom(...invocationStatuses),
  version: fc.nat(),
  priority,
  pool: fc.constantFrom('default', 'gpu'),
  tags,
  lease: orNull(lease),
  fence: orNull(fence),
  attempt: fc.nat(3),
  failureCount: fc.nat(3),
  crashCount: fc.nat(3),
  registeredAt: instant,
  notBefore: orNull(instant),
  startedAt: orNull(instant),
  deadlineAt: orNull(instant),
  finishedAt: orNull(instant),
  cancelRequestedAt: orNull(instant),
  waitReason: orNull(fc.record({ code: fc.string(), message: fc.string() })),
  cause,
  input: orNull(payload),
  output: orNull(payload),
  ports: orNull(tags),
  error: orNull(error),
  route: orNull(json),
  permits: orNull(json),
  wait: orNull(json),
  dispatch: orNull(
    fc.oneof(
      fc.record({
        firstClaimedAt: orNull(instant),
        schedulingAttempts: fc.nat(2),
        lastFailedRunner: orNull(name),
        pauseRequestedAt: orNull(instant),
        beatAt: orNull(instant),
      }),
      fc.dictionary(fc.string(), json),
    ),
  ),
} satisfies Record<Exclude<keyof InvocationRecord, 'id' | 'runId'>, unknown>
const runFields = {
  partition: fc.nat(3),
  tenant: fc.constantFrom('local', 'other'),
  workflowId: fc.string(),
  workflowTitle: fc.string(),
  definitionHash: fc.string(),
  requestId: orNull(fc.string()),
  parentRunId: orNull(fc.string()),
  generation: fc.nat(2),
  status: fc.constantFrom(...runStatuses),
  version: fc.nat(),
  priority,
  tags,
  cause,
  input: payload,
  baseDirectory: orNull(fc.string()),
  now: instant,
  seed: fc.string(),
  createdAt: instant,
  startedAt: orNull(instant),
  finishedAt: orNull(instant),
  deadlineAt: orNull(instant),
  cancelRequestedAt: orNull(instant),
  output: orNull(payload),
  error: orNull(error),
  parentInvocationId: orNull(fc.string()),
  origin: orNull(json),
  pauseRequestedAt: orNull(instant),
  signals: tags,
  permits: orNull(json),
  waitReason: orNull(
    fc.record(
      { code: fc.string(), message: fc.string(), pausedWith: fc.string({ minLength: 1 }) },
      { requiredKeys: ['code', 'message'] },
    ),
  ),
  traceParent: orNull(fc.string()),
  breakpoints: fc.array(fc.record({ nodeId: name, condition: fc.option(fc.string()) }), {
    maxLength: 2,
  }),
  idleMs: fc.nat(),
  // What a record has besides would be lost where events or records are packed.
} satisfies Record<Exclude<keyof RunRecord, 'id'>, unknown>

const part = (fields: object) =>
  fc.record(fields as Record<string, fc.Arbitrary<unknown>>, { requiredKeys: [] })
const whole = (fields: object) => fc.record(fields as Record<string, fc.Arbitrary<unknown>>)
const id = fc.constantFrom('run_1/n', 'run_1/m', 'elsewhere', '')
const status = fc.constantFrom(...invocationStatuses)
const runStatus = fc.constantFrom(...runStatuses)

const attempt = fc.record({
  number: fc.nat(),
  runnerId: name,
  fence,
  startedAt: instant,
  endedAt: instant,
  outcome: fc.constantFrom('succeeded', 'failed', 'timed-out', 'cancelled', 'parked', 'lost', 'handed-back'),
  input: orNull(payload),
  output: orNull(payload),
  error: orNull(error),
  log: orNull(payload),
})

/** The attempt may have the very values of the change, as it mostly does. */
const changed = fc
  .record({
    id,
    from: status,
    to: status,
    set: part(invocationFields),
    attempt: orNull(attempt),
    same: fc.boolean(),
  })
  .map(({ id: of, from, to, set, attempt: ended, same }) => {
    const shared = same
      ? Object.fromEntries(Object.entries(set).filter(([key]) => ['input', 'output', 'error'].includes(key)))
      : {}
    const own = ended === null ? null : { ...ended, ...shared, invocationId: of, runId: run }
    return { invocationId: of, body: { type: 'invocation.changed', from, to, set, attempt: own } }
  })

const about = fc.oneof(
  changed,
  fc.record({ id, of: whole(invocationFields) }).map(({ id: at, of }) => {
    return {
      invocationId: at,
      body: { type: 'invocation.registered', invocation: { ...of, id: at, runId: run } },
    }
  }),
  whole(runFields).map((of) => ({
    invocationId: null,
    body: { type: 'run.created', run: { ...of, id: run } },
  })),
  fc.record({ from: runStatus, to: runStatus, set: part(runFields) }).map((of) => {
    return { invocationId: null, body: { type: 'run.changed', ...of } }
  }),
  fc.record({ nodeId: name, path: fc.string(), generation: fc.nat(3) }).map((of) => {
    return { invocationId: null, body: { type: 'node.skipped', ...of } }
  }),
  fc.record({ key: fc.string(), value: json }).map((of) => {
    return { invocationId: null, body: { type: 'register.changed', ...of } }
  }),
  fc.record({ from: fc.nat(3), to: fc.nat(3), reason: fc.string() }).map((of) => {
    return { invocationId: null, body: { type: 'epoch.changed', ...of } }
  }),
)

// Random values in the shape of the types: what they mean doesn't matter to the codec.
const draft = fc
  .record({ about, cause, version: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }) })
  .map(({ about: { invocationId: of, body }, cause: why, version }) => {
    const made = { runId: run, invocationId: of, cause: why, body: body as unknown as EventBody }
    return (version === undefined ? made : { ...made, runVersion: version }) as EventDraft
  })
const group = fc
  .record({
    epoch: fc.nat(3),
    at: instant,
    op: name,
    kind: fc.constantFrom('runner', 'run', 'operator', 'trigger'),
    actor: orNull(fc.constantFrom('rnr', 'an]n', '')),
  })
  .map(({ epoch, at, op, kind, actor }): EventGroup => {
    return { epoch, at, runId: run, opId: opId(op), actor: { kind, id: actor } }
  })

/** Fields of plain JSON: the order of their keys is theirs. */
const plainKeys = ['error', 'value', 'route', 'permits', 'wait', 'dispatch', 'origin']

/** The same value with the keys of every object the other way round. */
function reordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => reordered(item))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).toReversed()
  // JSON values inside keep the order they have.
  return Object.fromEntries(
    entries.map(([key, item]) => [key, plainKeys.includes(key) ? item : reordered(item)]),
  )
}

test('any events come back exactly, whatever the key order they were given in', () => {
  fc.assert(
    fc.property(group, fc.array(draft, { minLength: 1, maxLength: 4 }), (of, drafts) => {
      const text = packEvents(of, drafts)
      const back = unpackEvents(text, { epoch: of.epoch, runId: of.runId })
      expect(back.group).toEqual(of)
      expect(back.drafts).toEqual(drafts)
      expect(unpackHead(text, of.runId)).toEqual({ at: of.at, opId: of.opId, actor: of.actor })
      expect(packEvents(back.group, back.drafts)).toBe(text)
      expect(packEvents(of, reordered(drafts) as readonly EventDraft[])).toBe(text)
      expect(packedPieces(of, drafts).join('') + groupEnd).toBe(text)
      const first = packedPieces({ ...of, version: 1 }, drafts).join('') + groupEnd
      const old = unpackEvents(first, { epoch: of.epoch, runId: of.runId })
      expect(old).toEqual({ group: { ...of, version: 1 }, drafts })
      expect(packedPieces(old.group, old.drafts).join('') + groupEnd).toBe(first)
      expect(unpackHead(first, of.runId)).toEqual({ at: of.at, opId: of.opId, actor: of.actor })
    }),
    { numRuns: 300 },
  )
})

test('records are read from texts as replaying their events gives them', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(group, fc.array(draft, { minLength: 1, maxLength: 6 })), { maxLength: 6 }),
      (texts) => {
        const records: PackedRecords = { run: null, invocations: new Map() }
        for (const [of, drafts] of texts) readPacked(packEvents(of, drafts), of, records)
        const replayed = replayRun(texts.flatMap(([, drafts]) => drafts))
        expect(records.run).toEqual(replayed.run)
        expect([...records.invocations]).toEqual([...replayed.invocations])
      },
    ),
    { numRuns: 300 },
  )
})
