/** Leases: renewed by their owner in one step with its heartbeat, visible to others when they run out. */

import { describe, expect, test } from 'vitest'
import { runnerId } from '../../src-engine/model/ids.ts'
import type { InvocationRecord } from '../../src-engine/model/invocation.ts'
import type { Scene, StoreSubject } from './scene.ts'
import { accept, allEvents, theInvocation, useScene } from './scene.ts'
import {
  aClaim,
  anInvocation,
  aRun,
  aRunner,
  byOperator,
  byRecovery,
  byRunner,
  moving,
  start,
  starting,
} from './story.ts'

const run = aRun()

async function claimed(
  scene: Scene,
  nodes: readonly string[],
  ttlMs = 100,
): Promise<readonly InvocationRecord[]> {
  await accept(
    scene.store,
    starting(
      run,
      nodes.map((node) => anInvocation(run, node)),
    ),
  )
  return (await scene.store.claim(aClaim('a', { ttlMs }))).claimed.map(({ invocation }) => invocation)
}

const leasesOf = (records: readonly InvocationRecord[]) =>
  records.map(({ id, fence }) => ({ invocationId: id, fence: fence ?? { epoch: 0, counter: 0 } }))

export function leaseSuite(subject: StoreSubject): void {
  describe('leases', () => {
    const scene = useScene(subject)
    const renew = (records: readonly InvocationRecord[], expiresAt: number, name = 'a') =>
      scene.store.renew({
        partition: 0,
        runner: aRunner(name, { heartbeatAt: expiresAt }),
        leases: leasesOf(records),
        expiresAt,
      })
    const expired = async (now: number, deadRunners: readonly string[] = []) =>
      (
        await scene.other.listExpired({
          partition: 0,
          now,
          deadRunners: deadRunners.map(runnerId),
          limit: 10,
        })
      ).map(({ nodeId }) => nodeId)

    test('a renewal moves the expiry and the heartbeat, not the version, and writes no event [S36]', async () => {
      const records = await claimed(scene, ['n'])
      const before = await allEvents(scene.store)
      expect(await renew(records, start + 500)).toEqual({ lost: [], cancelRequested: [] })
      const [record] = records
      expect(await theInvocation(scene.other, anInvocation(run, 'n').id)).toEqual({
        ...record,
        lease: { ...record?.lease, expiresAt: start + 500 },
      })
      const page = { after: null, limit: 10 }
      expect(await scene.other.list(0, 'runners', { filter: null, page })).toEqual([
        aRunner('a', { heartbeatAt: start + 500 }),
      ])
      expect(await allEvents(scene.store)).toEqual(before)
    })

    test('what is no longer the runner’s is told as lost [S35]', async () => {
      const [first, second] = await claimed(scene, ['first', 'second'])
      if (first === undefined || second === undefined) throw new Error('Two were claimed.')
      await accept(scene.other, moving(first, ['PENDING_RECOVERY', 'REROUTED'], { actor: byRecovery }))
      expect(await renew([first, second], start + 500)).toMatchObject({ lost: [first.id] })
      await scene.store.claim(aClaim('a'))
      expect(await renew([first], start + 900)).toMatchObject({ lost: [first.id] })
      expect(await renew([second], start + 900, 'b')).toMatchObject({ lost: [second.id] })
    })

    test('a request to cancel is told with the renewal', async () => {
      const [record] = await claimed(scene, ['n'])
      if (record === undefined) throw new Error('One was claimed.')
      await accept(
        scene.other,
        moving(record, ['PENDING'], { actor: byOperator, set: { cancelRequestedAt: 5 } }),
      )
      expect(await renew([record], start + 500)).toEqual({ lost: [], cancelRequested: [record.id] })
    })

    test('the owner’s own checkpoint never shortens what a renewal gave', async () => {
      const [record] = await claimed(scene, ['n'])
      if (record === undefined) throw new Error('One was claimed.')
      await renew([record], start + 500)
      await accept(scene.store, moving(record, ['RUNNING'], { actor: byRunner('a') }))
      expect((await theInvocation(scene.store, record.id)).lease?.expiresAt).toBe(start + 500)
    })

    test('a lease has run out at its expiry, not before [S34]', async () => {
      await claimed(scene, ['n'])
      expect(await expired(start + 99)).toEqual([])
      expect(await expired(start + 100)).toEqual(['n'])
    })

    test('what a dead runner owns is listed at once, longest waiting first', async () => {
      await claimed(scene, ['n', 'm'], 1_000)
      expect(await expired(start, ['b'])).toEqual([])
      expect(await expired(start, ['b', 'a'])).toEqual(['m', 'n'])
    })

    test('nothing is listed once nobody owns it [P27]', async () => {
      const [record] = await claimed(scene, ['n'])
      if (record === undefined) throw new Error('One was claimed.')
      await accept(scene.store, moving(record, ['PENDING_RECOVERY'], { actor: byRecovery }))
      expect(await expired(start + 1_000, ['a'])).toEqual([])
    })
  })
}
