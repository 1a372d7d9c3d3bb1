/** Replicas that come and go while a store is open. */

import { expect, test } from 'vitest'
import type { FailoverSafety } from '../../../../src-engine/model/failover-safety.ts'
import { watchSafety } from '../../../../src-engine/store/redis/safety-watch.ts'

const infoWith = (replicas: number): string =>
  [
    'role:master',
    `connected_slaves:${replicas}`,
    ...(replicas > 0 ? ['slave0:ip=127.0.0.1,port=7,state=online,offset=5,lag=0'] : []),
    'master_replid:abc',
    'master_repl_offset:5',
  ].join('\r\n')

/** Two masters, whose replicas a test counts. */
function scene(safety: FailoverSafety) {
  const replicas = new Map<string, number | null>([
    ['a:1', 1],
    ['b:1', 1],
  ])
  const timers: (() => void)[] = []
  const told: FailoverSafety[] = []
  const stop = watchSafety({
    router: {
      topology: () => ({
        isCluster: true,
        masters: [...replicas.keys()],
        nodes: [],
        ownerOf: () => null,
      }),
      async askNode(address) {
        const count = replicas.get(address) ?? null
        if (count === null) throw new Error('it is away')
        return infoWith(count)
      },
    },
    clock: {
      now: () => 0,
      after(_, call) {
        timers.push(call)
        return () => timers.splice(timers.indexOf(call), 1)
      },
    },
    safety,
    changed: (now) => told.push(now),
  })
  /** One look, to its end. */
  const look = async (): Promise<void> => {
    const [call] = timers.splice(0, 1)
    call?.()
    await expect.poll(() => timers.length).toBe(1)
  }
  return { replicas, told, look, timers, stop }
}

const safe: FailoverSafety = { mode: 'safe', why: 'replicas', alone: [] }

test('a replica that is lost later is told once, and so is its return; what was asked for stays', async () => {
  const { replicas, told, look } = scene(safe)
  await look()
  expect(told).toEqual([])
  replicas.set('b:1', 0)
  await look()
  await look()
  expect(told).toEqual([{ mode: 'safe', why: 'replicas', alone: ['b:1'] }])
  // Of a master that doesn't answer nothing new is known.
  replicas.set('b:1', null)
  await look()
  replicas.set('b:1', 1)
  await look()
  expect(told.slice(1)).toEqual([safe])
})

test('who asked for fast isn’t told, and nothing is looked at after the end', () => {
  const { timers: none } = scene({ mode: 'fast', why: 'asked', alone: [] })
  expect(none).toEqual([])
  const { timers, stop } = scene(safe)
  stop()
  expect(timers).toEqual([])
})
