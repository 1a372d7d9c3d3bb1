/** Several runners on one store: who works on what, what becomes of a runner that goes, and what is told of it. */

import { afterEach, describe, expect, it } from 'vitest'
import type { RunId } from '../../../src-engine/model/ids.ts'
import { runId, runnerId } from '../../../src-engine/model/ids.ts'
import type { InvocationStatus } from '../../../src-engine/model/invocation-status.ts'
import { invocationMachine } from '../../../src-engine/model/invocation-status.ts'
import type { JsonObject } from '../../../src-engine/model/json.ts'
import type { Store } from '../../../src-engine/store/store.ts'
import { aClaim, aRunner, byRecovery, moving } from '../../conformance/story.ts'
import { sceneStores } from '../../simulation/stores.ts'
import { everyEvent } from '../../support/read-events.ts'
import { documentOf, edgesOf } from '../model/workflow-fixture.ts'
import { EnginesScene } from './permits/engines-scene.ts'

const scenes: EnginesScene[] = []
afterEach(async () => {
  for (const { store } of scenes.splice(0)) await store.close()
})

const steps = (...ids: readonly string[]): JsonObject =>
  Object.fromEntries(ids.map((id) => [id, { kind: 'noop' }]))

const one = documentOf({ nodes: steps('a') })

describe.each(Object.entries(sceneStores))('runners on %s', (_name, open) => {
  const scene = async (engines: number, settings = {}, wrap = (store: Store) => store) => {
    const here = new EnginesScene(wrap(await open()))
    scenes.push(here)
    for (let count = 0; count < engines; count += 1) await here.launch(settings)
    return here
  }
  const endAll = async (here: EnginesScene): Promise<void> => {
    for (let turn = 0; turn < 100 && here.atWork.length > 0; turn += 1) {
      await here.end()
      await here.pass(6_000)
    }
  }

  it('the branches of a fork run at the same time on different runners [T1]', async () => {
    const here = await scene(2, { maxConcurrentTasks: 1 })
    const fork = { kind: 'fork', parameters: { branches: [{ title: 'x' }, { title: 'y' }] } }
    const nodes = { fork, ...steps('x', 'y'), join: { kind: 'join' } }
    const edges = edgesOf('fork:branch-1>x', 'fork:branch-2>y', 'x>join', 'y>join')
    const run = await here.start(documentOf({ nodes, edges }))
    await here.pass(6_000)
    expect(new Set(here.atWork.map(({ engine }) => engine))).toEqual(new Set([0, 1]))
    expect(new Set(here.atWork.map(({ nodeId }) => nodeId))).toEqual(new Set(['x', 'y']))
    await endAll(here)
    expect((await here.run(run)).status).toBe('SUCCEEDED')
  })

  it('work that nobody here can do never stands before work that can be done [T11]', async () => {
    const here = await scene(1, { maxConcurrentTasks: 1 })
    const elsewhere = documentOf({ nodes: { a: { kind: 'noop', pool: 'gpu', priority: 'CRITICAL' } } })
    for (let count = 0; count < 40; count += 1) await here.start(elsewhere)
    const run = await here.start(one)
    await here.pass(6_000)
    expect(here.begun).toEqual([run])
    await here.end()
  })

  it('every history is a legal path, and every actor in it is known [P8] [P9]', async () => {
    const here = await scene(3, { maxConcurrentTasks: 2 })
    const retry = { maxAttempts: 3, delayMs: 1_000, jitter: 0 }
    const flaky = documentOf({
      nodes: {
        a: { kind: 'noop', retry },
        b: { kind: 'noop', concurrency: { running: 'TASK', onFull: 'reroute' } },
      },
      edges: edgesOf('a>b'),
    })
    for (let count = 0; count < 6; count += 1) await here.start(flaky, {}, count % 3)
    await here.pass(1_000)
    here.atWork[0]?.end(new Error('try again'))
    await here.pass(2_000)
    here.processes[2]?.die()
    here.atWork.splice(0, here.atWork.length, ...here.atWork.filter(({ engine }) => engine !== 2))
    const cancelled = await here.start(one)
    await here.engines[0]?.cancelRun(cancelled)
    await here.pass(120_000)
    await endAll(here)
    const known = new Set<string>(
      (await here.store.list(0, 'runners', { filter: null, page: { after: null, limit: 99 } })).map(
        ({ id }) => id,
      ),
    )
    const last = new Map<string, InvocationStatus>()
    let moves = 0
    for (const { body, invocationId, actor } of await everyEvent(here.store)) {
      if (actor.id !== null) expect(known).toContain(actor.id)
      else expect(actor.kind).not.toBe('runner')
      if (body.type === 'invocation.registered') last.set(body.invocation.id, 'REGISTERED')
      if (body.type !== 'invocation.changed' || invocationId === null) continue
      expect(body.from).toBe(last.get(invocationId))
      last.set(invocationId, body.to)
      if (body.from === body.to) continue
      moves += 1
      expect(invocationMachine.table.rows[body.from].to).toContain(body.to)
    }
    expect(moves).toBeGreaterThan(40)
    for (const status of last.values()) expect(invocationMachine.final.has(status)).toBe(true)
  })

  it('a process that died on this machine is noticed within two seconds, though its lease is long [P29]', async () => {
    const here = await scene(2, { maxConcurrentTasks: 1, claimTtlMs: 300_000 })
    const run = await here.start(one)
    await here.pass(10)
    const [record] = await here.records(run)
    const owner = here.engines.findIndex(({ runnerId: id }) => id === record?.lease?.runnerId)
    expect(record?.lease?.expiresAt).toBeGreaterThan(here.world.now + 60_000)
    here.processes[owner]?.die()
    await here.pass(2_000)
    expect(await here.history(run)).toContain('RUNNING_RECOVERY')
    expect(here.atWork.some(({ engine, runId: id }) => engine !== owner && id === run)).toBe(true)
  })

  it('work of a worker that died is recovered, although the runner that started it lives [P26]', async () => {
    const here = await scene(1, { maxConcurrentTasks: 1 })
    const parent = here.engines[0]?.runnerId ?? runnerId('')
    await here.start(one)
    await here.pass(10)
    const waiting = await here.start(one)
    const child = aRunner('child', { parentId: parent, heartbeatAt: here.world.now, capabilities: ['noop'] })
    await here.store.renew({ partition: 0, runner: child, leases: [], expiresAt: here.world.now + 30_000 })
    const { claimed } = await here.store.claim(
      aClaim('child', { now: here.world.now, ttlMs: 30_000, capabilities: ['noop'] }),
    )
    expect(claimed.map(({ invocation }) => invocation.runId)).toEqual([waiting])
    await here.pass(20_000)
    expect(await here.statuses(waiting)).toEqual(['PENDING'])
    await here.pass(60_000)
    await here.end()
    await here.pass(6_000)
    expect(await here.history(waiting)).toContain('PENDING_RECOVERY')
    expect(here.begun).toContain(waiting)
    await here.end()
  })

  it('an invocation that moved meanwhile does not stop the recovery of the others [G9] [P28]', async () => {
    let race = async (): Promise<void> => {}
    const raced = (store: Store): Store =>
      new Proxy(store, {
        get: (target, name) => {
          const member: unknown = Reflect.get(target, name)
          if (typeof member !== 'function') return member
          if (name !== 'listExpired') return member.bind(target) as unknown
          return async (...given: readonly unknown[]) => {
            const found = (await Reflect.apply(member, target, given)) as readonly unknown[]
            if (found.length > 0) await race()
            return found
          }
        },
      })
    const here = await scene(2, {}, raced)
    const runs: RunId[] = []
    for (let count = 0; count < 3; count += 1) runs.push(await here.start(one))
    await here.pass(10)
    expect(here.atWork.map(({ engine }) => engine)).toEqual([0, 0, 0])
    race = async () => {
      race = async () => {}
      const [record] = await here.records(runs[1] ?? runId(''))
      if (record === undefined) throw new Error('it is there')
      await here.store.commit(0, [
        moving(record, ['RUNNING_RECOVERY', 'REROUTED'], { actor: byRecovery, at: here.world.now }),
      ])
    }
    here.processes[0]?.die()
    here.atWork.splice(0)
    await here.pass(60_000)
    expect(new Set(here.atWork.map(({ runId }) => runId))).toEqual(new Set(runs))
    await endAll(here)
    for (const run of runs) expect((await here.run(run)).status).toBe('SUCCEEDED')
  })

  it('work in line stands still: it writes nothing however long it waits [G15]', async () => {
    const here = await scene(2)
    const limited = documentOf({
      nodes: { a: { kind: 'noop', concurrency: { running: 'TASK', onFull: 'reroute' } } },
    })
    await here.start(limited)
    await here.pass(10)
    const second = await here.start(limited)
    await here.pass(10_000)
    const before = await here.history(second)
    expect(before).toEqual(['CONCURRENCY_CONTROLLED'])
    await here.pass(80_000)
    expect(await here.history(second)).toEqual(before)
    await endAll(here)
    expect((await here.run(second)).status).toBe('SUCCEEDED')
  })

  it('without a line one of five succeeds, four end for good and give no result [P19]', async () => {
    const here = await scene(1)
    const document = documentOf({ nodes: { a: { kind: 'noop', concurrency: { running: 'TASK' } } } })
    const runs = []
    for (let count = 0; count < 5; count += 1) {
      runs.push(await here.start(document))
      await here.pass(10)
    }
    await here.end()
    await here.pass(10)
    const ends = await Promise.all(runs.map(async (run) => (await here.statuses(run)).join()))
    expect(ends.sort()).toEqual([...Array(4).fill('CONCURRENCY_CONTROLLED_FINAL'), 'SUCCESS'])
    for (const run of runs.slice(1)) {
      expect(await here.run(run)).toMatchObject({ output: null, error: { code: 'concurrency_limit' } })
    }
  })

  it('a task that throws is a failed attempt, and the engine goes on [C20]', async () => {
    const here = await scene(1)
    const run = await here.start(one)
    await here.pass(10)
    await here.end(new TypeError('undefined is not a function'))
    await here.pass(10)
    expect((await here.run(run)).status).toBe('FAILED')
    expect(here.engines[0]?.load()).toMatchObject({ taken: 0, active: 0 })
    const next = await here.start(one)
    await here.pass(10)
    await here.end()
    expect((await here.run(next)).status).toBe('SUCCEEDED')
  })

  it('a runner that stops takes nothing new, hands back what it has, and says that it is gone [C19] [P54] [S45]', async () => {
    const here = await scene(2, { maxConcurrentTasks: 2 })
    const [first, second] = here.engines
    const run = await here.start(one)
    await here.pass(10)
    let ended = false
    const stopped = first?.stop().then(() => {
      ended = true
    })
    await here.pass(10_000)
    expect(ended).toBe(true)
    await stopped
    await first?.stop()
    expect(await here.history(run)).toEqual(expect.arrayContaining(['KILLED', 'REROUTED']))
    expect(here.atWork.map(({ engine }) => engine)).toEqual([1])
    await expect(
      first?.startRun({ document: one, input: {}, requestId: null, baseDirectory: null }),
    ).rejects.toMatchObject({ code: 'engine_stopped' })
    const rows = await here.store.list(0, 'runners', { filter: null, page: { after: null, limit: 9 } })
    const row = rows.find(({ id }) => id === first?.runnerId)
    expect(row?.stoppedAt).not.toBeNull()
    expect(new Set(rows.map(({ process }) => process.pid))).toEqual(new Set([1, 2]))
    await here.end()
    expect(second?.load().taken).toBe(0)
  })

  it('an engine that is stopped before its start never starts [P54]', async () => {
    const here = await scene(0)
    const engine = here.make()
    await engine.stop()
    await engine.start()
    await here.pass(60_000)
    const rows = await here.store.list(0, 'runners', { filter: null, page: { after: null, limit: 9 } })
    expect(rows).toEqual([])
  })

  it('what runs or waits for a person is left alone by who looks after forgotten work [C29]', async () => {
    const here = await scene(1)
    const unsafe = documentOf({ nodes: { a: { kind: 'noop', sideEffect: 'unsafe' } } })
    const waiting = await here.start(unsafe)
    await here.pass(10)
    here.processes[0]?.die()
    here.atWork.splice(0)
    await here.launch()
    const running = await here.start(one, {}, 1)
    await here.pass(10_000)
    expect(await here.statuses(waiting)).toEqual(['APPROVAL_REQUIRED'])
    expect(await here.statuses(running)).toEqual(['RUNNING'])
    const before = [await here.history(waiting), await here.history(running)]
    await here.pass(400_000)
    expect([await here.history(waiting), await here.history(running)]).toEqual(before)
    await here.end()
    expect((await here.run(running)).status).toBe('SUCCEEDED')
    expect(here.begun).toEqual([waiting, running])
  })

  it('work that prefers a runner that has died waits for it no longer than its head start [C43]', async () => {
    const here = await scene(2, { maxConcurrentTasks: 1 })
    const preferred = here.engines[1]?.runnerId ?? ''
    const document = documentOf({ nodes: { a: { kind: 'noop', route: { preferredRunner: preferred } } } })
    here.processes[1]?.die()
    const run = await here.start(document)
    await here.pass(20_000)
    expect(here.atWork).toMatchObject([{ engine: 0, runId: run }])
    await here.end()
  })

  it('a start only stores: what nobody can do yet is done by a runner that comes later [S47]', async () => {
    const here = await scene(1)
    const run = await here.start(documentOf({ nodes: { a: { kind: 'noop', pool: 'later' } } }))
    await here.pass(60_000)
    expect(await here.statuses(run)).toEqual(['REGISTERED'])
    await here.launch({ pools: ['later'] })
    await here.pass(6_000)
    expect(here.atWork.map(({ engine }) => engine)).toEqual([1])
    await here.end()
    expect((await here.run(run)).status).toBe('SUCCEEDED')
  })
})
