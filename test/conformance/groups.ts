/** The feed in the groups that a store keeps: the same events in the same order, from any place, without their hashes. */

import { describe, expect, test } from 'vitest'
import type { EngineEvent, PartitionCursor } from '../../src-engine/model/event.ts'
import type { RunId } from '../../src-engine/model/ids.ts'
import type { Store } from '../../src-engine/store/store.ts'
import type { Scene, StoreSubject } from './scene.ts'
import {
  accept,
  allEvents,
  bare,
  groupPage,
  groupsFrom,
  refuse,
  theInvocation,
  theRun,
  useScene,
} from './scene.ts'
import {
  aClaim,
  anAttempt,
  anInvocation,
  aRun,
  byRunner,
  moving,
  movingRun,
  registering,
  starting,
} from './story.ts'

const runs = ['one', 'two', 'three'].map((name) => aRun({ name }))
const [one] = runs as [(typeof runs)[number]]
const step = anInvocation(one, 'n')

/** Three runs, of which one has a step claimed and finished and more steps in one checkpoint; one checkpoint is refused. */
async function story({ store, other }: Scene): Promise<void> {
  await accept(store, starting(one, [step]))
  await accept(other, ...runs.slice(1).map((run) => starting(run)))
  await refuse(store, starting(one))
  await store.claim(aClaim('a'))
  const pending = await theInvocation(store, step.id)
  await accept(store, moving(pending, ['RUNNING'], { actor: byRunner('a') }))
  const running = await theInvocation(other, step.id)
  await accept(other, moving(running, ['SUCCESS'], { actor: byRunner('a'), attempt: anAttempt(running) }))
  await accept(
    store,
    registering(
      await theRun(other, one.id),
      ['x', 'y', 'z'].map((name) => anInvocation(one, name)),
    ),
  )
}

const feedStart = (partition: number): PartitionCursor => ({ partition, epoch: 0, seq: 0 })
const placeOf = ({ partition, epoch, seq }: EngineEvent): PartitionCursor => ({ partition, epoch, seq })

/** Each partition with its events. */
async function* partitionsOf(store: Store): AsyncIterable<readonly [number, readonly EngineEvent[]]> {
  for (const partition of store.info.partitions)
    yield [partition, bare(await allEvents(store, { partition }))]
}

export function groupSuite(subject: StoreSubject): void {
  describe('groups', () => {
    const scene = useScene(subject)

    test('they hold what is read event by event, whoever wrote it', async () => {
      await story(scene)
      for (const store of [scene.store, scene.other]) {
        for await (const [partition, all] of partitionsOf(store))
          expect(await groupsFrom(store, feedStart(partition))).toEqual(all)
      }
    })

    test('the events of a run in one checkpoint are one group', async () => {
      await story(scene)
      const sizes = new Map<string, number[]>()
      for (const partition of scene.other.info.partitions) {
        const { groups } = await groupPage(scene.other, { after: feedStart(partition), limit: 100 })
        for (const { runId, count } of groups)
          sizes.set(String(runId), [...(sizes.get(String(runId)) ?? []), count])
      }
      expect(sizes.get(one.id)).toEqual([3, 1, 1, 1, 3])
      for (const { id } of runs.slice(1)) expect(sizes.get(id)).toEqual([2])
    })

    test('reading goes on after any place, also in the middle of a group', async () => {
      await story(scene)
      for await (const [, all] of partitionsOf(scene.other)) {
        for (const [index, event] of all.entries())
          expect(await groupsFrom(scene.other, placeOf(event))).toEqual(all.slice(index + 1))
      }
    })

    test('pages of any size follow each other without gap or repeat', async () => {
      await story(scene)
      for await (const [partition, all] of partitionsOf(scene.other)) {
        for (let limit = 1; limit <= all.length + 1; limit += 1) {
          expect(await groupsFrom(scene.other, feedStart(partition), { limit })).toEqual(all)
        }
      }
    })

    test('one run’s can be read alone, from any place', async () => {
      await story(scene)
      const ids = runs.map(({ id }): RunId => id)
      for await (const [partition, all] of partitionsOf(scene.other)) {
        for (const runId of ids) {
          const own = all.filter((event) => event.runId === runId)
          for (const limit of [1, 2, 100])
            expect(await groupsFrom(scene.other, feedStart(partition), { limit, runId })).toEqual(own)
          for (const [index, event] of all.entries()) {
            const later = all.slice(index + 1).filter((next) => next.runId === runId)
            expect(await groupsFrom(scene.other, placeOf(event), { limit: 2, runId })).toEqual(later)
          }
        }
      }
    })

    test('who has all of them is given none, and a place from which the next ones are found', async () => {
      await story(scene)
      const ends = new Map<number, PartitionCursor>()
      for await (const [partition, all] of partitionsOf(scene.other)) {
        const last = all.at(-1)
        const after = last === undefined ? feedStart(partition) : placeOf(last)
        const page = await groupPage(scene.other, { after, limit: 10 })
        expect([page.groups, page.isFull]).toEqual([[], false])
        ends.set(partition, page.end)
      }
      await accept(scene.store, starting(aRun({ name: 'four' })))
      await scene.opened.poll()
      const news: EngineEvent[] = []
      for (const [, end] of ends) news.push(...(await groupsFrom(scene.other, end)))
      expect(news.map(({ body }) => body.type)).toEqual(['run.created', 'run.changed'])
    })
  })
}

/** What was removed is in no group either; for a store whose runs may be removed one by one. */
export function prunedGroupSuite(subject: StoreSubject): void {
  describe('groups of removed runs', () => {
    const scene = useScene(subject, true)

    test('they are gone, and the others are found around them', async () => {
      await accept(scene.store, ...runs.map((run) => starting(run)))
      for (const { id } of runs.slice(1))
        await accept(scene.store, movingRun(await theRun(scene.store, id), 'CANCELLED'))
      const request = { endedBefore: null, keep: 0, blobsBefore: null, limit: 10 }
      for (const partition of scene.store.info.partitions) await scene.store.prune({ partition, ...request })
      for await (const [partition, all] of partitionsOf(scene.other)) {
        expect(all.every(({ runId }) => runId === one.id)).toBe(true)
        expect(await groupsFrom(scene.other, feedStart(partition), { limit: 1 })).toEqual(all)
      }
    })
  })
}
