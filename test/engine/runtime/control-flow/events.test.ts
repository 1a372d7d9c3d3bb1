/** Events that steps and people emit, with the product's own tasks, on every store. */

import { afterEach, describe, expect, it } from 'vitest'
import { noWrites } from '../../../../src-engine/model/checkpoint.ts'
import { outboxRecordOf } from '../../../../src-engine/model/effect.ts'
import type { RunId } from '../../../../src-engine/model/ids.ts'
import { opId } from '../../../../src-engine/model/ids.ts'
import type { JsonObject, JsonValue } from '../../../../src-engine/model/json.ts'
import { defaultEngineSettings } from '../../../../src-engine/model/settings/engine-settings.ts'
import type { ClusterEvent, ClusterEvents } from '../../../../src-engine/tasks/emit-event/cluster-events.ts'
import { createEmitEventRun } from '../../../../src-engine/tasks/emit-event/run.ts'
import type { TaskRun } from '../../../../src-engine/tasks/task.ts'
import { sceneStores } from '../../../simulation/stores.ts'
import { edgesOf } from '../../model/workflow-fixture.ts'
import { FlowScene } from './flow-scene.ts'

const scenes: FlowScene[] = []
afterEach(async () => {
  for (const scene of scenes.splice(0)) await scene.close()
})

const waiting = (parameters: Record<string, JsonValue> = {}): JsonObject => ({
  kind: 'wait-signal',
  parameters: { name: 'paid', ...parameters },
})
const emitting = (parameters: Record<string, JsonValue> = {}): JsonObject => ({
  kind: 'emit-event',
  parameters: { name: 'paid', ...parameters },
})

describe.each(Object.entries(sceneStores))('events on %s', (_name, open) => {
  const scene = async (): Promise<FlowScene> => {
    const made = new FlowScene(await open())
    scenes.push(made)
    await made.launch()
    return made
  }
  const emit = (here: FlowScene, payload: JsonValue, more: { runId?: RunId; messageId?: string } = {}) =>
    here.within(
      here.engine.emitEvent({
        name: 'paid',
        correlation: null,
        payload,
        messageId: more.messageId ?? null,
        runId: more.runId ?? null,
      }),
    )
  const left = async (here: FlowScene, prefix = 'event-mark:') => {
    const page = { after: null, limit: 100 }
    const outbox = await here.store.list(0, 'outbox', {
      filter: { dueBefore: Number.MAX_SAFE_INTEGER },
      page,
    })
    const marks = await here.store.list(0, 'registers', { filter: { prefix }, page })
    return { outbox: outbox.length, marks: marks.length }
  }

  it('what doesn’t fit the schema of the named run lies among the dead letters, and passes others by', async () => {
    const here = await scene()
    const node = waiting({ check: 'schema', schema: { type: 'number' } })
    const run = await here.start({ nodes: { wait: node } })
    await here.pass(100)
    await emit(here, 'no number')
    await emit(here, 'no number', { runId: run, messageId: 'm' })
    await here.pass(100)
    expect(await here.statuses(run)).toEqual({ wait: 'WAITING' })
    const page = { after: null, limit: 10 }
    const letters = await here.store.list(0, 'deadLetters', {
      filter: { reason: null, workflowId: null, runId: null },
      page,
    })
    expect(letters).toMatchObject([{ id: 'event:m', reason: 'signal_payload_invalid' }])
    expect(await left(here)).toMatchObject({ outbox: 0 })
    await emit(here, 7)
    await here.pass(100)
    expect(await here.outputOf(run)).toBe(7)
  })

  it('reach every run that waits for the name and the correlation, and nobody else', async () => {
    const here = await scene()
    const first = await here.start({ nodes: { wait: waiting({ correlation: 'input.order' }) } }, { order: 7 })
    const second = await here.start({ nodes: { wait: waiting({ correlation: '"7"' }) } })
    const others = [
      await here.start({ nodes: { wait: waiting({ correlation: '8' }) } }),
      await here.start({ nodes: { wait: waiting() } }),
      await here.start({ nodes: { wait: waiting({ name: 'sent', correlation: '7' }) } }),
    ]
    await here.pass(100)
    const emitted = await here.play(
      { nodes: { emit: emitting({ correlation: 'input.order', payload: '{"euro": 5}' }) } },
      { order: 7 },
    )
    expect(await here.outputOf(emitted.id)).toEqual({ order: 7 })
    expect([await here.outputOf(first), await here.outputOf(second)]).toEqual([{ euro: 5 }, { euro: 5 }])
    for (const other of others) expect((await here.run(other)).status).toBe('WAITING')
    expect(await left(here)).toEqual({ outbox: 0, marks: 0 })
  })

  it('a named run keeps one that comes early; a run that has ended is no failure', async () => {
    const here = await scene()
    const delay = { kind: 'delay', parameters: { amount: 3, unit: 'seconds' } }
    const parts = { nodes: { delay, wait: waiting() }, edges: edgesOf('delay>wait') }
    const run = await here.start(parts)
    await here.play({ nodes: { emit: emitting({ run: '{{ input.to }}', payload: '"early"' }) } }, { to: run })
    await emit(here, 'for nobody')
    await here.pass(3_100)
    expect(await here.outputOf(run)).toBe('early')
    const late = await here.play({ nodes: { emit: emitting({ run }) } })
    const unknown = await here.play({ nodes: { emit: emitting({ run: 'run_nobody' }) } })
    expect([late.status, unknown.status]).toEqual(['SUCCEEDED', 'SUCCEEDED'])
    await expect(emit(here, 1, { runId: 'run_nobody' as RunId })).rejects.toMatchObject({
      code: 'run_not_found',
    })
    expect((await left(here)).outbox).toBe(0)
  })

  it('a message from outside counts once, for as long as its mark is kept [C49]', async () => {
    const here = await scene()
    const run = await here.start({ nodes: { a: waiting(), b: waiting() }, edges: edgesOf('a>b') })
    await here.pass(100)
    expect(await emit(here, 1, { messageId: 'm' })).toEqual({ messageId: 'm', outcome: 'accepted' })
    await here.pass(100)
    expect(await emit(here, 1, { messageId: 'm' })).toEqual({ messageId: 'm', outcome: 'repeated' })
    expect(await here.statuses(run)).toEqual({ a: 'SUCCESS', b: 'WAITING' })
    expect((await left(here)).marks).toBe(1)
    await here.pass(defaultEngineSettings.messageMarkTtlMs - 60_000)
    expect((await left(here)).marks).toBe(1)
    await here.pass(120_000)
    expect((await left(here)).marks).toBe(0)
  })

  it('a retried or recovered step emits once', async () => {
    const here = await scene()
    const waiter = await here.start({ nodes: { a: waiting(), b: waiting() }, edges: edgesOf('a>b') })
    await here.pass(100)
    await here.play({
      nodes: { emit: emitting({ messageId: 'one' }), again: emitting({ messageId: 'one' }) },
    })
    expect(await here.statuses(waiter)).toEqual({ a: 'SUCCESS', b: 'WAITING' })
  })

  const crashes = [
    'attempt.before-commit',
    'attempt.after-commit',
    'effect.before-delivery',
    'effect.after-delivery',
    'effect.delivered',
  ] as const
  it('a step that tells a cluster and dies before that is recorded tells it again under the same id', async () => {
    const here = new FlowScene(await open())
    scenes.push(here)
    const told: ClusterEvent[] = []
    const clusterEvents: ClusterEvents = async (event) => {
      told.push(event)
      return told.length === 1 ? 'accepted' : 'repeated'
    }
    here.instead.set('emit-event', createEmitEventRun({ clusterEvents }) as TaskRun<unknown>)
    await here.launch({ name: 'attempt.effect-done', nth: 1 })
    const run = await here.start({ nodes: { emit: emitting({ cluster: 'plant' }) } }, { order: 7 })
    await here.pass(1_000)
    expect(here.isDead).toBe(true)
    await here.launch()
    await here.pass(60_000)
    expect((await here.run(run)).status).toBe('SUCCEEDED')
    const ids = () => told.map(({ messageId }) => messageId)
    expect(ids()).toEqual([told[0]?.messageId, told[0]?.messageId])
    // Another run's is another one.
    await here.play({ nodes: { emit: emitting({ cluster: 'plant' }) } }, { order: 8 })
    expect(new Set(ids()).size).toBe(2)
  })

  it('left by a crash are all told at the next start, however many they are', async () => {
    const here = new FlowScene(await open())
    scenes.push(here)
    const at = here.world.now
    const outbox = Array.from({ length: 450 }, (_, index) => {
      const messageId = `m${index}`
      const payload = { kind: 'inline', json: 'null' } as const
      const event = { messageId, name: 'left', correlation: null, payload, runId: null, at, source: null }
      return outboxRecordOf(`event:${messageId}`, { kind: 'event.emitted', event }, at)
    })
    const [answer] = await here.store.commit(0, [
      {
        partition: 0,
        opId: opId('left'),
        actor: { kind: 'operator', id: null },
        at,
        expect: { invocations: [], registers: [{ key: 'left', version: 0 }] },
        writes: { ...noWrites, registers: [{ key: 'left', value: true }], outbox },
        events: [],
      },
    ])
    expect(answer).toEqual({ kind: 'accepted' })
    await here.launch()
    await here.pass(1_000)
    expect((await left(here)).outbox).toBe(0)
  })

  it.each(crashes)('killed at %s, each event arrives, and once', async (name) => {
    for (let nth = 1; nth <= 4; nth += 1) {
      const here = new FlowScene(await open())
      scenes.push(here)
      await here.launch({ name, nth })
      const waiters = { nodes: { a: waiting(), b: waiting() }, edges: edgesOf('a>b') }
      const delay = { kind: 'delay', parameters: { amount: 100, unit: 'milliseconds' } }
      const all = {
        nodes: { ...waiters.nodes, delay, emit: emitting({ payload: '"once"' }) },
        edges: edgesOf('a>b', 'delay>emit'),
      }
      await Promise.race([here.start(all).catch(() => null), here.pass(1_000)])
      await here.pass(500)
      await here.launch()
      await here.pass(1_000)
      const [run] = await here.store.list(0, 'runs', {
        filter: { statuses: null, workflowId: null, includeCore: false },
        page: { after: null, limit: 1 },
      })
      expect(run, `${name}@${nth}`).toBeDefined()
      if (run === undefined) continue
      const statuses = await here.statuses(run.id)
      expect([name, nth, statuses]).toEqual([
        name,
        nth,
        { a: 'SUCCESS', b: 'WAITING', delay: 'SUCCESS', emit: 'SUCCESS' },
      ])
      expect((await left(here)).outbox).toBe(0)
    }
  })
})
