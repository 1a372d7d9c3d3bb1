/** Values of a workspace that seals, seen from machines with its key and without. */

import { afterEach, expect, test } from 'vitest'
import type { RunId } from '../../../../src-engine/model/ids.ts'
import { storeId } from '../../../../src-engine/model/ids.ts'
import type { JsonObject } from '../../../../src-engine/model/json.ts'
import { sealRegister } from '../../../../src-engine/model/seal.ts'
import { whyWaiting } from '../../../../src-engine/runtime/routing/why-waiting.ts'
import { newKeyRing } from '../../../../src-engine/runtime/sealing/key-ring.ts'
import {
  removeSealKey,
  rotateSealKey,
  sealView,
} from '../../../../src-engine/runtime/sealing/seal-changes.ts'
import { loadSealMark, writeSealMark } from '../../../../src-engine/runtime/sealing/seal-mark.ts'
import { beginSealing } from '../../../../src-engine/runtime/sealing/seal-state.ts'
import { verifyChain } from '../../../../src-engine/store/event-chain.ts'
import { createMemoryStore } from '../../../../src-engine/store/memory/memory-store.ts'
import { createPartitionedStore } from '../../../../src-engine/store/partitioned/partitioned-store.ts'
import { openSqliteStore } from '../../../../src-engine/store/sqlite/sqlite-store.ts'
import type { Store } from '../../../../src-engine/store/store.ts'
import { aRun, starting } from '../../../conformance/story.ts'
import { edgesOf } from '../../model/workflow-fixture.ts'
import { FlowScene, valueOf } from '../control-flow/flow-scene.ts'
import type { SettingValues } from '../permits/scene-settings.ts'
import type { SealMachine } from './seal-scene.ts'
import { handOver, machineOn } from './seal-scene.ts'

const scenes: FlowScene[] = []
afterEach(async () => {
  for (const scene of scenes.splice(0)) await scene.close()
})

async function engineOn(store: Store, settings: SettingValues = {}): Promise<FlowScene> {
  const scene = new FlowScene(store, settings)
  scenes.push(scene)
  await scene.launch()
  return scene
}

const transform = (expression: string): JsonObject => ({ kind: 'transform', parameters: { expression } })
const waits: JsonObject = {
  nodes: { wait: { kind: 'wait-signal', parameters: { name: 'go' } }, after: transform('input.n + 1') },
  edges: edgesOf('wait>after'),
}
const input = { secret: 'canary-1' }
const page = { after: null, limit: 100 }
const storedRun = (raw: Store, runId: RunId) => raw.load(0, 'run', { runId })
const go = (runId: RunId) => ({ runId, name: 'go', correlation: null, payload: { n: 1 }, messageId: null })

test('what is stored is sealed, what the engine sees is not, and both feeds are whole', async () => {
  const raw = createMemoryStore()
  const { store } = await machineOn(raw, true)
  const here = await engineOn(store)
  const run = await here.play({ nodes: { a: transform('input.secret & "!"') } }, input)
  expect([run.status, valueOf(run)]).toEqual(['SUCCEEDED', 'canary-1!'])
  const stored = await storedRun(raw, run.id)
  expect(stored).toMatchObject({ status: 'SUCCEEDED', input: { kind: 'sealed', blob: null } })
  expect(JSON.stringify(await raw.load(0, 'attempts', { runId: run.id, invocationId: null }))).not.toContain(
    'canary',
  )
  // The chain covers what is stored: it can be checked without any key.
  const feed = { after: { partition: 0, epoch: 0, seq: 0 }, runId: null, until: null, limit: 1_000 }
  expect(verifyChain(await raw.readEvents(feed), false, raw.info.chain)).toBeNull()
  // A replay of the events gives the records.
  const { run: replayed } = await here.engine.snapshot(run.id)
  expect(replayed).toEqual(await storedRun(store, run.id))
})

test('without the key a machine sees the run, its states, and what each value is sealed with', async () => {
  const raw = createMemoryStore()
  const owner = await machineOn(raw, true)
  const here = await engineOn(owner.store)
  const failed = await here.play(
    { nodes: { a: { kind: 'debug', parameters: { failTimes: 9, failMessage: 'no {{ input.secret }}' } } } },
    input,
  )
  const key = owner.store.sealing?.keyId() ?? ''
  const reader = await machineOn(raw)
  const there = new FlowScene(reader.store)
  scenes.push(there)
  expect(reader.store.sealing?.problem()).toMatchObject({ code: 'seal_key_missing', details: { key } })
  const seen = await reader.store.load(0, 'run', { runId: failed.id })
  expect(seen).toMatchObject({
    status: 'FAILED',
    input: { kind: 'sealed', problem: 'key-missing' },
    error: {
      code: 'debug_failure',
      message: `Sealed with the key ${key}, which this machine doesn’t have.`,
      hint: expect.stringContaining('sagasmith seal import'),
    },
  })
  const [letter] = await reader.store.list(0, 'deadLetters', {
    filter: { reason: null, workflowId: null, runId: null },
    page,
  })
  expect(letter).toMatchObject({ reason: 'debug_failure', message: expect.stringContaining(key) })
  const events = await reader.store.readEvents({
    after: { partition: 0, epoch: 0, seq: 0 },
    runId: failed.id,
    until: null,
    limit: 100,
  })
  expect(events.map(({ body }) => body.type)).toContain('invocation.changed')
  expect(JSON.stringify([seen, letter, events])).not.toContain('canary')
})

test('without the key an engine claims nothing, writes nothing, and fails nothing', async () => {
  const raw = createMemoryStore()
  const owner = await machineOn(raw, true)
  const here = await engineOn(owner.store)
  const run = await here.start(waits, input)
  await here.pass(1_000)
  await here.within(here.engine.stop())
  const reader = await machineOn(raw)
  const there = new FlowScene(reader.store)
  scenes.push(there)
  await there.launch()
  const before = await storedRun(raw, run)
  await there.pass(600_000)
  expect(await storedRun(raw, run)).toEqual(before)
  const refused = { code: 'seal_key_missing' }
  await expect(there.within(there.engine.sendSignal(go(run)))).rejects.toMatchObject(refused)
  await expect(there.within(there.engine.cancelRun(run))).rejects.toMatchObject(refused)
  await expect(there.start({ nodes: { a: transform('1') } }, input)).rejects.toMatchObject(refused)
  await expect(reader.store.putBlob(new Uint8Array([1]))).rejects.toMatchObject(refused)
  // With the key it is a runner like any other.
  await handOver(owner, reader)
  await there.within(there.engine.sendSignal(go(run)))
  await there.pass(60_000)
  expect(await there.run(run)).toMatchObject({ status: 'SUCCEEDED', output: { kind: 'inline', json: '2' } })
})

test('work that no living runner could read says so', async () => {
  const raw = createMemoryStore()
  const owner = await machineOn(raw, true)
  const here = await engineOn(owner.store)
  const run = await here.start(waits, input)
  await here.pass(1_000)
  await here.within(here.engine.stop())
  // It may decide about the run, but its work is for another pool.
  const elsewhere = await engineOn(owner.store, { pools: ['elsewhere'] })
  await elsewhere.within(elsewhere.engine.sendSignal(go(run)))
  const reader = await machineOn(raw)
  const there = await engineOn(reader.store)
  await there.pass(1_000)
  expect(await there.statuses(run)).toEqual({ wait: 'SUCCESS', after: 'REGISTERED' })
  const asked = { runId: run, nodeId: null, now: there.world.now }
  const [answer] = await whyWaiting(reader.store, asked)
  expect(answer).toMatchObject({
    code: 'seal_key_missing',
    message: expect.stringContaining(owner.store.sealing?.keyId() ?? '?'),
    help: expect.stringContaining('sagasmith seal export'),
  })
  await handOver(owner, reader)
  await there.pass(60_000)
  expect(valueOf(await there.run(run))).toBe(2)
})

test('a process that wrote values as they are stops when another has the workspace seal', async () => {
  const raw = createMemoryStore()
  const first = await machineOn(raw)
  const here = await engineOn(first.store)
  const plain = await here.start(waits, input)
  await here.pass(1_000)
  expect((await storedRun(raw, plain))?.input).toEqual({ kind: 'inline', json: JSON.stringify(input) })
  const second = await machineOn(raw, true)
  await first.desk.refresh()
  const refused = { code: 'seal_key_missing' }
  await expect(here.within(here.engine.sendSignal(go(plain)))).rejects.toMatchObject(refused)
  await expect(here.start(waits, input)).rejects.toMatchObject(refused)
  // Whoever has the key reads what was there before, and seals what it adds.
  const there = await engineOn(second.store)
  await there.within(there.engine.sendSignal(go(plain)))
  await there.pass(60_000)
  expect(valueOf(await there.run(plain))).toBe(2)
  expect((await storedRun(raw, plain))?.output).toMatchObject({ kind: 'sealed' })
})

test('after a rotation new values have the new key and old ones are read with theirs', async () => {
  const raw = createMemoryStore()
  const owner = await machineOn(raw, true)
  const here = await engineOn(owner.store)
  const old = await here.play({ nodes: { a: transform('input.secret') } }, input)
  const firstKey = owner.store.sealing?.keyId() ?? ''
  const other = await machineOn(raw)
  await handOver(owner, other)
  await rotateSealKey(owner.parts, true)
  expect((await sealView(owner.parts)).key).toBe(firstKey)
  await rotateSealKey(owner.parts, false)
  await owner.desk.refresh()
  await other.desk.refresh()
  const { key, keys } = await sealView(owner.parts)
  expect(keys.map(({ id }) => id)).toEqual([firstKey, key])
  // Who has only the old key reads what it sealed, and nothing else.
  expect((await other.store.load(0, 'run', { runId: old.id }))?.output).toEqual(old.output)
  expect(other.store.sealing?.problem()).toMatchObject({ code: 'seal_key_missing' })
  const fresh = await here.play({ nodes: { a: transform('input.secret') } }, input)
  expect((await storedRun(raw, fresh.id))?.output).toMatchObject({
    token: expect.stringContaining(`:${key}:`),
  })
  expect(valueOf(await here.run(old.id))).toBe('canary-1')
  await expect(removeSealKey(owner.parts, key ?? '')).rejects.toMatchObject({ code: 'seal_key_in_use' })
  await removeSealKey(owner.parts, firstKey)
  const later = await machineOn(raw)
  await handOver(owner, later)
  expect((await later.store.load(0, 'run', { runId: old.id }))?.output).toMatchObject({
    kind: 'sealed',
    problem: 'key-missing',
  })
  expect(valueOf((await later.store.load(0, 'run', { runId: fresh.id })) ?? old)).toBe('canary-1')
})

test('a sealed value that was changed or moved is told, and its run is neither failed nor lost', async () => {
  const raw = createMemoryStore()
  const owner = await machineOn(raw, true)
  const here = await engineOn(owner.store)
  const run = await here.start(waits, { secret: 'one' })
  const other = await here.start(waits, { secret: 'two' })
  await here.pass(1_000)
  await here.within(here.engine.stop())
  const moved = (await storedRun(raw, other))?.input
  const tampering: Store = {
    ...raw,
    load: async (partition, kind, asked) => {
      const found = await raw.load(partition, kind, asked)
      const isRun = kind === 'run' && 'runId' in asked && asked.runId === run
      return isRun ? ({ ...(found as object), input: moved } as typeof found) : found
    },
  }
  const reader = await machineOn(tampering)
  await handOver(owner, reader)
  const there = await engineOn(reader.store)
  expect((await reader.store.load(0, 'run', { runId: run }))?.input).toMatchObject({ problem: 'damaged' })
  const before = await storedRun(raw, run)
  await expect(there.within(there.engine.sendSignal(go(run)))).rejects.toMatchObject({
    code: 'sealed_value_damaged',
  })
  await there.pass(60_000)
  expect(await storedRun(raw, run)).toEqual(before)
  await there.within(there.engine.sendSignal(go(other)))
  await there.pass(60_000)
  expect((await there.run(other)).status).toBe('SUCCEEDED')
})

test('who has the keys seals even where the mark is gone, and puts it back', async () => {
  const raw = createMemoryStore()
  const owner = await machineOn(raw, true)
  const key = owner.store.sealing?.keyId() ?? ''
  const found = await raw.load(0, 'register', { key: sealRegister })
  expect(found?.value).toMatchObject({ key })
  const bare: Store = createMemoryStore()
  const elsewhere = await machineOn(bare)
  await handOver(owner, elsewhere)
  expect(elsewhere.store.sealing?.keyId()).toBe(key)
  expect((await bare.load(0, 'register', { key: sealRegister }))?.value).toMatchObject({ key })
  const ids = { next: () => 'x' }
  expect(await writeSealMark(bare, { key: 'other', seen: { epoch: 1, version: 0 }, at: 0, ids })).toBe(false)
})

test('sealed blobs that a run names outlast the pruner', async () => {
  const raw = await openSqliteStore({
    directory: ':memory:',
    storeId: storeId('sealed'),
    clock: { now: () => 0, after: () => () => {} },
  })
  const { store } = await machineOn(raw, true)
  const here = await engineOn(store)
  const run = await here.play(
    { nodes: { a: transform('($v := input.secret; $join([1..8000].($v)))') } },
    { secret: 'canary-1' },
  )
  const { output } = run
  if (output?.kind !== 'blob') throw new Error('It is large enough for a blob.')
  const named = await raw.getBlob(output.hash)
  expect(Buffer.from(named).includes('canary')).toBe(false)
  const loose = await store.putBlob(new TextEncoder().encode('"nobody names it"'))
  const prune = { endedBefore: null, keep: null, blobsBefore: Number.MAX_SAFE_INTEGER, limit: 100 }
  for (const partition of store.info.partitions) await store.prune({ partition, ...prune })
  await expect(store.getBlob(loose)).rejects.toMatchObject({ code: 'blob_missing' })
  expect(Buffer.from(await store.getBlob(output.hash)).toString('utf8')).toBe(
    JSON.stringify('canary-1'.repeat(8_000)),
  )
})

test('what looks sealed but is somebody’s text comes back as it was', async () => {
  const raw = createMemoryStore()
  const { store } = await machineOn(raw, true)
  const here = await engineOn(store)
  const lookalike = 'sealed:1:0123456789ab:AAAA'
  const nodes = {
    wait: { kind: 'wait-signal', parameters: { name: 'go', correlation: 'input.text' } },
    after: transform('{ "kind": "sealed", "token": input.n }'),
  }
  const run = await here.start({ nodes, edges: edgesOf('wait>after') }, { text: lookalike })
  await here.pass(1_000)
  await here.within(here.engine.sendSignal({ ...go(run), correlation: lookalike, payload: { n: lookalike } }))
  await here.pass(60_000)
  expect(valueOf(await here.run(run))).toEqual({ kind: 'sealed', token: lookalike })
})

/** A store of four partitions, and two machines that were there before anybody sealed. */
async function beforeSealing() {
  const raw = createPartitionedStore(createMemoryStore({ partitions: 4 }))
  const [owner, late] = [await machineOn(raw), await machineOn(raw)]
  return { raw, owner, late }
}

const beginBy = ({ parts: { store, keys, ids } }: SealMachine): Promise<string> =>
  beginSealing({ store, keys, ids, clock: { now: () => 0 } })

const everything = async (raw: Store, runId: RunId): Promise<string> =>
  JSON.stringify([
    await raw.load(0, 'run', { runId }),
    await raw.load(0, 'invocations', { runId }),
    await raw.load(0, 'attempts', { runId, invocationId: null }),
  ])

test('once sealing has begun nobody writes plain values, without noticing it first', async () => {
  const { raw, owner, late } = await beforeSealing()
  const there = await engineOn(late.store)
  const runs = await Promise.all(Array.from({ length: 6 }, () => there.start(waits, input)))
  await there.pass(100)
  const before = await Promise.all(runs.map((run) => everything(raw, run)))
  await beginBy(owner)
  expect(late.desk.state().kind).toBe('plain')
  // The desk of this machine looks by a clock that stands still.
  await expect(there.within(there.engine.cancelRun(runs[0] as RunId))).rejects.toMatchObject({
    code: 'seal_key_missing',
  })
  await expect(there.start(waits, { secret: 'canary-3' })).rejects.toMatchObject({ code: 'seal_key_missing' })
  expect(await Promise.all(runs.map((run) => everything(raw, run)))).toEqual(before)
  expect(late.desk.state().kind).toBe('reading')
})

test('who has the key seals what was refused, and nothing is lost or done twice', async () => {
  const { raw, owner, late } = await beforeSealing()
  const there = await engineOn(late.store)
  const runs = await Promise.all(Array.from({ length: 6 }, () => there.start(waits, { secret: 'old' })))
  await there.pass(100)
  await beginBy(owner)
  const ring = await owner.keys.read(raw.info.id)
  if (ring === null) throw new Error('The owner has keys.')
  await late.keys.write(ring)
  expect(late.desk.state().kind).toBe('plain')
  for (const run of runs) await there.within(there.engine.sendSignal({ ...go(run), payload: { n: 41_000 } }))
  await there.pass(1_000)
  for (const run of runs) {
    expect(await there.run(run)).toMatchObject({ status: 'SUCCEEDED', output: { json: '41001' } })
    expect(await everything(raw, run)).not.toContain('41001')
    expect(await there.executions(run)).toHaveLength(2)
  }
})

test('a partition that was not told in the beginning is told by whoever seals', async () => {
  const { raw, owner, late } = await beforeSealing()
  // Whoever begins is stopped before the partitions are told.
  await writeSealMark(owner.store, {
    key: await keyOf(owner),
    seen: { epoch: 1, version: 0 },
    at: 0,
    ids: owner.parts.ids,
  })
  const plain = (name: string) => starting(aRun({ name }))
  const [before] = await late.store.commit(3, [plain('r~p3')])
  expect(before).toEqual({ kind: 'accepted' })
  await owner.desk.refresh()
  await owner.desk.refresh()
  await expect(late.store.commit(3, [plain('q~p3')])).rejects.toMatchObject({ code: 'seal_key_missing' })
  expect(await loadSealMark(raw)).toMatchObject({ mark: { everywhere: true } })
})

test('a large value asks first', async () => {
  const { raw, owner, late } = await beforeSealing()
  const bytes = new TextEncoder().encode('canary '.repeat(50_000))
  await late.store.putBlob(bytes)
  await beginBy(owner)
  await expect(late.store.putBlob(bytes)).rejects.toMatchObject({ code: 'seal_key_missing' })
  await owner.desk.refresh()
  const hash = await owner.store.putBlob(bytes)
  expect(new TextDecoder().decode(await raw.getBlob(hash))).not.toContain('canary')
})

async function keyOf({ keys, store }: SealMachine): Promise<string> {
  const ring = newKeyRing(store.info.id, 0)
  await keys.write(ring)
  return ring.current
}
