import { expect, it } from 'vitest'
import { runId } from '../../../src-engine/model/ids.ts'
import type { RunWaiters } from '../../../src-engine/runtime/run-waiters.ts'
import { createRunWaiters } from '../../../src-engine/runtime/run-waiters.ts'
import type { Store } from '../../../src-engine/store/store.ts'
import { fakeClock } from '../shell/shell-fixtures.ts'

/** A store whose record of a run is told, or refused, when the test says so. */
function slowStore() {
  let hint: (origin: 'here' | 'elsewhere') => void = () => {}
  const asked: { readonly runId: string; readonly refuse: () => void; readonly none: () => void }[] = []
  const store = {
    info: { partitions: [0] },
    watch: (_partition: number, call: typeof hint) => {
      hint = call
      return () => {}
    },
    load: (_partition: number, _kind: string, { runId: id }: { readonly runId: string }) =>
      new Promise((resolve, reject) => {
        asked.push({
          runId: id,
          refuse: () => reject(new Error('The store is closed.')),
          none: () => resolve({ id, status: 'RUNNING' }),
        })
      }),
  }
  return { store: store as unknown as Store, asked, elsewhere: () => hint('elsewhere') }
}

function waitersOf() {
  const told: string[] = []
  const clock = fakeClock()
  const slow = slowStore()
  const log = { debug() {}, info() {}, warn: (event: string) => told.push(event), error() {} }
  const waiters = createRunWaiters({ store: slow.store, partition: 0, clock, log, isUnderWay: () => false })
  return { waiters, clock, told, ...slow }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

it('says nothing of a look that the end of the engine overtook', async () => {
  const { waiters, clock, told, asked, elsewhere } = waitersOf()
  const ends = [runId('r1'), runId('r2')].map((id) => waiters.wait(id).catch((thrown: Error) => thrown.name))
  for (const look of asked.splice(0)) look.none()
  await settled()
  elsewhere()
  clock.advance(100)
  waiters.close()
  asked[0]?.refuse()
  await settled()
  await Promise.all(ends)
  expect(asked).toHaveLength(1)
  expect(told).toEqual([])
})

it('tells of a look that failed while somebody waits, and looks again', async () => {
  const { waiters, clock, told, asked, elsewhere } = waitersOf()
  const end = waiters.wait(runId('r1')).catch(() => {})
  for (const look of asked.splice(0)) look.none()
  await settled()
  elsewhere()
  clock.advance(100)
  asked[0]?.refuse()
  await settled()
  expect(told).toEqual(['wait.failed'])
  clock.advance(100)
  expect(asked).toHaveLength(2)
  waiters.close()
  await end
})

it('asks no more for a run whose end was told meanwhile', async () => {
  const { waiters, clock, asked, elsewhere } = waitersOf()
  const first = waiters.wait(runId('r1')).catch(() => {})
  const second = waiters.wait(runId('r2'))
  for (const look of asked.splice(0)) look.none()
  await settled()
  elsewhere()
  clock.advance(100)
  waiters.committed({ id: runId('r2'), status: 'SUCCEEDED' } as Parameters<typeof waiters.committed>[0])
  asked[0]?.none()
  await settled()
  expect(asked.map((look) => look.runId)).toEqual(['r1'])
  waiters.close()
  await first
  await expect(second).resolves.toMatchObject({ status: 'SUCCEEDED' })
})

it('hears of no commits while this process tells of the ends itself', async () => {
  const clock = fakeClock()
  let watched = 0
  const own = new Set(['r1'])
  const store = {
    info: { partitions: [0] },
    watch: () => {
      watched += 1
      return () => {
        watched -= 1
      }
    },
    load: async (_partition: number, _kind: string, { runId: id }: { readonly runId: string }) => {
      return { id, status: 'RUNNING' }
    },
  } as unknown as Store
  const log = { debug() {}, info() {}, warn() {}, error() {} }
  const isUnderWay = (id: string) => own.has(id)
  const waiters = createRunWaiters({ store, partition: 0, clock, log, isUnderWay })
  const end = waiters.wait(runId('r1'))
  expect(watched).toBe(0)
  // Another process has taken it over.
  own.clear()
  clock.advance(1_000)
  clock.advance(100)
  await settled()
  expect(watched).toBe(1)
  waiters.committed({ id: runId('r1'), status: 'SUCCEEDED' } as Parameters<typeof waiters.committed>[0])
  await end
  expect(watched).toBe(0)
})

const endOf = (id: string) =>
  ({ id: runId(id), status: 'SUCCEEDED' }) as Parameters<RunWaiters['committed']>[0]

it('tells at once, and once, of a run that ended before its start was told', async () => {
  const { waiters, asked } = waitersOf()
  waiters.committed(endOf('r1'))
  expect(await waiters.wait(runId('r1'))).toEqual(endOf('r1'))
  expect(asked).toEqual([])
  const again = waiters.wait(runId('r1')).catch(() => {})
  expect(asked).toHaveLength(1)
  asked[0]?.none()
  waiters.close()
  await again
})

it.each<[string, (scene: ReturnType<typeof waitersOf>) => void]>([
  ['ended longer ago than a look may be old', ({ clock }) => clock.advance(101)],
  ['goes on again', ({ waiters }) => waiters.committed({ ...endOf('r1'), status: 'RUNNING' })],
  [
    'is one of very many',
    ({ waiters }) => {
      for (let other = 0; other < 256; other += 1) waiters.committed(endOf(`other${other}`))
    },
  ],
])('asks the store for a run that %s', async (_why, since) => {
  const scene = waitersOf()
  scene.waiters.committed(endOf('r1'))
  since(scene)
  const waiting = scene.waiters.wait(runId('r1')).catch(() => {})
  expect(scene.asked.map((look) => look.runId)).toEqual(['r1'])
  scene.asked[0]?.none()
  scene.waiters.close()
  await waiting
})
