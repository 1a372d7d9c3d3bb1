/** Claiming: who gets what, in which order, exactly once. */

import { describe, expect, test } from 'vitest'
import { definitionHash } from '../../src-engine/model/ids.ts'
import type { StoreSubject } from './scene.ts'
import { accept, everyEvent, refuse, theInvocation, theRun, useScene } from './scene.ts'
import {
  aClaim,
  anInvocation,
  aRun,
  byRecovery,
  byRunner,
  moving,
  movingRun,
  start,
  starting,
} from './story.ts'

const run = aRun()
const noDispatch = {
  firstClaimedAt: null,
  schedulingAttempts: 0,
  lastFailedRunner: null,
  pauseRequestedAt: null,
  beatAt: null,
} as const

export function claimSuite(subject: StoreSubject): void {
  describe('claim', () => {
    const scene = useScene(subject)
    const claimedNodes = async (set: Parameters<typeof aClaim>[1] = {}) =>
      (await scene.store.claim(aClaim('a', set))).claimed.map(({ invocation }) => invocation.nodeId)

    test('work of definitions that a runner doesn’t trust is left to others [C3]', async () => {
      const trusted = definitionHash(`w1_${'a'.repeat(64)}`)
      const own = aRun({ name: 'r2', definitionHash: trusted })
      const [first, second] = [anInvocation(run, 'n'), anInvocation(own, 'm')]
      await accept(scene.store, starting(run, [first]))
      await accept(scene.store, starting(own, [second]))
      const request = { definitions: [trusted] }
      expect(await claimedNodes({ definitions: [] })).toEqual([])
      expect((await scene.store.fetch(aClaim('a', request))).map(({ id }) => id)).toEqual([second.id])
      const offered = { ...request, invocationIds: [first.id, second.id] }
      expect(await claimedNodes(offered)).toEqual(['m'])
      expect(await claimedNodes(request)).toEqual([])
      expect(await claimedNodes({ definitions: null })).toEqual(['n'])
    })

    test('a runner with little room finds what it trusts behind what it doesn’t [C3]', async () => {
      const trusted = definitionHash(`w1_${'a'.repeat(64)}`)
      const own = aRun({ name: 'r2', definitionHash: trusted })
      const many = Array.from({ length: 200 }, (_, index) => anInvocation(run, `n${index}`))
      await accept(scene.store, starting(run, many))
      await accept(scene.store, starting(own, [anInvocation(own, 'z', { registeredAt: start + 1 })]))
      expect(await claimedNodes({ limit: 1, now: start + 1, definitions: [trusted] })).toEqual(['z'])
    })

    test('a claimed invocation is PENDING, owned, fenced, and told by an event', async () => {
      const waiting = anInvocation(run, 'n', { waitReason: { code: 'no_slot', message: 'Waits.' } })
      await accept(scene.store, starting(run, [waiting]))
      const {
        claimed: [claimed],
      } = await scene.store.claim(aClaim('a', { now: start + 5, ttlMs: 1_000 }))
      const fence = { epoch: 1, counter: 1 }
      expect(claimed?.invocation).toEqual({
        ...waiting,
        status: 'PENDING',
        version: 2,
        waitReason: null,
        fence,
        lease: { runnerId: 'a', fence, expiresAt: start + 1_005 },
        dispatch: { ...noDispatch, firstClaimedAt: start + 5 },
      })
      expect(claimed?.run).toEqual(await theRun(scene.store, run.id))
      expect(await theInvocation(scene.store, waiting.id)).toEqual(claimed?.invocation)
      expect((await everyEvent(scene.store)).slice(3)).toMatchObject([
        {
          actor: { kind: 'runner', id: 'a' },
          invocationId: waiting.id,
          at: start + 5,
          body: { from: 'REGISTERED', to: 'PENDING' },
        },
      ])
    })

    test('nothing is claimed twice, whoever asks [P1] [P2] [S34]', async () => {
      const many = Array.from({ length: 30 }, (_, index) => anInvocation(run, `n${index}`))
      await accept(scene.store, starting(run, many))
      const claims = await Promise.all([
        scene.store.claim(aClaim('a')),
        scene.other.claim(aClaim('b')),
        scene.store.claim(aClaim('c')),
        scene.other.claim(aClaim('d', { limit: 30 })),
      ])
      const ids = claims.flatMap(({ claimed }) => claimed).map(({ invocation }) => invocation.id)
      expect(ids).toHaveLength(30)
      expect(new Set(ids).size).toBe(30)
    })

    test('no more than the limit is claimed [P3]', async () => {
      await accept(
        scene.store,
        starting(
          run,
          ['a', 'b', 'c'].map((node) => anInvocation(run, node)),
        ),
      )
      expect(await claimedNodes({ limit: 2 })).toEqual(['a', 'b'])
      expect(await claimedNodes({ limit: 0 })).toEqual([])
    })

    test('more urgent first, then older, then by id [S38] [G21]', async () => {
      await accept(
        scene.store,
        starting(run, [
          anInvocation(run, 'late', { registeredAt: start - 1 }),
          anInvocation(run, 'b', { registeredAt: start - 2 }),
          anInvocation(run, 'a', { registeredAt: start - 2 }),
          anInvocation(run, 'low', { registeredAt: start - 3, priority: 'LOW' }),
          anInvocation(run, 'critical', { priority: 'CRITICAL' }),
        ]),
      )
      expect(await claimedNodes()).toEqual(['critical', 'a', 'b', 'late', 'low'])
    })

    test('waiting makes more urgent: a step of priority per aging span [S38]', async () => {
      await accept(
        scene.store,
        starting(run, [
          anInvocation(run, 'old-low', { registeredAt: start - 1_001, priority: 'LOW' }),
          anInvocation(run, 'new-normal'),
          anInvocation(run, 'old-minimal', { registeredAt: start - 1_999, priority: 'MINIMAL' }),
        ]),
      )
      expect(await claimedNodes({ agingMs: 1_000 })).toEqual(['old-low', 'new-normal', 'old-minimal'])
    })

    test('nothing is claimed before its not-before instant [S37] [C58]', async () => {
      await accept(scene.store, starting(run, [anInvocation(run, 'n', { notBefore: start + 10 })]))
      expect(await claimedNodes({ now: start + 9 })).toEqual([])
      expect(await claimedNodes({ now: start + 10 })).toEqual(['n'])
    })

    test('a runner gets only what its pools and capabilities allow [S39]', async () => {
      await accept(
        scene.store,
        starting(run, [
          anInvocation(run, 'gpu', { pool: 'gpu' }),
          anInvocation(run, 'http', { taskKind: 'http' }),
        ]),
      )
      expect(await claimedNodes()).toEqual([])
      expect(await claimedNodes({ capabilities: [], pools: [] })).toEqual([])
      expect(await claimedNodes({ pools: ['x', 'gpu'] })).toEqual(['gpu'])
      expect(await claimedNodes({ capabilities: ['log', 'http'] })).toEqual(['http'])
    })

    test('nothing of a paused or ended run is claimed [S37]', async () => {
      await accept(scene.store, starting(run, [anInvocation(run, 'n')]))
      await accept(scene.store, movingRun(await theRun(scene.store, run.id), 'PAUSED'))
      expect(await claimedNodes()).toEqual([])
      await accept(scene.store, movingRun(await theRun(scene.store, run.id), 'CANCELLED'))
      expect(await claimedNodes()).toEqual([])
    })

    test.for(['REGISTERED', 'REROUTED', 'RETRY'] as const)('%s is available', async (status) => {
      const record = anInvocation(run, 'n')
      await accept(scene.store, starting(run, [record]))
      if (status === 'RETRY') {
        await accept(scene.store, moving(record, ['PENDING', 'RUNNING', 'RETRY'], { actor: byRunner('x') }))
      }
      if (status === 'REROUTED') await accept(scene.store, moving(record, ['WAITING', 'REROUTED']))
      expect(await claimedNodes()).toEqual(['n'])
    })

    test('each acquisition has a newer fence', async () => {
      await accept(scene.store, starting(run, [anInvocation(run, 'n')]))
      for (const counter of [1, 2, 3]) {
        const {
          claimed: [claimed],
        } = await scene.store.claim(aClaim('a'))
        if (claimed === undefined) throw new Error('An available invocation is claimed.')
        expect(claimed.invocation.fence).toEqual({ epoch: 1, counter })
        const back = moving(claimed.invocation, ['PENDING_RECOVERY', 'REROUTED'], { actor: byRecovery })
        await accept(scene.other, back)
      }
    })

    test('a claim makes the older version of the record stale [P1]', async () => {
      const record = anInvocation(run, 'n')
      await accept(scene.store, starting(run, [record]))
      await scene.other.claim(aClaim('a'))
      expect(await refuse(scene.store, moving(record, ['CANCELLED']))).toMatchObject({ kind: 'lost-race' })
    })
  })
}
