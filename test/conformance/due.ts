/** Due instants: what is listed, and when to look again. */

import { describe, expect, test } from 'vitest'
import type { StoreSubject } from './scene.ts'
import { accept, theRun, useScene } from './scene.ts'
import { anInvocation, aRun, byRunner, moving, movingRun, start, starting } from './story.ts'

export function dueSuite(subject: StoreSubject): void {
  describe('due instants', () => {
    const scene = useScene(subject)
    const dueAt = (now: number, limit = 10) => scene.other.listDue({ partition: 0, now, limit })

    test('an empty store has nothing due', async () => {
      expect(await dueAt(start)).toEqual({ due: [], nextAt: null })
    })

    test('timers and deadlines of runs are due, earliest first; a deadline of a step is its owner’s matter', async () => {
      const run = aRun({ deadlineAt: start + 20 })
      const timer = anInvocation(run, 'timer')
      const owned = anInvocation(run, 'owned')
      await accept(
        scene.store,
        starting(run, [timer, owned]),
        moving(timer, ['WAITING'], { set: { notBefore: start + 30 } }),
        moving(owned, ['PENDING', 'RUNNING'], { actor: byRunner('a'), set: { deadlineAt: start + 10 } }),
      )
      expect(await dueAt(start + 9)).toEqual({ due: [], nextAt: start + 20 })
      expect(await dueAt(start + 20)).toEqual({
        due: [{ kind: 'run-deadline', runId: run.id, dueAt: start + 20 }],
        nextAt: start + 30,
      })
      expect((await dueAt(start + 30)).due.at(-1)).toEqual({
        kind: 'wake',
        runId: run.id,
        invocationId: timer.id,
        dueAt: start + 30,
      })
      expect((await dueAt(start + 30)).nextAt).toBeNull()
    })

    test('what waits for a person is due at its instant, which may move, and is listed in order', async () => {
      const run = aRun()
      const [first, second] = [
        anInvocation(run, 'first'),
        anInvocation(run, 'second', { registeredAt: start + 1 }),
      ]
      await accept(scene.store, starting(run, [second, first]))
      await accept(
        scene.store,
        moving(first, ['APPROVAL_REQUIRED'], { set: { notBefore: start + 10 } }),
        moving(second, ['APPROVAL_REQUIRED']),
      )
      expect(await dueAt(start)).toEqual({ due: [], nextAt: start + 10 })
      const item = { kind: 'wake', runId: run.id, invocationId: first.id }
      expect((await dueAt(start + 10)).due).toEqual([{ ...item, dueAt: start + 10 }])
      const filter = { statuses: ['APPROVAL_REQUIRED'], pool: null } as const
      const waiting = async (after: string | null) =>
        (await scene.other.list(0, 'work', { filter, page: { after, limit: 1 } })).map(({ nodeId }) => nodeId)
      expect(await waiting(null)).toEqual(['first'])
      expect(await waiting(first.id)).toEqual(['second'])
      const asked = await scene.other.load(0, 'invocation', { invocationId: first.id })
      await accept(
        scene.store,
        moving(asked ?? first, ['REROUTED', 'APPROVAL_REQUIRED'], { set: { notBefore: start + 30 } }),
      )
      expect(await dueAt(start + 10)).toEqual({ due: [], nextAt: start + 30 })
      const later = await scene.other.load(0, 'invocation', { invocationId: first.id })
      await accept(scene.store, moving(later ?? first, ['SUCCESS']))
      expect(await dueAt(start + 40)).toEqual({ due: [], nextAt: null })
      expect(await waiting(null)).toEqual(['second'])
    })

    test('who stands in line is due when it gives up, which may move, and keeps its place', async () => {
      const run = aRun()
      const [giving, patient] = [anInvocation(run, 'giving'), anInvocation(run, 'patient')]
      const permits = { permits: [], resolved: true, blockedBy: 'k' }
      const since = (at: number) => ({ ...permits, blockedSince: at })
      await accept(scene.store, starting(run, [patient, giving]))
      await accept(
        scene.store,
        moving(patient, ['CONCURRENCY_CONTROLLED'], { set: { permits: since(start) } }),
        moving(giving, ['CONCURRENCY_CONTROLLED'], {
          set: { permits: since(start + 1), notBefore: start + 10 },
        }),
      )
      const line = async () =>
        (await scene.other.load(0, 'permitWaiters', { key: 'k', limit: 9 })).invocations.map(({ id }) => id)
      expect(await dueAt(start + 9)).toEqual({ due: [], nextAt: start + 10 })
      const item = { kind: 'wake', runId: run.id, invocationId: giving.id }
      expect((await dueAt(start + 10)).due).toEqual([{ ...item, dueAt: start + 10 }])
      expect(await line()).toEqual([patient.id, giving.id])
      const asked = await scene.other.load(0, 'invocation', { invocationId: giving.id })
      await accept(
        scene.store,
        moving(asked ?? giving, ['REROUTED', 'CONCURRENCY_CONTROLLED'], {
          set: { permits: since(start + 1), notBefore: start + 30 },
        }),
      )
      expect(await dueAt(start + 10)).toEqual({ due: [], nextAt: start + 30 })
      const later = await scene.other.load(0, 'invocation', { invocationId: giving.id })
      await accept(scene.store, moving(later ?? giving, ['TIMEOUT']))
      expect(await dueAt(start + 40)).toEqual({ due: [], nextAt: null })
      expect(await line()).toEqual([patient.id])
    })

    test('more than the limit is left over for at once', async () => {
      const run = aRun()
      const timers = ['a', 'b', 'c'].map((node) => anInvocation(run, node))
      await accept(scene.store, starting(run, timers))
      for (const timer of timers)
        await accept(scene.store, moving(timer, ['WAITING'], { set: { notBefore: start + 1 } }))
      const answer = await dueAt(start + 5, 2)
      expect(answer.due.map((item) => (item.kind === 'wake' ? item.invocationId : ''))).toEqual([
        'r1/a',
        'r1/b',
      ])
      expect(answer.nextAt).toBe(start + 1)
    })

    test('a crowd of due timers leaves room for deadlines of runs', async () => {
      const run = aRun({ deadlineAt: start + 50 })
      const timers = Array.from({ length: 9 }, (_, index) => anInvocation(run, `timer${index}`))
      await accept(scene.store, starting(run, timers))
      for (const timer of timers)
        await accept(scene.store, moving(timer, ['WAITING'], { set: { notBefore: start + 10 } }))
      const { due, nextAt } = await dueAt(start + 100, 6)
      expect(due.map(({ kind }) => kind)).toEqual([...Array(5).fill('wake'), 'run-deadline'])
      expect(nextAt).toBe(start + 10)
    })

    test('a backoff is no due item, but an instant at which a claim has news', async () => {
      const run = aRun()
      await accept(scene.store, starting(run, [anInvocation(run, 'n', { notBefore: start + 40 })]))
      expect(await dueAt(start)).toEqual({ due: [], nextAt: start + 40 })
      expect(await dueAt(start + 40)).toEqual({ due: [], nextAt: null })
    })

    test('what ended is no longer due', async () => {
      const run = aRun({ deadlineAt: start + 1 })
      const timer = anInvocation(run, 'n')
      await accept(scene.store, starting(run, [timer]))
      await accept(
        scene.store,
        moving(timer, ['CANCELLED'], { set: { notBefore: start + 1, deadlineAt: start + 1 } }),
      )
      await accept(scene.store, movingRun(await theRun(scene.store, run.id), 'CANCELLED'))
      expect(await dueAt(start + 5)).toEqual({ due: [], nextAt: null })
    })
  })
}
