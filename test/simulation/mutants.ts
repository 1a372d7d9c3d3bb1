/** Planted bugs, each with the invariant that has to notice it: a simulator that finds nothing proves nothing. */

import type { CommitAnswer } from '../../src-engine/model/checkpoint.ts'
import type { TaskHost } from '../../src-engine/runtime/task-host.ts'
import type { Store } from '../../src-engine/store/store.ts'
import type { TaskContext, TaskOutcome } from '../../src-engine/tasks/task.ts'
import { completed } from '../../src-engine/tasks/task.ts'
import type { RandomSource } from '../support/random-source.ts'
import { flowBugs } from './flow-mutants.ts'
import { historyBugs } from './history-mutants.ts'
import { keepingBugs } from './keeping-mutants.ts'
import { oversightBugs } from './oversight-mutants.ts'
import { particularBugs } from './particular-mutants.ts'
import type { PlantedBug } from './planted-bug.ts'
import { sagaBugs } from './saga-mutants.ts'
import { schedulingBugs } from './scheduling-mutants.ts'
import { storeBugs } from './store-mutants.ts'

const accepted: CommitAnswer = { kind: 'accepted' }

type Execute = (parameters: unknown, context: TaskContext) => TaskOutcome | Promise<TaskOutcome>

const withExecute = (host: TaskHost, wrap: (execute: Execute) => Execute): TaskHost => ({
  ...host,
  runOf: (kind) => {
    const run = host.runOf(kind)
    return run === null ? null : { execute: wrap(run.execute) }
  },
})

const changedContext = (context: TaskContext, change: Partial<TaskContext>): TaskContext =>
  Object.defineProperties(Object.create(context) as TaskContext, Object.getOwnPropertyDescriptors(change))

/** Bugs in the engine around its tasks, its clock and its commits. */
const engineBugs: readonly PlantedBug[] = [
  {
    name: 'the idempotency key depends on the attempt',
    noticedBy: ['I15'],
    host: (host) =>
      withExecute(host, (execute) => (parameters, context) => {
        const idempotencyKey = `${context.idempotencyKey}${context.attempt}`
        return execute(parameters, changedContext(context, { idempotencyKey }))
      }),
  },
  {
    name: 'an attempt is executed twice',
    noticedBy: ['I16'],
    host: (host) =>
      withExecute(host, (execute) => async (parameters, context) => {
        await execute(parameters, context)
        return execute(parameters, context)
      }),
  },
  {
    name: 'a step gets another input than recorded',
    noticedBy: ['I17'],
    host: (host) =>
      withExecute(
        host,
        (execute) => (parameters, context) =>
          execute(parameters, changedContext(context, { input: [context.input] })),
      ),
  },
  {
    name: 'a refused commit counts as accepted',
    noticedBy: ['I10', 'I12', 'I13', 'I15', 'I16'],
    store: (store: Store) => ({
      ...store,
      commit: async (partition, checkpoints) => {
        const answers = await store.commit(partition, checkpoints)
        return answers.map((answer) => (answer.kind === 'refused' ? accepted : answer))
      },
    }),
  },
  {
    name: 'now and then a commit is acknowledged and not written',
    noticedBy: ['I10', 'I11', 'I12'],
    store: (store: Store, random: RandomSource) => ({
      ...store,
      commit: async (partition, checkpoints) =>
        random.chance(0.05) ? checkpoints.map(() => accepted) : store.commit(partition, checkpoints),
    }),
  },
  {
    name: 'leases run out at once',
    noticedBy: ['I13', 'I16'],
    store: (store: Store) => ({
      ...store,
      listExpired: (query) => store.listExpired({ ...query, now: query.now + 1_000_000 }),
    }),
  },
  {
    name: 'what a dead runner owned is never looked for',
    noticedBy: ['I12'],
    store: (store: Store) => ({ ...store, listExpired: async () => [] }),
  },
  {
    name: 'timers don’t ring',
    noticedBy: ['I12'],
    store: (store: Store) => ({ ...store, listDue: async () => ({ due: [], nextAt: null }) }),
  },
  {
    name: 'a renewal says that every lease is lost',
    noticedBy: ['I12', 'I13'],
    store: (store: Store) => ({
      ...store,
      renew: async (request) => {
        await store.renew(request)
        return { lost: request.leases.map((lease) => lease.invocationId), cancelRequested: [] }
      },
    }),
  },
  {
    name: 'every runner is taken for dead',
    noticedBy: ['I13'],
    believesAllDead: true,
  },
  {
    name: 'a step is said to be done without being executed',
    noticedBy: ['I15'],
    host: (host) =>
      withExecute(
        host,
        (execute) => async (parameters, context) =>
          context.nodeId === 'n2' ? completed(null) : execute(parameters, context),
      ),
  },
  {
    name: 'the attempt that is executed isn’t the one that was recorded',
    noticedBy: ['I15'],
    host: (host) =>
      withExecute(
        host,
        (execute) => (parameters, context) =>
          execute(parameters, changedContext(context, { attempt: context.attempt + 1 })),
      ),
  },
  {
    name: 'all steps of a run share an idempotency key',
    noticedBy: ['I15'],
    host: (host) =>
      withExecute(
        host,
        (execute) => (parameters, context) =>
          execute(parameters, changedContext(context, { idempotencyKey: context.runId })),
      ),
  },
  {
    name: 'a repeated request is a new one',
    noticedBy: ['I9'],
    engine: (engine, random) => {
      const startRun = engine.startRun.bind(engine)
      const named = (requestId: string | null) =>
        requestId === null ? null : `${requestId} ${random.below(1_000)}`
      return Object.assign(engine, {
        startRun: (request: Parameters<typeof startRun>[0]) =>
          startRun({ ...request, requestId: named(request.requestId) }),
      })
    },
  },
]

/** The planted bugs. */
export const plantedBugs: readonly PlantedBug[] = [
  ...engineBugs,
  ...storeBugs,
  ...flowBugs,
  ...schedulingBugs,
  ...sagaBugs,
  ...oversightBugs,
  ...historyBugs,
  ...keepingBugs,
  ...particularBugs,
]
