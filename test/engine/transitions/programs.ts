/** Programs that stand still and go on: PAUSED and RESUMED. */

import type { RunId } from '../../../src-engine/model/ids.ts'
import type { JsonObject } from '../../../src-engine/model/json.ts'
import type { Store } from '../../../src-engine/store/store.ts'
import type { Scenario } from './scenario.ts'
import { asking, broken, minute, oneStep, parked, Story, second, twice } from './scenario.ts'

/** A step whose program stands still, on the second of two engines. */
async function paused(store: Store, node: JsonObject = {}): Promise<{ story: Story; run: RunId }> {
  const story = await Story.begin(store)
  await story.launch()
  const run = await story.started(oneStep(node), 1)
  await story.ask(run, 'pause')
  await story.pass(10 * second)
  return { story, run }
}

/** The same once it has gone on. */
async function resumed(store: Store, node: JsonObject = {}): Promise<{ story: Story; run: RunId }> {
  const { story, run } = await paused(store, node)
  await story.ask(run, 'resume')
  await story.pass(10 * second)
  return { story, run }
}

const standing: readonly Scenario[] = [
  {
    name: 'a program stands still, goes on, and is done',
    reaches: [
      'RUNNING > PAUSED',
      'PAUSED > RESUMED',
      'RESUMED > SUCCESS',
      'run RUNNING > PAUSED',
      'run PAUSED > RUNNING',
    ],
    play: async (store) => {
      const { story } = await resumed(store)
      await story.end()
    },
  },
  {
    name: 'a program that stands still fails, and is tried again',
    reaches: ['PAUSED > RETRY'],
    play: async (store) => {
      const { story } = await paused(store, { retry: twice })
      await story.end(broken())
    },
  },
  {
    name: 'a program that stands still fails',
    reaches: ['PAUSED > FAILED', 'run PAUSED > FAILED'],
    play: async (store) => {
      const { story } = await paused(store)
      await story.end(broken())
    },
  },
  {
    name: 'a program stands still as its runner stops',
    reaches: ['PAUSED > KILLED'],
    play: async (store) => {
      const { story } = await paused(store)
      await story.stop(1)
    },
  },
  {
    name: 'a program is cancelled as it stands still',
    reaches: ['PAUSED > CANCELLED'],
    play: async (store) => {
      const { story, run } = await paused(store)
      await story.ask(run, 'cancel')
      await story.pass(10 * second)
    },
  },
  {
    name: 'a program whose time is over is stopped on its way out',
    reaches: ['PAUSED > TIMEOUT', 'run PAUSED > TIMED_OUT'],
    play: async (store) => {
      const story = await Story.begin(store)
      const run = await story.started(oneStep({ timeout: { attemptMs: minute } }))
      story.deaf = true
      await story.pass(minute)
      await story.ask(run, 'pause')
      await story.end(new Error('out of time'))
    },
  },
  {
    name: 'a runner dies with a program that stands still',
    reaches: ['PAUSED > RUNNING_RECOVERY'],
    play: async (store) => {
      const { story } = await paused(store)
      await story.die(1)
    },
  },
]

const goingOn: readonly Scenario[] = [
  {
    name: 'a program stands still twice',
    reaches: ['RESUMED > PAUSED'],
    play: async (store) => {
      const { story, run } = await resumed(store)
      await story.ask(run, 'pause')
      await story.pass(10 * second)
    },
  },
  {
    name: 'a program that went on begins to wait',
    reaches: ['RESUMED > WAITING'],
    play: async (store) => {
      const { story } = await resumed(store)
      await story.finish(parked(story.world.now + minute))
    },
  },
  {
    name: 'a program that went on fails, and is tried again',
    reaches: ['RESUMED > RETRY'],
    play: async (store) => {
      const { story } = await resumed(store, { retry: twice })
      await story.end(broken())
    },
  },
  {
    name: 'a program that went on fails',
    reaches: ['RESUMED > FAILED'],
    play: async (store) => {
      const { story } = await resumed(store)
      await story.end(broken())
    },
  },
  {
    name: 'a runner stops with a program that went on',
    reaches: ['RESUMED > KILLED'],
    play: async (store) => {
      const { story } = await resumed(store)
      await story.stop(1)
    },
  },
  {
    name: 'a program that went on asks somebody',
    reaches: ['RESUMED > APPROVAL_REQUIRED'],
    play: async (store) => {
      const { story } = await resumed(store)
      await story.finish(asking())
    },
  },
  {
    name: 'a program that went on takes too long',
    reaches: ['RESUMED > TIMEOUT'],
    play: async (store) => {
      const { story } = await resumed(store, { timeout: { attemptMs: minute } })
      await story.pass(2 * minute)
    },
  },
  {
    name: 'a program that went on is cancelled',
    reaches: ['RESUMED > CANCELLED'],
    play: async (store) => {
      const { story, run } = await resumed(store)
      await story.ask(run, 'cancel')
      await story.pass(10 * second)
    },
  },
  {
    name: 'what a program gave that went on is held back',
    reaches: ['RESUMED > OUTPUT_QUARANTINED'],
    play: async (store) => {
      const story = await Story.begin(store, { outputPolicyEnabled: true })
      const rules = [
        { id: 'r', decision: 'quarantine', match: { outputSizeGt: 3 }, reason: 'It may not leave.' },
      ]
      await story.setOutputRules(rules)
      const run = await story.started()
      await story.ask(run, 'pause')
      await story.ask(run, 'resume')
      await story.end()
    },
  },
  {
    name: 'a runner dies with a program that went on',
    reaches: ['RESUMED > RUNNING_RECOVERY'],
    play: async (store) => {
      const { story } = await resumed(store)
      await story.die(1)
    },
  },
]

export const programs: readonly Scenario[] = [...standing, ...goingOn]
