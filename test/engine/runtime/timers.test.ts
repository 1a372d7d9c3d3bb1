/** Timers: one that is slow to be committed, or can't be, keeps no other waiting. */

import { afterEach, describe, expect, it } from 'vitest'
import type { Checkpoint } from '../../../src-engine/model/checkpoint.ts'
import { SagasmithError } from '../../../src-engine/model/errors.ts'
import type { RunId } from '../../../src-engine/model/ids.ts'
import { second } from '../../../src-engine/model/time.ts'
import type { Store } from '../../../src-engine/store/store.ts'
import { sceneStores } from '../../simulation/stores.ts'
import { eventsOfRun } from '../../support/read-events.ts'
import { edgesOf } from '../model/workflow-fixture.ts'
import { FlowScene } from './control-flow/flow-scene.ts'

const scenes: FlowScene[] = []
afterEach(async () => {
  for (const scene of scenes.splice(0)) await scene.close()
})

const asleepFor = (seconds: number) => ({
  nodes: {
    wait: { kind: 'delay', parameters: { amount: seconds, unit: 'seconds' } },
    after: { kind: 'noop' },
  },
  edges: edgesOf('wait>after'),
})

/** A store that can't write what wakes this run, until told otherwise. */
function failing(store: Store) {
  const failing: { runId: RunId | null } = { runId: null }
  const wakes = ({ actor, expect: { run } }: Checkpoint): boolean =>
    actor.kind === 'timer' && run !== undefined && run.id === failing.runId
  const over: Store = new Proxy(store, {
    get: (target, name) => {
      const found: unknown = Reflect.get(target, name)
      if (name !== 'commit') return typeof found === 'function' ? (found.bind(target) as unknown) : found
      const commit: Store['commit'] = async (partition, checkpoints) => {
        if (checkpoints.some(wakes)) throw new SagasmithError('store_failed')
        return target.commit(partition, checkpoints)
      }
      return commit
    },
  })
  return { over, failing }
}

describe.each(Object.entries(sceneStores))('timers on %s', (_name, open) => {
  it('one that can’t be committed keeps no other waiting, and is fired in the end [C59]', async () => {
    const { over, failing: fault } = failing(await open())
    const here = new FlowScene(over)
    scenes.push(here)
    await here.launch()
    const first = await here.start(asleepFor(60), null)
    const next = await here.start(asleepFor(61), null)
    fault.runId = first
    await here.pass(62 * second)
    expect(await here.statuses(first)).toEqual({ wait: 'WAITING' })
    expect((await here.run(next)).status).toBe('SUCCEEDED')
    fault.runId = null
    await here.pass(10 * second)
    expect((await here.run(first)).status).toBe('SUCCEEDED')
  })

  it('many more than are fired at a time are all fired, one after the other', async () => {
    const here = new FlowScene(await open())
    scenes.push(here)
    await here.launch()
    const runs = await Promise.all(Array.from({ length: 450 }, () => here.start(asleepFor(60), null)))
    await here.pass(65 * second)
    const ended = await Promise.all(runs.map(async (run) => (await here.run(run)).status))
    expect(ended.filter((status) => status !== 'SUCCEEDED')).toEqual([])
  })

  it('what is woken by who stood still since it was due before is an operation of its own', async () => {
    const store = await open()
    const first = new Map<string, number>()
    const late: Store = new Proxy(store, {
      get: (target, name) => {
        const found: unknown = Reflect.get(target, name)
        if (name !== 'listDue') return typeof found === 'function' ? (found.bind(target) as unknown) : found
        const listDue: Store['listDue'] = async (query) => {
          const answer = await target.listDue(query)
          const due = answer.due.map((item) => {
            if (item.kind !== 'wake') return item
            first.set(item.invocationId, first.get(item.invocationId) ?? item.dueAt)
            return { ...item, dueAt: first.get(item.invocationId) ?? item.dueAt }
          })
          return { ...answer, due }
        }
        return listDue
      },
    })
    const here = new FlowScene(late)
    scenes.push(here)
    await here.launch()
    const terms = { onExpiry: 'reject', amount: 2, unit: 'minutes' }
    const urgent = { escalates: true, escalateAmount: 1, escalateUnit: 'minutes', escalateTo: ['bob'] }
    const parameters = { title: 'May it?', ...terms, ...urgent }
    const run = await here.start({ nodes: { ask: { kind: 'approval', parameters } } }, null)
    await here.pass(65 * second)
    here.crash()
    await here.launch()
    await here.pass(65 * second)
    const events = await eventsOfRun(store, run)
    const wakes = events.filter(({ opId }) => opId.startsWith('wake:'))
    expect(new Set(wakes.map(({ opId }) => opId)).size).toBe(2)
    expect((await here.statuses(run))['ask']).not.toBe('APPROVAL_REQUIRED')
  })
})
