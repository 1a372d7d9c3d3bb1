/** Waits for several signals, and for signals that must fit a schema: who takes what, and who is refused. */

import { describe, expect, test } from 'vitest'
import { pauseNode, resumeNode } from '../../../src-engine/core/control/pause.ts'
import type { AttemptEnd } from '../../../src-engine/core/finish-attempt.ts'
import { arrivalsOf } from '../../../src-engine/core/node-input.ts'
import { wake } from '../../../src-engine/core/requests.ts'
import { deliverSignal } from '../../../src-engine/core/signals.ts'
import { nodeId } from '../../../src-engine/model/ids.ts'
import type { JsonObject, JsonValue } from '../../../src-engine/model/json.ts'
import { workOf } from '../../../src-engine/runtime/attempt-work.ts'
import { edgesOf } from '../model/workflow-fixture.ts'
import type { Scene } from './run-scene.ts'
import { failed, json, sceneOf, succeeded } from './run-scene.ts'

const large = { kind: 'blob', hash: 'f'.repeat(64), bytes: 50_000 } as never

const send = (
  scene: Scene,
  messageId: string,
  more: { value?: JsonValue; otherwise?: 'keep' | 'drop'; payload?: ReturnType<typeof json> } = {},
) =>
  scene.decide(
    (state, context) => {
      const { value = messageId, otherwise = 'keep', payload = json(value) } = more
      const signal = { messageId, name: 'go', correlation: null, payload, at: scene.now }
      return deliverSignal(state, context, { signal, value, otherwise })
    },
    { actor: 'operator' },
  )

const waits = (count?: number, until: number | null = null): AttemptEnd => ({
  kind: 'awaits',
  wait: {
    kind: 'signal',
    name: 'go',
    correlation: null,
    onTimeout: 'port',
    ...(count === undefined ? {} : { count }),
  },
  until,
  output: json('input'),
})

const waitStep = (parameters: JsonObject = {}) => ({
  kind: 'wait-signal',
  parameters: { name: 'go', ...parameters },
})
const kept = (scene: Scene): readonly string[] => scene.state.run.signals.map(({ messageId }) => messageId)

describe('a step that waits for several signals', () => {
  const waiting = async (parts: JsonObject = {}): Promise<Scene> => {
    const nodes = { a: waitStep({ count: 3 }), b: { kind: 'log' } }
    const scene = sceneOf({ nodes, edges: edgesOf('a>b'), ...parts })
    await scene.start()
    return scene
  }

  test('goes on with the last of them, and hands on a list in their order', async () => {
    const scene = await waiting()
    await scene.end('a', waits(3))
    await send(scene, 'one')
    await send(scene, 'two')
    expect(scene.record('a')).toMatchObject({
      status: 'WAITING',
      waitReason: { message: 'Waits for 3 signals “go”; 2 have come.' },
    })
    expect(kept(scene)).toEqual(['one', 'two'])
    expect(await send(scene, 'two')).toBeNull()
    await send(scene, 'three')
    expect(scene.record('a')).toMatchObject({ status: 'SUCCESS', output: json(['one', 'two', 'three']) })
    expect(scene.record('b').status).toBe('RUNNING')
    expect(kept(scene)).toEqual([])
    for (const repeated of ['one', 'two', 'three']) expect(await send(scene, repeated)).toBeNull()
  })

  test('takes those that came before it began, the oldest first, and leaves the rest', async () => {
    const scene = await waiting()
    for (const early of ['one', 'two', 'three', 'four']) await send(scene, early)
    await scene.end('a', waits(3))
    expect(scene.record('a')).toMatchObject({ status: 'SUCCESS', output: json(['one', 'two', 'three']) })
    expect(kept(scene)).toEqual(['four'])
    expect(await send(scene, 'one')).toBeNull()
  })

  test('counts what came early to what comes later', async () => {
    const scene = await waiting()
    await send(scene, 'early')
    await scene.end('a', waits(2))
    expect(scene.record('a').waitReason?.message).toBe('Waits for 2 signals “go”; 1 has come.')
    await send(scene, 'late')
    expect(scene.record('a').output).toEqual(json(['early', 'late']))
  })

  test('keeps an event that is told to all, although it isn’t enough', async () => {
    const scene = await waiting()
    await scene.end('a', waits(2))
    expect(await send(scene, 'told', { otherwise: 'drop' })).not.toBeNull()
    expect(kept(scene)).toEqual(['told'])
  })

  test('leaves by its timeout way with its input; what had come stays with the run', async () => {
    const nodes = { a: waitStep({ count: 2, onTimeout: 'port' }), late: { kind: 'log' } }
    const scene = await waiting({ nodes, edges: edgesOf('a:timeout>late') })
    await scene.end('a', waits(2, scene.now + 100))
    await send(scene, 'one')
    scene.now += 100
    await scene.decide((state, context) => wake(state, context, scene.record('a').id))
    expect(scene.record('a')).toMatchObject({ status: 'SUCCESS', ports: ['timeout'], output: json('input') })
    expect(kept(scene)).toEqual(['one'])
  })

  test('a second step that needs fewer goes on, and the first says what is left', async () => {
    const nodes = { a: waitStep({ count: 3 }), b: waitStep() }
    const scene = await waiting({ nodes, edges: {} })
    await scene.end('a', waits(3))
    await send(scene, 'one')
    await scene.end('b', waits())
    expect(scene.record('b')).toMatchObject({ status: 'SUCCESS', output: json('one') })
    expect(scene.record('a').waitReason?.message).toBe('Waits for 3 signals “go”.')
  })

  test('stands still while it is paused, and counts when it goes on', async () => {
    const scene = await waiting()
    await scene.end('a', waits(2))
    await scene.decide((state, context) => pauseNode(state, context, nodeId('a')), {
      actor: 'operator',
      claims: false,
    })
    await send(scene, 'one')
    await scene.decide((state, context) => resumeNode(state, context, nodeId('a')), { actor: 'operator' })
    expect(scene.record('a').waitReason?.message).toBe('Waits for 2 signals “go”; 1 has come.')
    await scene.decide((state, context) => pauseNode(state, context, nodeId('a')), {
      actor: 'operator',
      claims: false,
    })
    await send(scene, 'two')
    expect(scene.record('a').status).toBe('WAITING')
    await scene.decide((state, context) => resumeNode(state, context, nodeId('a')), { actor: 'operator' })
    expect(scene.record('a').output).toEqual(json(['one', 'two']))
  })

  test.each(['before', 'after'] as const)(
    'an attempt lists what a record doesn’t hold: %s it waits',
    async (when) => {
      const scene = await waiting()
      if (when === 'after') await scene.end('a', waits(2))
      await send(scene, 'one')
      await send(scene, 'two', { payload: large })
      if (when === 'before') await scene.end('a', waits(2))
      expect(kept(scene)).toEqual([])
      const record = scene.record('a')
      expect(record).toMatchObject({
        status: 'RUNNING',
        attempt: 2,
        wait: { collected: [json('one'), large] },
      })
      expect(await send(scene, 'one')).toBeNull()
      await scene.lose('a')
      await scene.claim()
      await scene.begin('a')
      expect(scene.record('a').wait).toMatchObject({ collected: [json('one'), large] })
      await scene.end('a', succeeded(['one', 'two'], ['out']))
      expect(scene.record('a')).toMatchObject({ status: 'SUCCESS', wait: null })
      expect(await send(scene, 'one')).toBeNull()
    },
  )
})

test('of two that wait for one signal it goes to who began first, not to whose turn came first', async () => {
  const retry = { maxAttempts: 2, delayMs: 100, jitter: 0 }
  const scene = sceneOf({ nodes: { a: { ...waitStep(), retry }, b: waitStep() }, edges: {} })
  await scene.start()
  await scene.end('b', waits())
  await scene.end('a', failed())
  scene.now += 1_000
  expect(await scene.claim()).toEqual(['a'])
  await scene.begin('a')
  await scene.end('a', waits())
  await send(scene, 'one')
  expect([scene.record('a').status, scene.record('b').status]).toEqual(['WAITING', 'SUCCESS'])
})

test('who is paused says so, and not how many have come, while another takes them', async () => {
  const scene = sceneOf({ nodes: { a: waitStep({ count: 3 }), b: waitStep() }, edges: {} })
  await scene.start()
  await scene.end('a', waits(3))
  await send(scene, 'one')
  const by = { actor: 'operator', claims: false } as const
  await scene.decide((state, context) => pauseNode(state, context, nodeId('a')), by)
  await scene.end('b', waits())
  expect(scene.record('b').status).toBe('SUCCESS')
  expect(scene.record('a').waitReason?.code).toBe('paused')
})

test('a join that goes with the first lists signals all the same, and knows what had arrived', async () => {
  const wait = { ...waitStep({ count: 2 }), join: { mode: 'any' } }
  const nodes = { a: { kind: 'log' }, b: { kind: 'log' }, wait }
  const scene = sceneOf({ nodes, edges: edgesOf('a>wait', 'b>wait') })
  await scene.start()
  await scene.end('a', succeeded('first'))
  await scene.end('b', succeeded('second'))
  await scene.end('wait', waits(2))
  await send(scene, 'one')
  await send(scene, 'two', { payload: large })
  const record = scene.record('wait')
  expect(record).toMatchObject({ status: 'RUNNING', cause: { detail: '["a"]' } })
  expect(workOf(scene.state, record)?.input).toEqual({ kind: 'single', payload: json('first') })
  await scene.end('wait', succeeded(['one', 'two'], ['out']))
  expect(await send(scene, 'two')).toBeNull()
})

test.each(['[odd] words', 'words'])(
  'what was left out for reasons in words can be looked at: %s',
  (detail) => {
    const { nodeById } = sceneOf({
      nodes: { a: { kind: 'log' }, b: { kind: 'log' }, c: { kind: 'log', join: { mode: 'any' } } },
      edges: edgesOf('a>c', 'b>c'),
    }).state.workflow
    const node = nodeById.get(nodeId('c'))
    for (const kind of ['skipped', 'passed-over', 'signal']) {
      const record = { cause: { kind, by: null, detail } } as never
      expect(node === undefined ? 'none' : arrivalsOf(node, record)).toBeNull()
    }
  },
)

const schema = { type: 'number', minimum: 10 }
const checked = (onMisfit = 'refuse') => waitStep({ check: 'schema', schema, onMisfit })
const misfit = { code: 'signal_payload_invalid', message: expect.stringContaining('at least 10') }

describe('a step whose signals must fit a schema', () => {
  const scene = async (nodes: JsonObject, edges: JsonObject = {}): Promise<Scene> => {
    const made = sceneOf({ nodes, edges })
    await made.start()
    return made
  }

  test('waits on while what doesn’t fit is refused to its sender', async () => {
    const here = await scene({ a: checked() })
    await here.end('a', waits())
    await expect(send(here, 'small', { value: 9 })).rejects.toMatchObject(misfit)
    expect(kept(here)).toEqual([])
    await send(here, 'small', { value: 10 })
    expect(here.record('a')).toMatchObject({ status: 'SUCCESS', output: json(10) })
  })

  test('refuses what comes before it begins, too, unless another step may take it', async () => {
    const alone = await scene({ a: checked() })
    await expect(send(alone, 'early', { value: 1 })).rejects.toMatchObject(misfit)
    const other = await scene({ a: checked(), b: waitStep() })
    await send(other, 'early', { value: 1 })
    await other.end('a', waits())
    expect(other.record('a').status).toBe('WAITING')
    await other.end('b', waits())
    expect(other.record('b').output).toEqual(json(1))
    const unknown = await scene({ a: checked(), b: waitStep({ name: '{{ input.name }}' }) })
    await send(unknown, 'early', { value: 1 })
    expect(kept(unknown)).toEqual(['early'])
    const elsewhere = await scene({ a: waitStep({ name: 'other', check: 'schema', schema }) })
    await send(elsewhere, 'early', { value: 1 })
    expect(kept(elsewhere)).toEqual(['early'])
  })

  test('a misfit that it is to fail with ends it by its error way, now or when it begins', async () => {
    for (const isEarly of [false, true]) {
      const here = await scene({ a: checked('fail'), b: { kind: 'log' } }, edgesOf('a:error>b'))
      if (isEarly) await send(here, 'small', { value: 1 })
      await here.end('a', waits())
      if (!isEarly) await send(here, 'small', { value: 1 })
      expect(here.record('a')).toMatchObject({ status: 'FAILED', ports: ['error'], error: misfit })
      expect(here.record('b').status).toBe('RUNNING')
      expect(kept(here)).toEqual([])
      expect(await send(here, 'small', { value: 1 })).toBeNull()
    }
  })

  test('an event told to all passes by who refuses it', async () => {
    const here = await scene({ a: checked() })
    await here.end('a', waits())
    expect(await send(here, 'small', { value: 1, otherwise: 'drop' })).toBeNull()
  })

  test('what nobody could read fits no schema', async () => {
    const here = await scene({ a: checked() })
    await here.end('a', waits())
    const sent = here.decide((state, context) => {
      const signal = { messageId: 'm', name: 'go', correlation: null, payload: large, at: 0 }
      return deliverSignal(state, context, { signal, value: undefined, otherwise: 'keep' })
    })
    await expect(sent).rejects.toMatchObject({ code: 'signal_payload_invalid' })
  })

  test('of several, a misfit to be refused doesn’t count, and one to fail with ends the wait', async () => {
    const here = await scene({ a: { ...checked(), parameters: { ...checked().parameters, count: 2 } } })
    await here.end('a', waits(2))
    await send(here, 'one', { value: 11 })
    await expect(send(here, 'two', { value: 1 })).rejects.toMatchObject(misfit)
    await send(here, 'three', { value: 13 })
    expect(here.record('a').output).toEqual(json([11, 13]))
  })
})
