/** Removing what is finished: never more than that, and the chain stays checkable. */

import { describe, expect, test } from 'vitest'
import { startIdOf } from '../../src-engine/model/effect.ts'
import { runId } from '../../src-engine/model/ids.ts'
import type { RunRecord } from '../../src-engine/model/run.ts'
import type { PruneRequest } from '../../src-engine/store/pruning.ts'
import type { StoreSubject } from './scene.ts'
import { accept, allEvents, theRun, useScene } from './scene.ts'
import { anInvocation, aRun, movingRun, start, starting } from './story.ts'

export function pruneSuite(subject: StoreSubject): void {
  describe('pruning', () => {
    const scene = useScene(subject, true)
    const finished = async (name: string, endedAt: number, set: Partial<RunRecord> = {}) => {
      const run = aRun({ name, ...set })
      await accept(scene.store, starting(run, [anInvocation(run, 'n')]))
      const record = await theRun(scene.store, run.id)
      await accept(scene.store, movingRun(record, 'CANCELLED', { finishedAt: start + endedAt }))
    }
    const prune = (set: Partial<PruneRequest> = {}) =>
      scene.store.prune({
        partition: 0,
        endedBefore: null,
        keep: null,
        blobsBefore: null,
        limit: 100,
        ...set,
      })
    const left = async () =>
      (
        await scene.other.list(0, 'runs', {
          filter: { statuses: null, workflowId: null, includeCore: true },
          page: { after: null, limit: 99 },
        })
      ).map(({ id }) => id)

    test('what ended before an instant goes with its events; the rest stays and goes on [P13]', async () => {
      await finished('old', 1)
      await accept(scene.store, starting(aRun({ name: 'open' })))
      await finished('older', 0)
      await finished('new', 9)
      await scene.other.load(0, 'invocations', { runId: runId('old') })
      expect(await prune({ endedBefore: start + 5 })).toEqual({ runs: 2, blobs: 0, more: false })
      expect(await left()).toEqual(['new', 'open'])
      const counts = await scene.other.load(0, 'runCounts', { workflowId: null, includeCore: true })
      expect([...counts.values()]).toEqual([1, 1])
      const events = await allEvents(scene.other, { pageSize: 2 })
      expect(new Set(events.map((event) => event.runId))).toEqual(new Set(['open', 'new']))
      expect(await scene.other.load(0, 'run', { runId: runId('old') })).toBeNull()
      expect(await scene.other.load(0, 'invocations', { runId: runId('old') })).toEqual([])
      await accept(scene.other, starting(aRun({ name: 'later' })))
    })

    test('the newest ones are kept by count, oldest end first, a few at a time', async () => {
      for (const index of [3, 1, 2, 0]) await finished(`r${index}`, index)
      expect(await prune({ keep: 1, limit: 2 })).toEqual({ runs: 2, blobs: 0, more: true })
      expect(await left()).toEqual(['r2', 'r3'])
      expect(await prune({ keep: 1 })).toMatchObject({ runs: 1, more: false })
      expect(await left()).toEqual(['r3'])
      expect(await prune({ keep: 0 })).toMatchObject({ runs: 1 })
      expect(await allEvents(scene.store)).toEqual([])
      await accept(scene.store, starting(aRun({ name: 'next' })))
      expect((await allEvents(scene.store))[0]?.seq).toBe(17)
    })

    test('what an open run names stays until that ends [P13] [G18]', async () => {
      await finished('origin', 0)
      const rerun = aRun({ name: 'rerun', origin: { kind: 'rerun', runId: runId('origin'), nodeId: null } })
      await accept(scene.store, starting(rerun))
      await finished('child', 0, { parentRunId: rerun.id })
      expect(await prune({ keep: 0 })).toMatchObject({ runs: 0, more: false })
      await accept(scene.store, movingRun(await theRun(scene.store, rerun.id), 'CANCELLED'))
      expect(await prune({ keep: 0 })).toMatchObject({ runs: 3 })
    })

    test('a run stays while the effect that starts it waits, which would start it anew', async () => {
      await finished('started', 0)
      const waiting = { id: startIdOf(runId('started')), kind: 'run.start', body: {}, dueAt: start }
      const other = starting(aRun({ name: 'other' }))
      await accept(scene.store, { ...other, writes: { ...other.writes, outbox: [waiting] } })
      await accept(scene.store, movingRun(await theRun(scene.store, runId('other')), 'CANCELLED'))
      expect(await prune({ keep: 0 })).toMatchObject({ runs: 1, more: false })
      expect(await left()).toEqual(['started'])
      const last = starting(aRun({ name: 'last' }))
      await accept(scene.store, { ...last, writes: { ...last.writes, delivered: [waiting.id] } })
      expect(await prune({ keep: 0 })).toMatchObject({ runs: 1, more: false })
      expect(await left()).toEqual(['last'])
    })

    test('a blob goes when nothing names it and it is old enough', async () => {
      const bytes = (text: string) => new TextEncoder().encode(text)
      const named = await scene.store.putBlob(bytes('named'))
      const stray = await scene.store.putBlob(bytes('stray'))
      await accept(scene.store, starting(aRun({ input: { kind: 'blob', hash: named, bytes: 5 } })))
      expect(await prune({ blobsBefore: start })).toMatchObject({ blobs: 0 })
      expect(await prune({ blobsBefore: start + 1 })).toMatchObject({ blobs: 1 })
      await expect(scene.other.getBlob(stray)).rejects.toMatchObject({ code: 'blob_missing' })
      expect(Buffer.from(await scene.other.getBlob(named)).toString()).toBe('named')
    })
  })
}
