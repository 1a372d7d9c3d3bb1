/** Pruning a store that is made of partitions: what an open run names stays, whichever partition the two are in. */

import { describe, expect, test } from 'vitest'
import { startIdOf } from '../../src-engine/model/effect.ts'
import { runId } from '../../src-engine/model/ids.ts'
import type { RunRecord } from '../../src-engine/model/run.ts'
import type { PruneRequest } from '../../src-engine/store/pruning.ts'
import type { Store } from '../../src-engine/store/store.ts'
import type { StoreSubject } from './scene.ts'
import { accept, theRun, useScene } from './scene.ts'
import { anInvocation, aRun, movingRun, start, starting } from './story.ts'

const all: PruneRequest = { partition: 0, endedBefore: null, keep: 0, blobsBefore: null, limit: 10 }

async function finish(store: Store, name: string, set: Partial<RunRecord> = {}): Promise<void> {
  const run = aRun({ name, ...set })
  await accept(store, starting(run, [anInvocation(run, 'n')]))
  await accept(store, movingRun(await theRun(store, run.id), 'CANCELLED', { finishedAt: start }))
}

/** A finished run that an open one of another partition repeats, and a finished child of that; gives its end. */
export async function namedAcross(store: Store): Promise<() => Promise<void>> {
  await finish(store, 'origin~p1')
  const open = aRun({ name: 'again~p2', origin: { kind: 'rerun', runId: runId('origin~p1'), nodeId: null } })
  await accept(store, starting(open))
  await finish(store, 'child~p3', { parentRunId: open.id })
  await finish(store, 'stranger~p3')
  return async () => accept(store, movingRun(await theRun(store, open.id), 'CANCELLED'))
}

export function pruneAcrossSuite(subject: StoreSubject): void {
  describe('pruning across partitions', () => {
    const scene = useScene(subject, true)

    test('what an open run of another partition names stays until that ends [P13] [G18]', async () => {
      const { store } = scene
      const end = await namedAcross(store)
      expect(await store.prune(all)).toMatchObject({ runs: 1, more: false })
      expect(await store.load(0, 'run', { runId: runId('stranger~p3') })).toBeNull()
      await end()
      expect(await store.prune(all)).toMatchObject({ runs: 3 })
    })

    test('what an effect in another partition would start anew stays until that is done', async () => {
      const { store } = scene
      await finish(store, 'started~p3')
      const id = startIdOf(runId('started~p3'))
      const parent = starting(aRun({ name: 'parent~p1' }))
      const outbox = [{ id, kind: 'run.start', body: {}, dueAt: start }]
      await accept(store, { ...parent, writes: { ...parent.writes, outbox } })
      const end = movingRun(await theRun(store, runId('parent~p1')), 'CANCELLED')
      await accept(store, end)
      expect(await store.prune(all)).toMatchObject({ runs: 1, more: false })
      expect(await store.load(0, 'run', { runId: runId('started~p3') })).not.toBeNull()
      const later = starting(aRun({ name: 'later~p1' }))
      await accept(store, { ...later, writes: { ...later.writes, delivered: [id] } })
      expect(await store.prune(all)).toMatchObject({ runs: 1 })
    })
  })
}
