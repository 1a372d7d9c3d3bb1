/** A long run goes in slices, each once, also when an answer is lost in the middle. */

import { expect, test } from 'vitest'
import type { Checkpoint } from '../../src-engine/model/checkpoint.ts'
import { storeId } from '../../src-engine/model/ids.ts'
import type { RunRecord } from '../../src-engine/model/run.ts'
import { systemClock } from '../../src-engine/runtime/system-ports.ts'
import type { Applier } from '../../src-engine/store/redis/apply.ts'
import { pruneRuns } from '../../src-engine/store/redis/prune.ts'
import { commandMsDefault, openAccess } from '../../src-engine/store/redis/redis-options.ts'
import { openRouter } from '../../src-engine/store/redis/router.ts'
import { openHeads } from '../../src-engine/store/redis/sentinel.ts'
import { putTogether } from '../../src-engine/store/redis/store-parts.ts'
import { aServer, aStore, cleanUps } from './journal-scene.ts'
import { accept, theRun } from './scene.ts'
import { aRun, movingRun, start, starting } from './story.ts'

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
  cleanUps.push(stop)
  const [part] = parts
  if (part === undefined) throw new Error('A store has a partition.')
  return { ...part, applier, nextTag }
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
