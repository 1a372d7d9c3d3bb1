/** Permits with claims, routes, fetching, and who waits for what. */

import { describe, expect, test } from 'vitest'
import { runnerId, workflowId } from '../../src-engine/model/ids.ts'
import type { InvocationRecord, Permit, PermitPlan, Route } from '../../src-engine/model/invocation.ts'
import type { FetchRequest } from '../../src-engine/store/store.ts'
import type { StoreSubject } from './scene.ts'
import { accept, theInvocation, useScene } from './scene.ts'
import { aClaim, anInvocation, aRun, byRecovery, moving, start, starting } from './story.ts'

const run = aRun()
const permit = (key: string, limit = 1, windowMs: number | null = null): Permit => ({ key, limit, windowMs })
const plan = (permits: readonly Permit[], set: Partial<PermitPlan> = {}): PermitPlan => {
  return { permits, resolved: true, blockedSince: null, blockedBy: null, ...set }
}
const route = (set: Partial<Route>): Route => {
  return { pools: ['default'], labels: [], requires: [], preferredRunner: null, preferredUntil: null, ...set }
}

export function permitSuite(subject: StoreSubject): void {
  describe('permits and routes', () => {
    const scene = useScene(subject)
    const begin = (...records: readonly InvocationRecord[]) => accept(scene.store, starting(run, records))
    const claim = async (set: Parameters<typeof aClaim>[1] = {}, name = 'a') => {
      const { claimed, blocked } = await scene.store.claim(aClaim(name, set))
      return {
        claimed: claimed.map(({ invocation }) => invocation.nodeId),
        blocked: blocked.map(
          ({ invocation, key, holders }) => `${invocation.nodeId} ${key} ${holders.join()}`,
        ),
      }
    }
    const fetched = async (set: Partial<FetchRequest> = {}) =>
      (await scene.other.fetch(aClaim('a', set))).map(({ nodeId }) => nodeId)

    test('within one batch no more are claimed than have permits, and nothing behind is held up [T11] [G3]', async () => {
      const permits = plan([permit('node:n', 2)])
      await begin(
        ...['a', 'b', 'c'].map((node) => anInvocation(run, node, { permits })),
        anInvocation(run, 'd'),
      )
      expect(await claim({ limit: 3 })).toEqual({
        claimed: ['a', 'b', 'd'],
        blocked: ['c node:n r1/a,r1/b'],
      })
      const holders = await scene.other.load(0, 'slotHolders', { key: 'node:n' })
      expect(holders).toEqual(
        ['r1/a', 'r1/b'].map((holder) => ({ key: 'node:n', holder, limit: 2, expiresAt: null })),
      )
      expect(await theInvocation(scene.store, anInvocation(run, 'c').id)).toMatchObject({ version: 1 })
    })

    test('a claim adds the permits of its pool and its tenant, with the limits of that moment', async () => {
      await begin(...['a', 'b', 'c'].map((node) => anInvocation(run, node)))
      const limits = { pools: { default: 2 }, tenants: { [run.tenant]: 1 }, otherTenants: 5 }
      expect(await claim({ limit: 3, limits })).toEqual({
        claimed: ['a'],
        blocked: ['b tenant:local r1/a', 'c tenant:local r1/a'],
      })
      expect((await theInvocation(scene.store, anInvocation(run, 'a').id)).permits).toEqual(
        plan([permit('pool:default', 2), permit('tenant:local', 1)]),
      )
      const raised = { ...limits, tenants: { [run.tenant]: null } }
      expect(await claim({ limit: 3, limits: raised })).toEqual({
        claimed: ['b'],
        blocked: ['c pool:default r1/a,r1/b'],
      })
      expect(await claim({ limit: 3, limits: null })).toEqual({ claimed: ['c'], blocked: [] })
      expect((await theInvocation(scene.store, anInvocation(run, 'c').id)).permits).toBeNull()
    })

    test('a claim tells what a blocked one was asked for', async () => {
      const own = plan([permit('node:n', 3)])
      await begin(anInvocation(run, 'a', { permits: own }), anInvocation(run, 'b', { permits: own }))
      const limits = { pools: { default: 1 }, tenants: {}, otherTenants: null }
      const { blocked } = await scene.store.claim(aClaim('a', { limit: 2, limits }))
      expect(blocked.map((one) => one.plan)).toEqual([plan([permit('node:n', 3), permit('pool:default', 1)])])
      const holders = await scene.other.load(0, 'slotHolders', { key: 'pool:default' })
      expect(holders.map(({ holder }) => holder)).toEqual(['r1/a'])
    })

    test('the pool of a claim is the first of the route that its runner works for', async () => {
      const pools = { route: route({ pools: ['gpu', 'default'] }) }
      await begin(anInvocation(run, 'a', pools), anInvocation(run, 'b', pools))
      const limits = { pools: { gpu: 1, default: 1 }, tenants: {}, otherTenants: null }
      expect(await claim({ limit: 2, limits, pools: ['default'] })).toEqual({
        claimed: ['a'],
        blocked: ['b pool:default r1/a'],
      })
      expect(await claim({ limit: 2, limits, pools: ['default', 'gpu'] })).toEqual({
        claimed: ['b'],
        blocked: [],
      })
    })

    test('no limit of a pool or a tenant holds up the engine’s own work', async () => {
      const own = aRun({ name: 'core', workflowId: workflowId('core.recovery') })
      await accept(scene.store, starting(own, [anInvocation(own, 'a'), anInvocation(own, 'b')]))
      const limits = { pools: { default: 1 }, tenants: {}, otherTenants: 1 }
      expect(await claim({ limit: 2, limits })).toEqual({ claimed: ['a', 'b'], blocked: [] })
    })

    test('all of the permits or none', async () => {
      await begin(
        anInvocation(run, 'a', { permits: plan([permit('y')]) }),
        anInvocation(run, 'b', { permits: plan([permit('x'), permit('y')]) }),
      )
      expect(await claim()).toEqual({ claimed: ['a'], blocked: ['b y r1/a'] })
      expect(await scene.store.load(0, 'slotHolders', { key: 'x' })).toEqual([])
    })

    test('concurrent claims share the permits', async () => {
      const permits = plan([permit('k', 3)])
      await begin(...Array.from({ length: 9 }, (_, index) => anInvocation(run, `n${index}`, { permits })))
      const answers = await Promise.all([
        scene.store.claim(aClaim('a')),
        scene.other.claim(aClaim('b')),
        scene.other.claim(aClaim('c')),
      ])
      expect(answers.flatMap(({ claimed }) => claimed)).toHaveLength(3)
    })

    test('a permit that the same invocation holds already is free', async () => {
      const permits = plan([permit('k')])
      await begin(anInvocation(run, 'a', { permits }))
      const { claimed } = await scene.store.claim(aClaim('a'))
      for (const { invocation } of claimed) {
        await accept(scene.store, moving(invocation, ['PENDING_RECOVERY', 'REROUTED'], { actor: byRecovery }))
      }
      expect((await claim()).claimed).toEqual(['a'])
    })

    test('a rate limit counts starts until they are older than its window', async () => {
      const permits = plan([permit('rate:k', 1, 1_000)])
      await begin(...['a', 'b'].map((node) => anInvocation(run, node, { permits })))
      expect(await claim()).toEqual({ claimed: ['a'], blocked: ['b rate:k r1/a:1'] })
      expect((await claim({ now: start + 999 })).claimed).toEqual([])
      expect((await claim({ now: start + 1_000 })).claimed).toEqual(['b'])
      const held = { key: 'rate:k', holder: 'r1/b:1', limit: 1, expiresAt: start + 2_000 }
      expect(await scene.other.load(0, 'slotHolders', { key: 'rate:k' })).toEqual([held])
    })

    test('what waits for a permit is listed most urgent and longest waiting first', async () => {
      const waiting = (node: string, since: number, set: Partial<InvocationRecord> = {}) =>
        anInvocation(run, node, {
          permits: plan([permit('k')], { blockedBy: 'k', blockedSince: start + since }),
          ...set,
        })
      const records = [waiting('late', 9), waiting('early', 1), waiting('high', 99, { priority: 'HIGH' })]
      await begin(...records)
      for (const record of records) await accept(scene.store, moving(record, ['CONCURRENCY_CONTROLLED']))
      const queued = aRun({ name: 'queued', permits: plan([permit('k')], { blockedBy: 'k' }) })
      const created = starting(queued)
      await accept(scene.store, {
        ...created,
        writes: { ...created.writes, run: queued },
        events: created.events.slice(0, 1),
      })
      expect((await claim({ now: start + 500 })).claimed).toEqual([])
      const { invocations, runs } = await scene.other.load(0, 'permitWaiters', { key: 'k', limit: 2 })
      expect(invocations.map(({ nodeId }) => nodeId)).toEqual(['high', 'early'])
      expect(runs.map(({ id }) => id)).toEqual(['queued'])
      const list = (prefix: string) =>
        scene.other.list(0, 'permits', { filter: { prefix }, page: { after: null, limit: 9 } })
      expect(await list('')).toEqual([{ key: 'k', holders: [], waiting: 4 }])
      expect(await list('x')).toEqual([])
      const work = await scene.other.list(0, 'work', {
        filter: { statuses: ['CONCURRENCY_CONTROLLED'], pool: 'default' },
        page: { after: 'r1/early', limit: 9 },
      })
      expect(work.map(({ nodeId }) => nodeId)).toEqual(['high', 'late'])
    })

    test('of a line of runs the head is loaded: more urgent, then longer waiting, then by id', async () => {
      const inLine = [
        { name: 'low', priority: 'LOW', since: 1 },
        { name: 'b', priority: 'NORMAL', since: 7 },
        { name: 'a', priority: 'NORMAL', since: 7 },
        { name: 'early', priority: 'NORMAL', since: 2 },
        { name: 'high', priority: 'HIGH', since: 9 },
        { name: 'critical', priority: 'CRITICAL', since: 9 },
        { name: 'least', priority: 'MINIMAL', since: 0 },
      ] as const
      for (const { name, priority, since } of inLine) {
        const permits = plan([permit('k')], { blockedBy: 'k', blockedSince: since })
        const queued = aRun({ name, priority, permits })
        const created = starting(queued)
        const writes = { ...created.writes, run: queued }
        await accept(scene.store, { ...created, writes, events: created.events.slice(0, 1) })
      }
      const head = async (limit: number) => {
        const { runs } = await scene.other.load(0, 'permitWaiters', { key: 'k', limit })
        return runs.map(({ id }) => id)
      }
      expect(await head(3)).toEqual(['critical', 'high', 'early'])
      expect(await head(9)).toEqual(['critical', 'high', 'early', 'a', 'b', 'low', 'least'])
    })

    test('fetching reserves nothing, and a claim takes what is still there', async () => {
      await begin(...['a', 'b', 'c'].map((node) => anInvocation(run, node)))
      expect(await fetched({ limit: 2 })).toEqual(['a', 'b'])
      expect(await fetched({ limit: 2 })).toEqual(['a', 'b'])
      const invocationIds = (await scene.other.fetch(aClaim('a', { limit: 2 }))).map(({ id }) => id)
      expect((await claim({ limit: 1 }, 'faster')).claimed).toEqual(['a'])
      expect((await claim({ invocationIds })).claimed).toEqual(['b'])
      expect((await claim({ invocationIds })).claimed).toEqual([])
      expect(await fetched()).toEqual(['c'])
    })

    test('a route names pools, labels and abilities, and all must fit [S39]', async () => {
      await begin(
        anInvocation(run, 'pool', { route: route({ pools: ['gpu', 'big'] }) }),
        anInvocation(run, 'label', { route: route({ labels: ['zone=eu', 'disk=ssd'] }) }),
        anInvocation(run, 'ability', { route: route({ requires: ['cuda'] }) }),
      )
      expect(await fetched()).toEqual([])
      expect(await fetched({ pools: ['big'] })).toEqual(['pool'])
      expect(await fetched({ labels: ['zone=eu'] })).toEqual([])
      expect(await fetched({ labels: ['zone=eu', 'disk=ssd', 'x=y'] })).toEqual(['label'])
      expect(await fetched({ capabilities: ['log', 'cuda'] })).toEqual(['ability'])
    })

    test('a runner with tags takes work whose tags are all its own, one without takes all [S39]', async () => {
      await begin(
        anInvocation(run, 'none'),
        anInvocation(run, 'one', { route: route({ tags: ['eu'] }) }),
        anInvocation(run, 'two', { route: route({ tags: ['eu', 'fast'] }) }),
        anInvocation(run, 'other', { route: route({ tags: ['us'] }) }),
      )
      expect(await fetched()).toEqual(['none', 'one', 'other', 'two'])
      expect(await fetched({ tags: [] })).toEqual(['none', 'one', 'other', 'two'])
      expect(await fetched({ tags: ['eu'] })).toEqual(['none', 'one'])
      expect(await fetched({ tags: ['fast', 'x', 'eu'] })).toEqual(['none', 'one', 'two'])
      expect(await fetched({ tags: ['x'] })).toEqual(['none'])
      expect((await claim({ tags: ['us'] })).claimed).toEqual(['none', 'other'])
    })

    test('work without a pool is nobody’s', async () => {
      await begin(anInvocation(run, 'n', { route: route({ pools: [] }) }))
      expect(await fetched()).toEqual([])
    })

    test('the preferred runner has a head start, and its end is news [C42] [C43]', async () => {
      const head = route({ preferredRunner: runnerId('b'), preferredUntil: start + 5 })
      await begin(anInvocation(run, 'n', { route: head }))
      expect(await fetched({ runnerId: runnerId('b') })).toEqual(['n'])
      expect(await fetched({ now: start + 4 })).toEqual([])
      expect((await scene.store.listDue({ partition: 0, now: start, limit: 1 })).nextAt).toBe(start + 5)
      expect(await fetched({ now: start + 5 })).toEqual(['n'])
    })

    test('what a runner was the last to fail with comes last to it, and to nobody else', async () => {
      const dispatch = {
        firstClaimedAt: start - 5,
        schedulingAttempts: 0,
        lastFailedRunner: runnerId('a'),
        pauseRequestedAt: null,
        beatAt: null,
      }
      await begin(
        anInvocation(run, 'failed', { dispatch, priority: 'CRITICAL' }),
        anInvocation(run, 'other', { priority: 'LOW' }),
      )
      expect(await fetched()).toEqual(['other', 'failed'])
      expect(await fetched({ runnerId: runnerId('b') })).toEqual(['failed', 'other'])
      const { claimed } = await scene.store.claim(aClaim('b', { limit: 1 }))
      expect(claimed[0]?.invocation.dispatch).toEqual(dispatch)
    })
  })
}
