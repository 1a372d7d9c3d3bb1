/** Runs: in line, under way, standing still, ended, and rolled back. */

import type { RunId } from '../../../src-engine/model/ids.ts'
import type { JsonObject } from '../../../src-engine/model/json.ts'
import type { Store } from '../../../src-engine/store/store.ts'
import { documentOf, edgesOf } from '../model/workflow-fixture.ts'
import type { Scenario } from './scenario.ts'
import { answer, asking, broken, minute, nowhere, oneStep, parked, Story, second } from './scenario.ts'

const oneAtATime: JsonObject = { settings: { concurrency: { limit: 1 } } }

const inLine: readonly Scenario[] = [
  {
    name: 'a run is cancelled in line',
    reaches: ['run CREATED > CANCELLED'],
    play: async (store) => {
      const story = await Story.begin(store)
      await story.started(oneStep({}, oneAtATime))
      await story.ask(await story.started(oneStep({}, oneAtATime)), 'cancel')
    },
  },
  {
    name: 'a run that finds no room ends at once',
    reaches: ['run CREATED > FAILED'],
    play: async (store) => {
      const story = await Story.begin(store)
      const document = oneStep({}, { settings: { concurrency: { limit: 1, onFull: 'fail' } } })
      await story.started(document)
      await story.started(document)
    },
  },
]

/** A step that can be undone, then another one. */
const undoable = (settings: JsonObject, more: JsonObject): ReturnType<typeof documentOf> =>
  documentOf({
    nodes: {
      a: {
        kind: 'noop',
        sideEffect: 'idempotent',
        compensation: { task: { kind: 'noop', parameters: {} }, ...more },
      },
      b: { kind: 'noop' },
    },
    edges: edgesOf('a>b'),
    settings,
  })

/** The first step is done, the second is at work. */
async function halfway(store: Store, settings: JsonObject = {}, more: JsonObject = {}): Promise<Halfway> {
  const story = await Story.begin(store)
  const run = await story.started(undoable(settings, more))
  await story.end()
  await story.pass(10)
  return { story, run }
}

const standing: readonly Scenario[] = [
  {
    name: 'a run that waits stands still, and waits again',
    reaches: ['run WAITING > PAUSED', 'run PAUSED > WAITING'],
    play: async (store) => {
      const story = await Story.begin(store)
      const run = await story.started()
      await story.finish(parked(story.world.now + 10 * minute))
      await story.ask(run, 'pause')
      await story.ask(run, 'resume')
    },
  },
  {
    name: 'a run that stands still before its next step is cancelled',
    reaches: ['run PAUSED > CANCELLED'],
    play: async (store) => {
      const story = await Story.begin(store)
      const run = await story.started(oneStep(nowhere))
      await story.ask(run, 'pause')
      await story.ask(run, 'cancel')
    },
  },
  {
    name: 'somebody rejects what a run asks that stands still',
    reaches: ['run PAUSED > DENIED'],
    play: async (store) => {
      const story = await Story.begin(store)
      const run = await story.started()
      await story.finish(asking())
      await story.ask(run, 'pause')
      await answer(story, 'reject')
    },
  },
  {
    name: 'the same, where something is to be undone',
    reaches: ['run PAUSED > COMPENSATING'],
    play: async (store) => {
      const { story, run } = await halfway(store)
      await story.finish(asking())
      await story.ask(run, 'pause')
      await answer(story, 'reject')
    },
  },
  {
    name: 'somebody rejects what a run asks that has something to undo',
    reaches: ['run WAITING > COMPENSATING'],
    play: async (store) => {
      const { story } = await halfway(store)
      await story.finish(asking())
      await answer(story, 'reject')
    },
  },
]

/** A run of which something can be undone, and that ended this way without it. */
const endings: Readonly<
  Record<'FAILED' | 'CANCELLED' | 'TIMED_OUT' | 'DENIED', (at: Halfway) => Promise<void>>
> = {
  FAILED: ({ story }) => story.end(broken()),
  CANCELLED: ({ story, run }) => story.ask(run, 'cancel'),
  TIMED_OUT: ({ story }) => story.pass(2 * minute),
  DENIED: async ({ story }) => {
    await story.finish(asking())
    await answer(story, 'reject')
  },
}

interface Halfway {
  readonly story: Story
  readonly run: RunId
}

const ended = Object.entries(endings).flatMap(([status, end]): readonly Scenario[] => {
  const given = { rollbackOn: [], ...(status === 'TIMED_OUT' ? { timeoutMs: minute } : {}) }
  return [
    {
      name: `a run that is ${status} is rolled back by hand`,
      reaches: [`run ${status} > COMPENSATING`],
      play: async (store) => {
        const at = await halfway(store, given)
        await end(at)
        await at.story.saga(at.run, 'compensate')
      },
    },
    {
      name: `a run that is ${status} goes on`,
      reaches: [`run ${status} > RUNNING`],
      play: async (store) => {
        const at = await halfway(store, given)
        await end(at)
        await at.story.again(at.run)
      },
    },
  ]
})

const undone: readonly Scenario[] = [
  {
    name: 'a run that failed is rolled back',
    reaches: ['run RUNNING > COMPENSATING', 'run COMPENSATING > COMPENSATED'],
    play: async (store) => {
      const { story } = await halfway(store)
      await story.end(broken())
      await story.pass(second)
      await story.end()
    },
  },
  {
    name: 'a run that succeeded is rolled back by hand',
    reaches: ['run SUCCEEDED > COMPENSATING'],
    play: async (store) => {
      const { story, run } = await halfway(store)
      await story.end()
      await story.saga(run, 'compensate')
    },
  },
  {
    name: 'a rollback fails, is tried again, and is given up',
    reaches: [
      'run COMPENSATING > COMPENSATION_FAILED',
      'run COMPENSATION_FAILED > COMPENSATING',
      'run COMPENSATION_FAILED > ABANDONED',
    ],
    play: async (store) => {
      const { story, run } = await halfway(store, {}, { retry: { maxAttempts: 1 } })
      await story.end(broken())
      await story.pass(second)
      await story.end(broken())
      await story.saga(run, 'retry')
      await story.end(broken())
      await story.saga(run, 'abandon')
    },
  },
]

export const runs: readonly Scenario[] = [...inLine, ...standing, ...ended, ...undone]
