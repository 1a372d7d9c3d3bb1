/** Who else is there: heartbeats, snapshots, and what the two make of each other. */

import { describe, expect, it } from 'vitest'
import { noWrites } from '../../../../src-engine/model/checkpoint.ts'
import { opId, runnerId } from '../../../../src-engine/model/ids.ts'
import type { JsonValue } from '../../../../src-engine/model/json.ts'
import type { RunnerRecord } from '../../../../src-engine/model/runner.ts'
import { engineSettings } from '../../../../src-engine/model/settings/engine-settings.ts'
import { second } from '../../../../src-engine/model/time.ts'
import { createLocks } from '../../../../src-engine/runtime/locks/locks.ts'
import {
  createRegistrySnapshot,
  registryKey,
} from '../../../../src-engine/runtime/routing/registry-snapshot.ts'
import { createRunnerBoard } from '../../../../src-engine/runtime/routing/runner-board.ts'
import { createMemoryStore } from '../../../../src-engine/store/memory/memory-store.ts'
import type { Store } from '../../../../src-engine/store/store.ts'
import { SimulatedProcess, World } from '../../../simulation/world.ts'
import type { SettingValues } from '../permits/scene-settings.ts'

const quiet = { debug() {}, info() {}, warn() {}, error() {} }

const rowOf = (id: string, heartbeatAt: number, set: Partial<RunnerRecord> = {}): RunnerRecord => ({
  id: runnerId(id),
  process: { host: 'host', pid: 1, startTime: null, bootId: null },
  startedAt: 0,
  heartbeatAt,
  stoppedAt: null,
  pools: ['default'],
  slots: 4,
  active: 0,
  labels: ['placement.zone=eu'],
  capabilities: ['noop'],
  canRunAtomicService: true,
  parentId: null,
  cpuPercent: null,
  gpuPercent: null,
  drainingSince: null,
  ...set,
})

function createScene(given: SettingValues = {}) {
  const settings = engineSettings(given)
  const world = new World()
  const store = createMemoryStore()
  let ids = 0
  const join = (name: string, reached: Store = store) => {
    const clock = new SimulatedProcess(world, 1).clock()
    const common = { store: reached, partition: 0, runnerId: runnerId(name), clock, log: quiet, settings }
    const locks = createLocks({
      ...common,
      owner: name,
      ids: { next: () => `lock${(ids += 1)}` },
      strikesMax: 3,
      retryDelayMs: 500,
    })
    const board = createRunnerBoard(common)
    const row = (): RunnerRecord => rowOf(name, world.now)
    const snapshot = createRegistrySnapshot({
      ...common,
      locks,
      board,
      row,
      ids: { next: () => `id${(ids += 1)}` },
    })
    return { board, snapshot, beat: (set: Partial<RunnerRecord> = {}) => beat(store, { ...row(), ...set }) }
  }
  const pass = (span: number) => world.run(world.now + span, () => false)
  const names = (rows: readonly RunnerRecord[]) => rows.map(({ id }) => id).sort()
  return { world, store, join, pass, names }
}

const beat = (store: Store, runner: RunnerRecord) =>
  store.renew({ partition: 0, runner, leases: [], expiresAt: 0 })

async function write(store: Store, value: JsonValue): Promise<void> {
  await store.commit(0, [
    {
      partition: 0,
      opId: opId('written'),
      actor: { kind: 'runner', id: 'x' },
      at: 0,
      expect: { invocations: [], registers: [{ key: registryKey, version: 0 }] },
      writes: { ...noWrites, registers: [{ key: registryKey, value }] },
      events: [],
    },
  ])
}

describe('the board of runners', () => {
  it('knows whose heartbeat it hears, and forgets who is silent for 30 s [C45]', async () => {
    const { join, pass, names } = createScene()
    const [a, b] = [join('a'), join('b')]
    await a.beat()
    await b.beat()
    await a.board.refresh()
    expect(names(a.board.others())).toEqual(['b'])
    a.board.start()
    await pass(25 * second)
    expect(names(a.board.others())).toEqual(['b'])
    await b.beat()
    await pass(25 * second)
    expect(names(a.board.others())).toEqual(['b'])
    await pass(10 * second)
    expect(a.board.others()).toEqual([])
    a.board.stop()
  })

  it('registry_entry_ttl: forgets who is silent for so long', async () => {
    const { join, pass, names } = createScene({ registryEntryTtlMs: 120 * second })
    const [a, b] = [join('a'), join('b')]
    await b.beat()
    await a.board.refresh()
    a.board.start()
    await pass(115 * second)
    expect(names(a.board.others())).toEqual(['b'])
    await pass(10 * second)
    expect(a.board.others()).toEqual([])
    a.board.stop()
  })

  it('leaves out who stopped or drains, and counts only its own pools as peers [C44] [C43]', async () => {
    const { join, names, store, world } = createScene()
    const a = join('a')
    await beat(store, rowOf('stopped', world.now, { stoppedAt: world.now }))
    await beat(store, rowOf('drains', world.now, { drainingSince: world.now }))
    await beat(store, rowOf('other', world.now, { pools: ['gpu'] }))
    await beat(store, rowOf('peer', world.now, { pools: ['gpu', 'default'] }))
    await a.board.refresh()
    expect(names(a.board.others())).toEqual(['other', 'peer'])
    expect(names(a.board.peers())).toEqual(['peer'])
  })

  it('tells once that a pool came online, not at each heartbeat [C46]', async () => {
    const { join, pass } = createScene()
    const [a, b] = [join('a'), join('b')]
    const online: string[] = []
    a.board.onOnline((pool) => online.push(pool))
    a.board.start()
    await pass(10 * second)
    expect(online).toEqual([])
    for (let count = 0; count < 4; count += 1) {
      await b.beat({ pools: ['gpu'] })
      await pass(5 * second)
    }
    expect(online).toEqual(['gpu'])
    await pass(60 * second)
    await b.beat({ pools: ['gpu'] })
    await pass(10 * second)
    expect(online).toEqual(['gpu', 'gpu'])
    a.board.stop()
  })
})

describe('the list of runners for who starts', () => {
  it('is written by one of them, and read with labels and pools by a new one [C45] [G28]', async () => {
    const { join, pass, names, store } = createScene()
    const crew = [join('a'), join('b'), join('c')]
    for (const { beat: own, board } of crew) {
      await own()
      await board.refresh()
    }
    for (const { board } of crew) await board.refresh()
    for (const { snapshot } of crew) snapshot.start()
    await pass(16 * second)
    const register = await store.load(0, 'register', { key: registryKey })
    expect(register?.version).toBe(3)
    for (const { snapshot } of crew) snapshot.stop()
    const late = join('late')
    const rows = await late.snapshot.read()
    expect(names(rows)).toEqual(['a', 'b', 'c'])
    expect(rows[0]).toMatchObject({ labels: ['placement.zone=eu'], pools: ['default'] })
    late.board.hydrate(rows)
    expect(names(late.board.others())).toEqual(['a', 'b', 'c'])
  })

  it('loses to a live heartbeat, and is forgotten after 30 s without one [C45]', async () => {
    const { join, pass, names, world } = createScene()
    const [late, b] = [join('late'), join('b')]
    await b.beat({ slots: 9 })
    await late.board.refresh()
    late.board.hydrate([rowOf('b', world.now, { slots: 1 }), rowOf('ghost', world.now)])
    expect(late.board.others().find(({ id }) => id === 'b')?.slots).toBe(9)
    expect(names(late.board.others())).toEqual(['b', 'ghost'])
    late.board.start()
    await pass(20 * second)
    await b.beat()
    await pass(15 * second)
    expect(names(late.board.others())).toEqual(['b'])
    late.board.stop()
  })

  it.for([
    ['a text', 'nonsense'],
    ['rows of another form', { at: 1_000_000, runners: [{ id: 'a' }] }],
    ['a list from long ago', { at: 1_000_000 - 31 * second, runners: [] }],
  ] satisfies [string, JsonValue][])('that is %s is a cold start [C45]', async ([, value]) => {
    const { join, store } = createScene()
    await write(store, value)
    expect(await join('late').snapshot.read()).toEqual([])
  })

  it('holds nobody up for more than 5 s [C45]', async () => {
    const { join, pass, store } = createScene()
    const hanging: Store = { ...store, load: () => new Promise(() => {}) }
    const read = join('late', hanging).snapshot.read()
    await pass(5 * second)
    expect(await read).toEqual([])
  })

  it('is not written where nobody else is', async () => {
    const { join, pass, store } = createScene()
    const a = join('a')
    await a.beat()
    await a.board.refresh()
    a.snapshot.start()
    await pass(30 * second)
    expect(await store.load(0, 'register', { key: registryKey })).toBeNull()
    a.snapshot.stop()
  })

  it('is written in the epoch in which it was looked at', async () => {
    const { join, pass, store } = createScene()
    const epochs: unknown[] = []
    const watched: Store = {
      ...store,
      info: store.info,
      commit: (partition, checkpoints) => {
        for (const { expect: wanted, writes } of checkpoints) {
          if (writes.registers.some(({ key }) => key === registryKey)) epochs.push(wanted.epoch)
        }
        return store.commit(partition, checkpoints)
      },
    }
    const [a, b] = [join('a', watched), join('b')]
    await b.beat()
    await a.board.refresh()
    a.snapshot.start()
    await pass(10 * second)
    a.snapshot.stop()
    expect(new Set(epochs)).toEqual(new Set([store.info.epochs[0]]))
  })
})
