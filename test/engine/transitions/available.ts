/** What becomes of work that a runner may claim: REGISTERED, REROUTED, RETRY, and those in line for a permit. */

import { documentOf, edgesOf } from '../model/workflow-fixture.ts'
import { setRules } from '../runtime/policy/policy-scene.ts'
import type { Scenario } from './scenario.ts'
import { broken, minute, nowhere, oneStep, Story, second, twice } from './scenario.ts'

const single = { running: 'TASK', onFull: 'reroute' }
const strict = { running: 'TASK', onFull: 'final' }
/** Known only once its parameters are: that is after the claim. */
const byArguments = { running: 'ARGUMENTS', onFull: 'reroute' }

const registered: readonly Scenario[] = [
  {
    name: 'a step is claimed, begins, and is done',
    reaches: [
      'REGISTERED > PENDING',
      'PENDING > RUNNING',
      'RUNNING > SUCCESS',
      'run CREATED > RUNNING',
      'run RUNNING > SUCCEEDED',
    ],
    play: async (store) => {
      const story = await Story.begin(store)
      await story.started()
      await story.end()
    },
  },
  {
    name: 'a control node is done as it is registered',
    reaches: ['REGISTERED > SUCCESS'],
    play: async (store) => {
      const story = await Story.begin(store)
      await story.started(
        documentOf({
          nodes: { a: { kind: 'noop' }, both: { kind: 'join' }, b: { kind: 'noop' } },
          edges: edgesOf('a>both', 'both>b'),
        }),
      )
      await story.end()
    },
  },
  {
    name: 'a step gets the result of another one that stands for the same',
    reaches: ['REGISTERED > WAITING', 'WAITING > SUCCESS'],
    play: async (store) => {
      const story = await Story.begin(store, { maxConcurrentTasks: 1 })
      const same = oneStep({ concurrency: { registration: 'TASK' } })
      await story.started(oneStep({ priority: 'CRITICAL' }))
      await story.started(same)
      await story.started(same)
      await story.end()
      await story.end()
    },
  },
  {
    name: 'a run is asked about before its first step',
    reaches: ['REGISTERED > APPROVAL_REQUIRED'],
    play: async (store) => {
      const story = await Story.begin(store)
      await setRules(story, [{ id: 'ask', match: { at: 'start' }, decision: 'REQUIRE_APPROVAL' }])
      await story.started()
    },
  },
  {
    name: 'a run is denied before its first step, and was never under way',
    reaches: ['REGISTERED > DENIED', 'run CREATED > DENIED'],
    play: async (store) => {
      const story = await Story.begin(store)
      await setRules(story, [{ id: 'no', match: { at: 'start' }, decision: 'DENY' }])
      await story.started()
    },
  },
  {
    name: 'a step that nobody can do fails after so many looks',
    reaches: ['REGISTERED > FAILED'],
    play: async (store) => {
      const story = await Story.begin(store, { schedulingAttemptsMax: 1 })
      await story.started(oneStep(nowhere))
      await story.pass(10 * minute)
    },
  },
  {
    name: 'a queued step is cancelled with its run',
    reaches: ['REGISTERED > CANCELLED', 'run RUNNING > CANCELLED'],
    play: async (store) => {
      const story = await Story.begin(store)
      await story.ask(await story.started(oneStep(nowhere)), 'cancel')
    },
  },
  {
    name: 'the time of a step is over before anybody could take it',
    reaches: ['REGISTERED > TIMEOUT', 'run RUNNING > TIMED_OUT'],
    play: async (store) => {
      const story = await Story.begin(store)
      await story.started(oneStep({ ...nowhere, timeout: { totalMs: 3 * minute } }))
      await story.pass(10 * minute)
    },
  },
]

const inLine: readonly Scenario[] = [
  {
    name: 'a step that finds no room stands in line, and has its turn',
    reaches: [
      'REGISTERED > CONCURRENCY_CONTROLLED',
      'CONCURRENCY_CONTROLLED > REROUTED',
      'REROUTED > PENDING',
    ],
    play: async (store) => {
      const story = await Story.begin(store)
      await story.started(oneStep({ concurrency: single }))
      await story.started(oneStep({ concurrency: single }))
      await story.end()
      await story.pass(10 * second)
      await story.end()
    },
  },
  {
    name: 'a step is cancelled in line',
    reaches: ['CONCURRENCY_CONTROLLED > CANCELLED'],
    play: async (store) => {
      const story = await Story.begin(store)
      await story.started(oneStep({ concurrency: single }))
      await story.ask(await story.started(oneStep({ concurrency: single })), 'cancel')
    },
  },
  {
    name: 'the time of a step went by in line',
    reaches: ['CONCURRENCY_CONTROLLED > TIMEOUT'],
    play: async (store) => {
      const story = await Story.begin(store)
      const short = oneStep({ concurrency: single, timeout: { totalMs: minute } })
      await story.started(oneStep({ concurrency: single }))
      await story.started(short)
      await story.pass(2 * minute)
      await story.end()
      await story.pass(10 * second)
    },
  },
  {
    name: 'no room is the end of a step that doesn’t wait',
    reaches: ['REGISTERED > CONCURRENCY_CONTROLLED_FINAL'],
    play: async (store) => {
      const story = await Story.begin(store)
      await story.started(oneStep({ concurrency: strict }))
      await story.started(oneStep({ concurrency: strict }))
    },
  },
  {
    name: 'a claim is given back for a permit that its parameters name',
    reaches: ['PENDING > REROUTED', 'REROUTED > CONCURRENCY_CONTROLLED'],
    play: async (store) => {
      const story = await Story.begin(store)
      await story.started(oneStep({ concurrency: byArguments }))
      await story.started(oneStep({ concurrency: byArguments }))
    },
  },
  {
    name: 'no room for what its parameters name is the end',
    reaches: ['REROUTED > CONCURRENCY_CONTROLLED_FINAL'],
    play: async (store) => {
      const story = await Story.begin(store)
      const document = oneStep({ concurrency: { ...byArguments, onFull: 'final' } })
      await story.started(document)
      await story.started(document)
    },
  },
]

const givenBack: readonly Scenario[] = [
  {
    name: 'the policy asks about a claimed step, which a person approves',
    reaches: ['REROUTED > APPROVAL_REQUIRED'],
    play: async (store) => {
      const story = await Story.begin(store)
      await setRules(story, [{ id: 'ask', match: { kinds: ['noop'] }, decision: 'REQUIRE_APPROVAL' }])
      await story.started()
    },
  },
  {
    name: 'the policy denies a claimed step',
    reaches: ['REROUTED > DENIED', 'run RUNNING > DENIED'],
    play: async (store) => {
      const story = await Story.begin(store)
      await setRules(story, [{ id: 'no', match: { kinds: ['noop'] }, decision: 'DENY' }])
      await story.started()
    },
  },
  {
    name: 'a claim is given back, and then nobody can do it',
    reaches: ['PENDING_RECOVERY > REROUTED', 'REROUTED > FAILED'],
    play: async (store) => {
      const story = await pendingElsewhere(store, { schedulingAttemptsMax: 1 })
      await story.die(1)
      await story.pass(10 * minute)
    },
  },
  {
    name: 'a claim is given back, and nobody takes it in time',
    reaches: ['REROUTED > TIMEOUT'],
    play: async (store) => {
      const story = await pendingElsewhere(store, { dispatchTimeoutMs: minute })
      await story.die(1)
      await story.pass(10 * minute)
    },
  },
  {
    name: 'a claim is given back, and the run is cancelled',
    reaches: ['REROUTED > CANCELLED'],
    play: async (store) => {
      const story = await pendingElsewhere(store, {})
      await story.die(1)
      const [run] = await story.store.list(0, 'runs', {
        filter: { statuses: null, workflowId: null, includeCore: false },
        page: { after: null, limit: 1 },
      })
      if (run !== undefined) await story.ask(run.id, 'cancel')
    },
  },
]

/** A step that only the second engine can do is claimed by it, and its parameters are never resolved. */
async function pendingElsewhere(
  store: Parameters<typeof Story.begin>[0],
  settings: Parameters<typeof Story.begin>[1],
): Promise<Story> {
  const story = await Story.begin(store, settings)
  await story.launch({ ...settings, pools: ['elsewhere'] })
  story.resolving = new Promise(() => {})
  await story.started(oneStep({ ...nowhere, concurrency: byArguments }), 1)
  return story
}

const anotherTry: readonly Scenario[] = [
  {
    name: 'a failed step is tried again',
    reaches: ['RUNNING > RETRY', 'RETRY > PENDING'],
    play: async (store) => {
      const story = await Story.begin(store)
      await story.started(oneStep({ retry: twice }))
      await story.end(broken())
      await story.pass(minute)
      await story.end()
    },
  },
  {
    name: 'another try finds no room',
    reaches: ['RETRY > CONCURRENCY_CONTROLLED'],
    play: (store) => losesItsRoom(store, 'reroute'),
  },
  {
    name: 'another try finds no room, and doesn’t wait',
    reaches: ['RETRY > CONCURRENCY_CONTROLLED_FINAL'],
    play: (store) => losesItsRoom(store, 'final'),
  },
  {
    name: 'the run is cancelled between two tries',
    reaches: ['RETRY > CANCELLED'],
    play: async (store) => {
      const story = await Story.begin(store)
      const run = await story.started(oneStep({ retry: twice }))
      await story.end(broken())
      await story.ask(run, 'cancel')
    },
  },
  {
    name: 'nobody is there any more for another try',
    reaches: ['RETRY > FAILED'],
    play: (store) => losesItsRunner(store, {}),
  },
  {
    name: 'nobody is there any more for another try, and its time is over',
    reaches: ['RETRY > TIMEOUT'],
    play: (store) => losesItsRunner(store, { timeout: { totalMs: 2 * minute } }),
  },
]

async function losesItsRoom(store: Parameters<typeof Story.begin>[0], onFull: string): Promise<void> {
  const story = await Story.begin(store)
  const document = oneStep({ retry: twice, concurrency: { running: 'TASK', onFull } })
  await story.started(document)
  await story.end(broken())
  await story.started(document)
  await story.pass(minute)
}

async function losesItsRunner(
  store: Parameters<typeof Story.begin>[0],
  node: Parameters<typeof oneStep>[0],
): Promise<void> {
  const story = await Story.begin(store, { schedulingAttemptsMax: 1 })
  await story.launch({ pools: ['elsewhere'] })
  await story.started(oneStep({ ...nowhere, retry: twice, ...node }), 1)
  await story.end(broken())
  await story.die(1)
  await story.pass(10 * minute)
}

export const available: readonly Scenario[] = [...registered, ...inLine, ...givenBack, ...anotherTry]
