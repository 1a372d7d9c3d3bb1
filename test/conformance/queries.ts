/** Loading and listing: what is asked for, and nothing else, page by page. */

import { describe, expect, test } from 'vitest'
import type { DeadLetter } from '../../src-engine/model/checkpoint.ts'
import { definitionHash, invocationId, runId, workflowId } from '../../src-engine/model/ids.ts'
import { atHome } from '../../src-engine/model/partition.ts'
import type { WorkflowVersion } from '../../src-engine/model/workflow-version.ts'
import type { ListQueries, RunFilter } from '../../src-engine/store/store.ts'
import type { StoreSubject } from './scene.ts'
import { accept, theInvocation, theRun, useScene } from './scene.ts'
import {
  aCheckpoint,
  anAttempt,
  anInvocation,
  aRun,
  aRunner,
  byRunner,
  moving,
  movingRun,
  start,
  starting,
} from './story.ts'

const version = (name: string, workflow = 'orders'): WorkflowVersion => {
  return {
    hash: definitionHash(name),
    workflowId: workflowId(workflow),
    title: name,
    document: '{}',
    publishedAt: start,
  }
}

export function querySuite(subject: StoreSubject): void {
  describe('queries', () => {
    const scene = useScene(subject)
    const everything: RunFilter = { statuses: null, workflowId: null, includeCore: false }
    const listRuns = async (after: string | null, limit: number, filter: Partial<RunFilter> = {}) =>
      (
        await scene.other.list(0, 'runs', { filter: { ...everything, ...filter }, page: { after, limit } })
      ).map(({ id }) => id)

    test('what does not exist is null or empty', async () => {
      const none = runId('none')
      expect(await scene.store.load(0, 'run', { runId: none })).toBeNull()
      expect(await scene.store.load(0, 'runByRequest', { requestId: 'none' })).toBeNull()
      expect(await scene.store.load(0, 'invocation', { invocationId: invocationId('none') })).toBeNull()
      expect(await scene.store.load(0, 'invocations', { runId: none })).toEqual([])
      expect(await scene.store.load(0, 'attempts', { runId: none, invocationId: null })).toEqual([])
      expect(await scene.store.load(0, 'workflowVersion', { hash: definitionHash('none') })).toBeNull()
      expect(await scene.store.load(0, 'slotHolders', { key: 'none' })).toEqual([])
      expect(await listRuns('none', 5)).toEqual([])
    })

    test('a run is found by its request id', async () => {
      await accept(scene.store, starting(aRun({ requestId: 'req' })), starting(aRun({ name: 'r2' })))
      expect((await scene.other.load(0, 'runByRequest', { requestId: 'req' }))?.id).toBe('r1')
    })

    test('runs are listed newest first, by page, while more arrive [P12]', async () => {
      await accept(scene.store, ...[1, 2, 3, 4, 5].map((index) => starting(aRun({ name: `n${index}` }))))
      expect(await listRuns(null, 2)).toEqual(['n5', 'n4'])
      await accept(scene.store, starting(aRun({ name: 'n6' })))
      expect(await listRuns('n4', 2)).toEqual(['n3', 'n2'])
      expect(await listRuns('n2', 2)).toEqual(['n1'])
      expect(await listRuns('n1', 2)).toEqual([])
    })

    test('a page goes on behind a run that fits its filter no more', async () => {
      await accept(scene.store, ...['a', 'b', 'c'].map((name) => starting(aRun({ name }))))
      const filter = { statuses: ['RUNNING' as const] }
      expect(await listRuns(null, 2, filter)).toEqual(['c', 'b'])
      await accept(scene.store, movingRun(await theRun(scene.store, runId('b')), 'PAUSED'))
      expect(await listRuns('b', 2, filter)).toEqual(['a'])
    })

    test('who waits for a signal is found by its name, oldest first and by page', async () => {
      const waits = (name: string) =>
        ({ kind: 'signal', name, correlation: null, onTimeout: 'fail' }) as const
      const run = aRun()
      const names = ['paid', 'sent', 'paid', 'paid', 'paid']
      const records = names.map((_, index) =>
        anInvocation(run, `n${index}`, { registeredAt: start + (index === 4 ? -1 : index) }),
      )
      await accept(scene.store, starting(run, records))
      for (const [index, record] of records.entries()) {
        const claimed = { ...record, ...(await theInvocation(scene.store, record.id)) }
        const path = ['PENDING', 'RUNNING', 'WAITING'] as const
        const set = { wait: waits(names[index] ?? '') }
        await accept(scene.store, moving(claimed, path, { actor: byRunner('a'), set }))
      }
      const first = await theInvocation(scene.store, records[0]?.id ?? invocationId(''))
      const waiters = async (name: string, after: string | null = null, limit = 9) => {
        const query = { filter: { name }, page: { after, limit } }
        return (await scene.other.list(0, 'signalWaiters', query)).map(({ nodeId }) => nodeId)
      }
      expect(await waiters('paid')).toEqual(['n4', 'n0', 'n2', 'n3'])
      expect(await waiters('paid', null, 2)).toEqual(['n4', 'n0'])
      expect(await waiters('paid', 'r1/n0', 2)).toEqual(['n2', 'n3'])
      expect(await waiters('sent')).toEqual(['n1'])
      expect(await waiters('')).toEqual([])
      await accept(scene.store, moving(first, ['SUCCESS'], { set: { wait: null } }))
      expect(await waiters('paid')).toEqual(['n4', 'n2', 'n3'])
      // It has its place also when it waits no more.
      expect(await waiters('paid', 'r1/n0')).toEqual(['n2', 'n3'])
    })

    test('a page goes on behind work that is none any more, and behind a register that is gone', async () => {
      const run = aRun()
      const records = ['a', 'b', 'c'].map((name) => anInvocation(run, name))
      await accept(scene.store, starting(run, records))
      const work = async (after: string | null) => {
        const query = {
          filter: { statuses: ['REGISTERED'] as const, pool: null },
          page: { after, limit: 2 },
        }
        return (await scene.other.list(0, 'work', query)).map(({ nodeId }) => nodeId)
      }
      expect(await work(null)).toEqual(['a', 'b'])
      const b = await theInvocation(scene.store, records[1]?.id ?? invocationId(''))
      await accept(scene.store, moving(b, ['CANCELLED']))
      expect(await work('r1/b')).toEqual(['c'])
      const keys = ['k1', 'k2', 'k3']
      const write = (key: string, version: number, value: true | null) =>
        aCheckpoint({
          expect: { invocations: [], registers: [{ key, version }] },
          writes: { registers: [{ key, value }] },
        })
      await accept(scene.store, ...keys.map((key) => write(key, 0, true)))
      await accept(scene.store, write('k2', 1, null))
      const registers = await scene.other.list(0, 'registers', {
        filter: { prefix: 'k' },
        page: { after: 'k2', limit: 9 },
      })
      expect(registers.map(({ key }) => key)).toEqual(['k3'])
    })

    test('runs are filtered by status and workflow [P12] [P14]', async () => {
      await accept(
        scene.store,
        starting(aRun({ name: 'a' })),
        starting(aRun({ name: 'b', workflowId: workflowId('w') })),
      )
      await accept(scene.store, movingRun(await theRun(scene.store, runId('a')), 'PAUSED'))
      const list = (filter: Pick<RunFilter, 'statuses' | 'workflowId'>) =>
        scene.other.list(0, 'runs', {
          filter: { ...filter, includeCore: false },
          page: { after: null, limit: 9 },
        })
      expect(await list({ statuses: ['PAUSED', 'FAILED'], workflowId: null })).toMatchObject([{ id: 'a' }])
      expect(await list({ statuses: null, workflowId: workflowId('w') })).toMatchObject([{ id: 'b' }])
      expect(await list({ statuses: ['PAUSED'], workflowId: workflowId('w') })).toEqual([])
      expect(await list({ statuses: [], workflowId: null })).toEqual([])
    })

    test('runs of a workflow and of statuses are listed by page, whole, among many of others [P12]', async () => {
      const few = workflowId('few')
      const names = Array.from({ length: 24 }, (_, index) => `m${String(index).padStart(2, '0')}`)
      const isFew = (index: number): boolean => index % 4 === 0
      for (const [index, name] of names.entries())
        await accept(scene.store, starting(aRun(isFew(index) ? { name, workflowId: few } : { name })))
      for (const name of ['m04', 'm05', 'm12'])
        await accept(scene.store, movingRun(await theRun(scene.store, runId(name)), 'PAUSED'))
      const walk = async (filter: Partial<RunFilter>): Promise<readonly string[]> => {
        const found: string[] = []
        for (let after: string | null = null; ; ) {
          const page: readonly string[] = await listRuns(after, 2, { workflowId: few, ...filter })
          found.push(...page)
          if (page.length < 2) return found
          after = page.at(-1) ?? null
        }
      }
      expect(await walk({})).toEqual(['m20', 'm16', 'm12', 'm08', 'm04', 'm00'])
      expect(await walk({ statuses: ['RUNNING'] })).toEqual(['m20', 'm16', 'm08', 'm00'])
      expect(await walk({ statuses: ['PAUSED'] })).toEqual(['m12', 'm04'])
      expect(await walk({ statuses: ['PAUSED', 'RUNNING'] })).toHaveLength(6)
      expect(await walk({ statuses: ['FAILED'] })).toEqual([])
      expect(await walk({ workflowId: workflowId('none') })).toEqual([])
    })

    test('runs are counted by status, whatever they went through [P12]', async () => {
      const counts = async (workflow: string | null = null, includeCore = false) =>
        Object.fromEntries(
          await scene.other.load(0, 'runCounts', {
            workflowId: workflow === null ? null : workflowId(workflow),
            includeCore,
          }),
        )
      expect(await counts()).toEqual({})
      await accept(
        scene.store,
        starting(aRun({ name: 'a' })),
        starting(aRun({ name: 'b', workflowId: workflowId('w') })),
        starting(aRun({ name: 'c', workflowId: workflowId('core.recovery') })),
      )
      expect(await counts()).toEqual({ RUNNING: 2 })
      for (const status of ['PAUSED', 'RUNNING', 'CANCELLED'] as const)
        await accept(scene.store, movingRun(await theRun(scene.store, runId('a')), status))
      expect(await counts()).toEqual({ CANCELLED: 1, RUNNING: 1 })
      expect(await counts('w')).toEqual({ RUNNING: 1 })
      expect(await counts('core.recovery')).toEqual({})
      expect(await counts(null, true)).toEqual({ CANCELLED: 1, RUNNING: 2 })
    })

    test('the invocations of a run come in order of registration', async () => {
      const run = aRun()
      await accept(
        scene.store,
        starting(
          run,
          ['z', 'a', 'm'].map((node) => anInvocation(run, node)),
        ),
      )
      await accept(scene.store, moving(anInvocation(run, 'z'), ['WAITING']))
      const records = await scene.other.load(0, 'invocations', { runId: run.id })
      expect(records.map(({ nodeId, status }) => `${nodeId} ${status}`)).toEqual([
        'z WAITING',
        'a REGISTERED',
        'm REGISTERED',
      ])
    })

    test('attempts are told per invocation by number, or for the whole run', async () => {
      const run = aRun()
      const nodes = ['a', 'b'].map((node) => anInvocation(run, node))
      await accept(scene.store, starting(run, nodes))
      for (const number of [1, 2]) {
        for (const { id } of nodes) {
          const actor = byRunner('r')
          await accept(
            scene.store,
            moving(await theInvocation(scene.store, id), ['PENDING', 'RUNNING'], { actor }),
          )
          const record = await theInvocation(scene.store, id)
          const attempt = anAttempt(record, { number, outcome: 'failed' })
          await accept(scene.store, moving(record, ['RETRY'], { actor, attempt }))
        }
      }
      const attempts = async (id: string | null) =>
        (
          await scene.other.load(0, 'attempts', {
            runId: run.id,
            invocationId: id === null ? null : invocationId(id),
          })
        ).map((item) => `${item.invocationId} ${item.number}`)
      expect(await attempts('r1/b')).toEqual(['r1/b 1', 'r1/b 2'])
      expect(await attempts(null)).toEqual(['r1/a 1', 'r1/b 1', 'r1/a 2', 'r1/b 2'])
    })

    test('a workflow version is written once and never changed', async () => {
      const publish = (item: WorkflowVersion) => aCheckpoint({ writes: { workflowVersions: [item] } })
      await accept(scene.store, publish(version('v1')), publish(version('v2', 'other')))
      await accept(scene.store, publish({ ...version('v1'), title: 'changed' }))
      expect(await scene.other.load(0, 'workflowVersion', { hash: definitionHash('v1') })).toEqual(
        version('v1'),
      )
      const list = (workflow: string | null) =>
        scene.other.list(0, 'workflowVersions', {
          filter: { workflowId: workflow === null ? null : workflowId(workflow) },
          page: { after: null, limit: 9 },
        })
      expect(await list(null)).toEqual([version('v2', 'other'), version('v1')])
      expect(await list('orders')).toEqual([version('v1')])
    })

    test('outbox records wait until they are due and delivered', async () => {
      const run = aRun({ name: `r1${atHome}` })
      const item = (id: string, dueAt: number) => ({ id, kind: 'notify', body: { id }, dueAt })
      const started = starting(run)
      await accept(scene.store, {
        ...started,
        writes: { ...started.writes, outbox: [item('a', start), item('b', start + 9), item('c', start)] },
      })
      const due = async (dueBefore: number, after: string | null = null) =>
        (await scene.other.list(0, 'outbox', { filter: { dueBefore }, page: { after, limit: 9 } })).map(
          ({ id }) => id,
        )
      expect(await due(start)).toEqual(['c', 'a'])
      expect(await due(start + 9, 'c')).toEqual(['b', 'a'])
      await accept(scene.store, aCheckpoint({ writes: { delivered: ['a', 'b', 'never'] } }))
      expect(await due(start + 9)).toEqual(['c'])
    })

    test('dead letters are kept, listed by what they say, and settled', async () => {
      const run = aRun({ name: `r1${atHome}` })
      const started = starting(run)
      const letter = (id: string, set: Partial<DeadLetter> = {}): DeadLetter => {
        return {
          id,
          runId: run.id,
          invocationId: null,
          workflowId: workflowId('orders'),
          nodeId: null,
          reason: 'worker_lost',
          message: 'Its runner died five times.',
          lastStatus: 'RUNNING_RECOVERY',
          at: start,
          attempts: 5,
          input: null,
          body: { a: [1] },
          ...set,
        }
      }
      const letters = [
        letter('d1'),
        letter('d2', { reason: 'no_workers' }),
        letter('d3', { runId: null, workflowId: null }),
      ]
      await accept(scene.store, { ...started, writes: { ...started.writes, deadLetters: letters } })
      const ids = async (filter: Partial<ListQueries['deadLetters']['filter']> = {}) =>
        (
          await scene.other.list(0, 'deadLetters', {
            filter: { reason: null, workflowId: null, runId: null, ...filter },
            page: { after: null, limit: 9 },
          })
        ).map(({ id }) => id)
      expect(await ids()).toEqual(['d3', 'd2', 'd1'])
      expect(await ids({ reason: 'worker_lost' })).toEqual(['d3', 'd1'])
      expect(await ids({ workflowId: workflowId('orders') })).toEqual(['d2', 'd1'])
      expect(await ids({ runId: run.id, reason: 'no_workers' })).toEqual(['d2'])
      expect(await scene.other.load(0, 'deadLetter', { id: 'd1' })).toEqual(letter('d1'))
      await accept(scene.store, aCheckpoint({ writes: { settledLetters: ['d1', 'never'] } }))
      expect(await scene.other.load(0, 'deadLetter', { id: 'd1' })).toBeNull()
      expect(await ids()).toEqual(['d3', 'd2'])
    })

    test('runners are listed, newest first, with their latest heartbeat [P24]', async () => {
      for (const [name, heartbeatAt] of [
        ['a', 1],
        ['b', 2],
        ['a', 3],
      ] as const) {
        await scene.store.renew({
          partition: 0,
          runner: aRunner(name, { heartbeatAt }),
          leases: [],
          expiresAt: 9,
        })
      }
      expect(await scene.other.list(0, 'runners', { filter: null, page: { after: null, limit: 9 } })).toEqual(
        [aRunner('b', { heartbeatAt: 2 }), aRunner('a', { heartbeatAt: 3 })],
      )
    })
  })
}
