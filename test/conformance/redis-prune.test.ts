/** A long run goes in slices, each once, also when an answer is lost in the middle. */

import { expect, onTestFinished, test } from 'vitest'
import type { Checkpoint } from '../../src-engine/model/checkpoint.ts'
import { storeId } from '../../src-engine/model/ids.ts'
import type { RunRecord } from '../../src-engine/model/run.ts'
import { systemClock } from '../../src-engine/runtime/system-ports.ts'
import type { Applier } from '../../src-engine/store/redis/apply.ts'
import { pruneRuns } from '../../src-engine/store/redis/prune.ts'
import { pruneShapes } from '../../src-engine/store/redis/prune-shapes.ts'
import { commandMsDefault, openAccess } from '../../src-engine/store/redis/redis-options.ts'
import { openRouter } from '../../src-engine/store/redis/router.ts'
import { openHeads } from '../../src-engine/store/redis/sentinel.ts'
import { putTogether } from '../../src-engine/store/redis/store-parts.ts'
import type { Store } from '../../src-engine/store/store.ts'
import { aServer, aStore } from './journal-scene.ts'
import { accept, theRun, verifyHistory } from './scene.ts'
import { aClaim, anInvocation, aRun, movingRun, start, starting } from './story.ts'

/** The parts of the first partition, as the store has them. */
async function partsOn({ host, port }: { readonly host: string; readonly port: number }) {
  const nodes = [{ host, port }]
  const options = {
    nodes,
    prefix: 'sagasmith',
    storeId: storeId('s'),
    clock: systemClock,
    writerId: 'pruner',
  }
  const times = { commandMs: commandMsDefault, patienceMs: 10_000 }
  const router = await openRouter({ nodes, access: openAccess, clock: systemClock, ...times })
  const heads = await openHeads(router, options)
  const safety = { mode: 'fast', why: 'asked', alone: [] } as const
  const access = { username: null, password: null, tls: null }
  const opened = { router, heads, prefix: 'sagasmith', commandMs: commandMsDefault, options, safety, access }
  const { parts, applier, nextTag, stop } = putTogether(opened)
  onTestFinished(stop)
  const [part] = parts
  if (part === undefined) throw new Error('A store has a partition.')
  return { ...part, router, applier, nextTag }
}

/** A run that goes to and fro, one group of events each time, and ends. */
function longStory(moves: number): readonly Checkpoint[] {
  const story = [starting(aRun())]
  for (let move = 0; move < moves; move += 1) {
    const run = story.at(-1)?.writes.run as RunRecord
    story.push(movingRun(run, move === moves - 1 ? 'FAILED' : run.status === 'PAUSED' ? 'RUNNING' : 'PAUSED'))
  }
  return story
}

test('a slice that is sent again after a lost answer removes no more than it did', async () => {
  const server = await aServer()
  const { store } = await aStore(server, null)
  const story = longStory(2_501)
  await accept(store, ...story)
  expect((await theRun(store, aRun().id)).status).toBe('FAILED')
  const parts = await partsOn(server)
  const apply: Applier['apply'] = async (state, units) => {
    // The answer to the first is lost; the same is sent again.
    await parts.applier.apply(state, units)
    return parts.applier.apply(state, units)
  }
  const request = { partition: 0, endedBefore: start + 1, keep: null, blobsBefore: null, limit: 10 }
  expect(await pruneRuns({ ...parts, applier: { apply } }, request)).toMatchObject({ runs: 1 })
  expect(await server.admin.xlen('sagasmith:{p0}:events')).toBe(0)
  expect(await server.admin.keys('sagasmith:{p0}:[rg]:*')).toEqual([])
})

test('a shape that nobody waits for goes, and who knew it tells it again with its next work', async () => {
  const server = await aServer()
  const { store } = await aStore(server, null)
  const { store: other } = await aStore(server, null)
  const route = { pools: ['rare'], labels: [], requires: [], preferredRunner: null, preferredUntil: null }
  const work = (name: string) => {
    const run = aRun({ name })
    return starting(run, [anInvocation(run, 'n', { pool: 'rare', route })])
  }
  const claim = (from: Store, name: string) =>
    from.claim(aClaim(name, { pools: ['rare'], now: systemClock.now() }))
  await accept(store, work('first'))
  expect((await claim(other, 'b')).claimed).toHaveLength(1)
  const parts = await partsOn(server)
  const target = { storeId: storeId('s'), clock: systemClock, ...parts }
  expect(await pruneShapes(target)).toBe(0)
  expect(await pruneShapes(target, 0)).toBe(1)
  expect(await server.admin.hlen('sagasmith:{p0}:shapes')).toBe(0)
  // This one has fetched, and so known it.
  await accept(other, work('second'))
  const { store: newcomer } = await aStore(server, null)
  expect((await claim(newcomer, 'c')).claimed).toHaveLength(1)
  expect(other.info.epochs[0]).toBe(2)
  await verifyHistory(store)
})
