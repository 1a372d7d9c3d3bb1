/** The feed: gap-free, in order, complete, readable from any place. */

import { describe, expect, test } from 'vitest'
import { firstPrevHash } from '../../src-engine/model/event.ts'
import { applyEvents, emptyReplay, replayRun } from '../../src-engine/model/replay.ts'
import { verifyChain } from '../../src-engine/store/event-chain.ts'
import type { Scene, StoreSubject } from './scene.ts'
import { accept, allEvents, commit, theInvocation, useScene } from './scene.ts'
import { aClaim, anAttempt, anInvocation, aRun, byRunner, moving, starting } from './story.ts'

const one = aRun({ name: 'one' })
const two = aRun({ name: 'two' })
const step = anInvocation(one, 'n')

/** Two runs, one step claimed and finished, one checkpoint refused: nine events. */
async function story(scene: Scene): Promise<void> {
  await accept(scene.store, starting(one, [step]))
  await accept(scene.other, starting(two, [anInvocation(two, 'n', { pool: 'elsewhere' })]))
  await commit(scene.store, starting(two))
  await scene.store.claim(aClaim('a'))
  const pending = await theInvocation(scene.store, step.id)
  await accept(scene.store, moving(pending, ['RUNNING'], { actor: byRunner('a') }))
  const running = await theInvocation(scene.other, step.id)
  await accept(
    scene.other,
    moving(running, ['SUCCESS'], { actor: byRunner('a'), attempt: anAttempt(running) }),
  )
}

export function eventSuite(subject: StoreSubject): void {
  describe('events', () => {
    const scene = useScene(subject)
    const read = (
      seq: number,
      set: { readonly until?: number; readonly limit?: number; readonly run?: typeof one } = {},
    ) =>
      scene.other.readEvents({
        after: { partition: 0, epoch: seq === 0 ? 0 : 1, seq },
        runId: set.run?.id ?? null,
        until: set.until ?? null,
        limit: set.limit ?? 100,
      })

    test('sequence numbers have no gap and start at one [S53]', async () => {
      await story(scene)
      expect((await read(0)).map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
      expect((await read(0))[0]?.prevHash).toBe(firstPrevHash)
    })

    test('the end of the feed is known without reading it', async () => {
      expect(await scene.store.load(0, 'feedEnd', {})).toEqual({ partition: 0, epoch: 1, seq: 0 })
      await story(scene)
      expect(await scene.store.load(0, 'feedEnd', {})).toEqual({ partition: 0, epoch: 1, seq: 9 })
      expect(await scene.other.load(0, 'feedEnd', {})).toEqual({ partition: 0, epoch: 1, seq: 9 })
    })

    test('what is read is what was committed, in its place', async () => {
      const checkpoints = [starting(one, [step]), starting(two)]
      await accept(scene.store, ...checkpoints)
      const committed = checkpoints.flatMap(({ opId, at, actor, events }) =>
        events.map((event) => ({ partition: 0, epoch: 1, opId, at, actor, ...event })),
      )
      const read0 = await read(0)
      expect(read0).toMatchObject(committed.map((event, index) => ({ ...event, seq: index + 1 })))
    })

    test('reading goes on after any place, also in the middle of a checkpoint [G20]', async () => {
      await story(scene)
      const all = await read(0)
      for (const event of all) expect(await read(event.seq)).toEqual(all.slice(event.seq))
      expect(await allEvents(scene.store, { pageSize: 2 })).toEqual(all)
    })

    test('until and limit cut the answer', async () => {
      await story(scene)
      expect((await read(2, { until: 4 })).map(({ seq }) => seq)).toEqual([3, 4])
      expect((await read(2, { limit: 1 })).map(({ seq }) => seq)).toEqual([3])
    })

    test('one run’s events can be read alone', async () => {
      await story(scene)
      expect((await read(0, { run: two })).map(({ seq }) => seq)).toEqual([4, 5, 6])
      expect((await read(7, { run: one })).map(({ seq }) => seq)).toEqual([8, 9])
      expect((await read(1, { run: one, limit: 1 })).map(({ seq }) => seq)).toEqual([2])
    })

    test('a changed, missing or swapped event breaks the chain', async () => {
      await story(scene)
      const all = await read(0)
      const verifyIt = (events: typeof all) => verifyChain(events, false, scene.store.info.chain)
      expect(verifyIt(all)).toBeNull()
      expect(verifyIt(all.with(4, { ...all[4]!, at: 1 }))).toBe('event 1/5 was changed')
      expect(verifyIt(all.toSpliced(4, 1))).toBe('event 1/6 does not follow its predecessor')
      expect(verifyIt(all.slice(1))).toBe('event 1/2 does not follow its predecessor')
    })

    test('a run is replayed to any event, and on from there', async () => {
      await story(scene)
      const events = await read(0, { run: one })
      for (const [index] of events.entries()) {
        const before = replayRun(events.slice(0, index))
        const kept = structuredClone(before)
        expect(applyEvents(before, events.slice(index))).toEqual(replayRun(events))
        expect(before).toEqual(kept)
      }
      expect(replayRun([])).toEqual(emptyReplay)
    })
  })
}
