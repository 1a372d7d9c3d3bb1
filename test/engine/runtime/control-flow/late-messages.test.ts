/** Messages that are in somebody's hands, and events that come too late: neither is lost, nobody hears twice. */

import { afterEach, describe, expect, it } from 'vitest'
import type { Checkpoint } from '../../../../src-engine/model/checkpoint.ts'
import { noWrites } from '../../../../src-engine/model/checkpoint.ts'
import { outboxRecordOf } from '../../../../src-engine/model/effect.ts'
import { SagasmithError } from '../../../../src-engine/model/errors.ts'
import type { RunId } from '../../../../src-engine/model/ids.ts'
import { opId, runId } from '../../../../src-engine/model/ids.ts'
import { defaultEngineSettings } from '../../../../src-engine/model/settings/engine-settings.ts'
import { createMemoryStore } from '../../../../src-engine/store/memory/memory-store.ts'
import type { Store } from '../../../../src-engine/store/store.ts'
import { sceneStores } from '../../../simulation/stores.ts'
import { documentOf } from '../../model/workflow-fixture.ts'
import { strangers } from '../clock/clock-scene.ts'
import { EnginesScene } from '../permits/engines-scene.ts'
import { FlowScene } from './flow-scene.ts'

const scenes: FlowScene[] = []
afterEach(async () => {
  for (const scene of scenes.splice(0)) await scene.close()
})

const { messageVisibilityMs, replayerIntervalMs } = defaultEngineSettings
const page = { after: null, limit: 100 }

/** What is told of each commit; one that fits fails. */
class Watch {
  fails: (checkpoint: Checkpoint) => boolean = () => false
  readonly failedAt: number[] = []
  now: () => number = () => 0

  over(store: Store): Store {
    return {
      ...store,
      commit: (partition, checkpoints) => {
        if (!checkpoints.some((item) => this.fails(item))) return store.commit(partition, checkpoints)
        this.failedAt.push(this.now())
        return Promise.reject(new SagasmithError('store_full'))
      },
    }
  }
}

const delivers = ({ writes }: Checkpoint): boolean => writes.delivered.length > 0
const buries = ({ writes }: Checkpoint): boolean => writes.deadLetters.length > 0

describe.each(Object.entries(sceneStores))('messages on %s', (_name, open) => {
  const scene = async (): Promise<{ here: FlowScene; watch: Watch }> => {
    const watch = new Watch()
    const here = new FlowScene(watch.over(await open()))
    watch.now = () => here.world.now
    scenes.push(here)
    await here.launch()
    return { here, watch }
  }
  const outbox = (here: FlowScene) =>
    here.store.list(0, 'outbox', { filter: { dueBefore: Number.MAX_SAFE_INTEGER }, page })
  const letters = (here: FlowScene) =>
    here.store.list(0, 'deadLetters', { filter: { reason: null, workflowId: null, runId: null }, page })
  const emit = (here: FlowScene, to: RunId | null) =>
    here.within(
      here.engine.emitEvent({
        name: 'paid',
        correlation: null,
        payload: { euro: 5 },
        messageId: 'm',
        runId: to,
      }),
    )
  /** A message that somebody wrote and did not deliver. */
  const leave = async (here: FlowScene): Promise<void> => {
    const at = here.world.now
    const payload = { kind: 'inline', json: 'null' } as const
    const event = { messageId: 'm', name: 'left', correlation: null, payload, runId: null, at, source: null }
    await here.store.commit(0, [
      {
        partition: 0,
        opId: opId('left'),
        actor: { kind: 'operator', id: null },
        at,
        expect: { invocations: [], registers: [{ key: 'test', version: 0 }] },
        writes: {
          ...noWrites,
          registers: [{ key: 'test', value: 1 }],
          outbox: [outboxRecordOf('event:m', { kind: 'event.emitted', event }, at)],
        },
        events: [],
      },
    ])
  }

  it('that somebody has in work are left to him until they have been for long, then taken', async () => {
    const { here } = await scene()
    await leave(here)
    const [written] = await outbox(here)
    await here.pass(messageVisibilityMs - 1_000)
    expect(await outbox(here)).toEqual([written])
    await here.pass(replayerIntervalMs + 1_000)
    expect(await outbox(here)).toEqual([])
  })

  it('that were taken and could not be delivered are not taken by the next for as long again', async () => {
    const { here, watch } = await scene()
    await leave(here)
    watch.fails = delivers
    await here.pass(messageVisibilityMs + replayerIntervalMs)
    const [taken] = await outbox(here)
    const takenAt = taken?.dueAt ?? 0
    expect(takenAt).toBeGreaterThan(here.world.now - 2 * replayerIntervalMs)
    const triesAfter = () => watch.failedAt.filter((at) => at > takenAt + 30_000)
    await here.pass(messageVisibilityMs - 2 * replayerIntervalMs)
    expect(watch.failedAt.length).toBeGreaterThan(1)
    expect(triesAfter()).toEqual([])
    await here.pass(3 * replayerIntervalMs)
    expect(triesAfter()).not.toEqual([])
    watch.fails = () => false
    await here.pass(messageVisibilityMs)
    expect(await outbox(here)).toEqual([])
  })

  it('from outside that come too late are told to a person, with all that they said', async () => {
    const { here } = await scene()
    const ended = await here.play({ nodes: { a: { kind: 'noop' } } })
    expect(await emit(here, ended.id)).toEqual({ messageId: 'm', outcome: 'accepted' })
    expect(await outbox(here)).toEqual([])
    const [letter, ...others] = await letters(here)
    expect(others).toEqual([])
    expect(letter).toMatchObject({
      id: 'event:m',
      runId: null,
      reason: 'run_already_final',
      input: { kind: 'inline', json: '{"euro":5}' },
      body: { messageId: 'm', name: 'paid', correlation: null, runId: ended.id },
    })
    await expect(
      here.engine.deadLetters.replay({ id: 'event:m', input: null, by: null }),
    ).rejects.toMatchObject({ code: 'dead_letter_not_replayable' })
    await here.engine.deadLetters.discard('event:m', null)
    expect(await letters(here)).toEqual([])
  })

  it('from outside that come too late once more are not told again to who has discarded them', async () => {
    const { here, watch } = await scene()
    const ended = await here.play({ nodes: { a: { kind: 'noop' } } })
    watch.fails = delivers
    await emit(here, ended.id)
    expect(await letters(here)).toHaveLength(1)
    await here.engine.deadLetters.discard('event:m', null)
    expect(await outbox(here)).toHaveLength(1)
    watch.fails = () => false
    await here.pass(messageVisibilityMs + 2 * replayerIntervalMs)
    expect(await outbox(here)).toEqual([])
    expect(await letters(here)).toEqual([])
  })

  it('whose dead letter cannot be written are kept, and it is tried again after its pause', async () => {
    const { here, watch } = await scene()
    const ended = await here.play({ nodes: { a: { kind: 'noop' } } })
    watch.fails = buries
    expect(await emit(here, ended.id)).toEqual({ messageId: 'm', outcome: 'accepted' })
    await here.pass(2 * defaultEngineSettings.deadLetterRetryDelayMs)
    expect(await outbox(here)).toHaveLength(1)
    const [first = 0, ...later] = watch.failedAt
    expect(later).toEqual([first + 5_000, first + 10_000])
    watch.fails = () => false
    await here.pass(defaultEngineSettings.deadLetterRetryDelayMs)
    expect(await outbox(here)).toEqual([])
    expect(await letters(here)).toMatchObject([{ id: 'event:m', body: { runId: runId(ended.id) } }])
  })
})

it.for([
  ['on its machine is taken over at once', {}, 6_000],
  ['elsewhere is taken over with its work, when its lease has run out', strangers, 60_000],
] as const)('what a runner had in its hands that died %s', async ([, given, withinMs]) => {
  const here = new EnginesScene(createMemoryStore())
  for (const pid of [1, 2]) await here.launch({}, typeof given === 'function' ? given(pid) : given)
  // It owns something, too.
  await here.start(documentOf({ nodes: { a: { kind: 'noop' } } }))
  here.dieAfter(0, ({ writes }) => writes.outbox.length > 0)
  const event = { name: 'paid', correlation: null, payload: null, messageId: 'm', runId: null }
  void here.engines[0]?.emitEvent(event)
  await here.pass(100)
  const left = () => here.store.list(0, 'outbox', { filter: { dueBefore: Number.MAX_SAFE_INTEGER }, page })
  expect(here.processes[0]?.alive).toBe(false)
  expect(await left()).toHaveLength(1)
  await here.pass(withinMs)
  expect(await left()).toEqual([])
})
