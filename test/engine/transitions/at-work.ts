/** What becomes of work that somebody owns: PENDING, RUNNING, and what its end or its loss leads to. */

import { readRemoteAnswer } from '../../../src-engine/model/policy/remote-answer.ts'
import type { EngineOptions } from '../../../src-engine/runtime/create-engine.ts'
import type { Scenario } from './scenario.ts'
import { answer, asking, broken, minute, oneStep, parked, Story, second, twice } from './scenario.ts'

const unsafe = { sideEffect: 'unsafe' }
/** Its parameters are asked for after the claim, so that it can be met as PENDING. */
const slowToBegin = { concurrency: { running: 'ARGUMENTS', onFull: 'reroute' } }

/** A kernel that lets runs start and never says anything about a step. */
const silentKernel = {
  ask: (request: { readonly at: string }) =>
    request.at === 'start' ? Promise.resolve(readRemoteAnswer({ decision: 'ALLOW' })) : new Promise(() => {}),
} as NonNullable<EngineOptions['safetyKernel']>

const claimed: readonly Scenario[] = [
  {
    name: 'a runner stops before claimed work has begun',
    reaches: ['PENDING > KILLED', 'KILLED > REROUTED'],
    play: async (store) => {
      const story = new Story(store)
      await story.launch({}, { safetyKernel: silentKernel })
      await story.started()
      await story.stop(0)
    },
  },
  {
    name: 'a runner dies before claimed work has begun',
    reaches: ['PENDING > PENDING_RECOVERY'],
    play: async (store) => {
      const story = await pending(store)
      await story.die(1)
    },
  },
  {
    name: 'claimed work is cancelled before it begins',
    reaches: ['PENDING > CANCELLED'],
    play: async (store) => {
      const resolved = Promise.withResolvers<void>()
      const story = await pending(store, resolved.promise)
      await story.ask(story.only, 'cancel')
      resolved.resolve()
      await story.pass(second)
    },
  },
  {
    name: 'claimed work doesn’t begin in time',
    reaches: ['PENDING > TIMEOUT'],
    play: async (store) => {
      const resolved = Promise.withResolvers<void>()
      const story = await pending(store, resolved.promise)
      await story.pass(3 * minute)
      resolved.resolve()
      await story.pass(second)
    },
  },
  {
    name: 'who claimed it dies, and the run is cancelled',
    reaches: ['PENDING_RECOVERY > CANCELLED'],
    play: async (store) => {
      const story = await pending(store)
      await story.ask(story.only, 'cancel')
      await story.die(1)
    },
  },
  {
    name: 'who claimed it dies after it was to begin',
    reaches: ['PENDING_RECOVERY > TIMEOUT'],
    play: async (store) => {
      const story = await pending(store)
      await story.pass(3 * minute)
      await story.die(1)
    },
  },
]

/** Two engines; the second has claimed a step whose parameters are resolved once the promise is. */
async function pending(
  store: Parameters<typeof Story.begin>[0],
  resolving: Promise<void> = new Promise(() => {}),
): Promise<Story & { readonly only: Awaited<ReturnType<Story['started']>> }> {
  // It isn't taken for a claim that nobody knows of.
  const settings = { dispatchTimeoutMs: minute, maxPendingMs: 10 * minute, claimTtlMs: 10 * minute }
  const story = await Story.begin(store, settings)
  await story.launch(settings)
  story.resolving = resolving
  const only = await story.started(oneStep(slowToBegin), 1)
  return Object.assign(story, { only })
}

const ends: readonly Scenario[] = [
  {
    name: 'a step fails',
    reaches: ['RUNNING > FAILED', 'run RUNNING > FAILED'],
    play: async (store) => {
      const story = await Story.begin(store)
      await story.started()
      await story.end(broken())
    },
  },
  {
    name: 'a step waits for an instant',
    reaches: ['RUNNING > WAITING', 'run RUNNING > WAITING', 'run WAITING > SUCCEEDED'],
    play: async (store) => {
      const story = await Story.begin(store)
      await story.started()
      await story.finish(parked(story.world.now + minute))
      await story.pass(2 * minute)
    },
  },
  {
    name: 'a step takes too long',
    reaches: ['RUNNING > TIMEOUT'],
    play: async (store) => {
      const story = await Story.begin(store)
      await story.started(oneStep({ timeout: { attemptMs: minute } }))
      await story.pass(2 * minute)
    },
  },
  {
    name: 'a step is cancelled while it runs',
    reaches: ['RUNNING > CANCELLED'],
    play: async (store) => {
      const story = await Story.begin(store)
      await story.ask(await story.started(), 'cancel')
    },
  },
  {
    name: 'a runner stops, and another one has its work',
    reaches: ['RUNNING > KILLED', 'KILLED > REROUTED'],
    play: async (store) => {
      const story = await twoEngines(store)
      await story.started(oneStep(), 1)
      await story.stop(1)
    },
  },
  {
    name: 'a runner stops with work that must not happen twice',
    reaches: ['KILLED > APPROVAL_REQUIRED'],
    play: async (store) => {
      const story = await twoEngines(store)
      await story.started(oneStep(unsafe), 1)
      await story.stop(1)
    },
  },
  {
    name: 'work is cancelled while its runner stops',
    reaches: ['KILLED > CANCELLED'],
    play: (store) => askedWhileItStops(store, (story, run) => story.ask(run, 'cancel')),
  },
  {
    name: 'work is timed out while its runner stops',
    reaches: ['KILLED > TIMEOUT'],
    play: (store) => askedWhileItStops(store, (story) => story.pass(4 * minute)),
  },
]

const twoEngines = async (
  store: Parameters<typeof Story.begin>[0],
  settings: Parameters<typeof Story.begin>[1] = {},
): Promise<Story> => {
  const story = await Story.begin(store, settings)
  await story.launch(settings)
  return story
}

/** What runs doesn’t hear at once that it is to stop: meanwhile somebody asks for its end. */
async function askedWhileItStops(
  store: Parameters<typeof Story.begin>[0],
  ask: (story: Story, run: Awaited<ReturnType<Story['started']>>) => Promise<void>,
): Promise<void> {
  const story = await twoEngines(store, {
    runningTimeoutMs: minute,
    claimTtlMs: 10 * minute,
    killGraceMs: 10 * minute,
  })
  const run = await story.started(oneStep(), 1)
  story.deaf = true
  const stopped = story.engines[1]?.stop()
  await story.pass(second)
  await ask(story, run)
  await story.end(new Error('stopped at last'))
  await story.pass(second)
  await stopped
}

const lost: readonly Scenario[] = [
  {
    name: 'a runner dies, and another one has its work',
    reaches: ['RUNNING > RUNNING_RECOVERY', 'RUNNING_RECOVERY > REROUTED'],
    play: async (store) => {
      const story = await twoEngines(store)
      await story.started(oneStep(), 1)
      await story.die(1)
    },
  },
  {
    name: 'a step takes too many runners down',
    reaches: ['RUNNING_RECOVERY > FAILED'],
    play: async (store) => {
      const story = await twoEngines(store, { crashAttemptsMax: 1 })
      await story.started(oneStep(), 1)
      await story.die(1)
    },
  },
  {
    name: 'a runner dies with work that was to be cancelled',
    reaches: ['RUNNING_RECOVERY > CANCELLED'],
    play: async (store) => {
      const story = await twoEngines(store)
      const run = await story.started(oneStep(), 1)
      story.deaf = true
      await story.ask(run, 'cancel')
      await story.die(1)
    },
  },
  {
    name: 'the time of a step is over while its runner is gone',
    reaches: ['RUNNING_RECOVERY > TIMEOUT'],
    play: async (store) => {
      const story = await Story.begin(store)
      await story.started(oneStep({ timeout: { attemptMs: minute } }))
      story.processes[0]?.die()
      await story.pass(5 * minute)
      await story.launch()
      await story.pass(minute)
    },
  },
  {
    name: 'a runner dies with work that must not happen twice, and a person has it done again',
    reaches: ['RUNNING_RECOVERY > APPROVAL_REQUIRED', 'APPROVAL_REQUIRED > REROUTED'],
    play: async (store) => {
      const story = await twoEngines(store)
      const run = await story.started(oneStep(unsafe), 1)
      await story.die(1)
      await story.resolve(run, 'run-again')
    },
  },
  {
    name: 'a person says that what nobody knows of has failed',
    reaches: ['APPROVAL_REQUIRED > FAILED', 'run WAITING > FAILED'],
    play: async (store) => {
      const story = await twoEngines(store)
      const run = await story.started(oneStep(unsafe), 1)
      await story.die(1)
      await story.resolve(run, 'fail')
    },
  },
]

const asked: readonly Scenario[] = [
  {
    name: 'a step asks, and somebody approves',
    reaches: ['RUNNING > APPROVAL_REQUIRED', 'APPROVAL_REQUIRED > SUCCESS'],
    play: async (store) => {
      const story = await Story.begin(store)
      await story.started()
      await story.finish(asking())
      await answer(story, 'approve')
    },
  },
  {
    name: 'a step asks, and somebody rejects',
    reaches: ['APPROVAL_REQUIRED > DENIED', 'run WAITING > DENIED'],
    play: async (store) => {
      const story = await Story.begin(store)
      await story.started()
      await story.finish(asking())
      await answer(story, 'reject')
    },
  },
  {
    name: 'a step asks, and nobody answers in time',
    reaches: ['APPROVAL_REQUIRED > TIMEOUT', 'run WAITING > TIMED_OUT'],
    play: async (store) => {
      const story = await Story.begin(store)
      await story.started()
      await story.finish(asking({ expiresAt: story.world.now + minute }))
      await story.pass(2 * minute)
    },
  },
  {
    name: 'a step that asks is cancelled with its run',
    reaches: ['APPROVAL_REQUIRED > CANCELLED', 'run WAITING > CANCELLED'],
    play: async (store) => {
      const story = await Story.begin(store)
      const run = await story.started(oneStep({ retry: twice }))
      await story.finish(asking())
      await story.ask(run, 'cancel')
    },
  },
]

export const atWork: readonly Scenario[] = [...claimed, ...ends, ...lost, ...asked]
