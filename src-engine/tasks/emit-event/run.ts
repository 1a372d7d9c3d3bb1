/**
 * Says what is to be told. Where the run is, it becomes durable together with the end of this attempt; in a cluster
 * it is durable before that end, and a repeat after a crash is known there by its message id.
 */

import { SagasmithError } from '../../model/errors.ts'
import type { JsonValue } from '../../model/json.ts'
import { correlationText } from '../correlation-text.ts'
import type { TaskContext, TaskOutcome, TaskRun } from '../task.ts'
import { completed } from '../task.ts'
import type { TaskPorts } from '../task-ports.ts'
import type { ClusterEvent } from './cluster-events.ts'
import type { EmitEventParameters } from './spec.ts'

/** The event with the way to clusters, where this machine knows some. */
export function createEmitEventRun({
  clusterEvents,
}: Pick<TaskPorts, 'clusterEvents'>): TaskRun<EmitEventParameters> {
  return {
    async execute({ name, payload, correlation, run, messageId, cluster }, context) {
      const event = {
        name,
        // A parameter's value is JSON by its making.
        payload: (payload === '' || payload === undefined ? context.input : payload) as JsonValue,
        correlation: correlationText(correlation),
        runId: run.trim() === '' ? null : run.trim(),
      }
      const own = messageId.trim()
      const to = cluster.trim()
      // The same in every attempt and after every recovery; in a cluster also another one than any other store's.
      if (to === '')
        return {
          ...{ kind: 'emits', ...event, output: context.input },
          messageId: own === '' ? `of:${context.invocationId}` : own,
        }
      const given = { ...event, cluster: to, messageId: own === '' ? `of:${context.idempotencyKey}` : own }
      return toldTo(clusterEvents, given, context)
    },
  }
}

async function toldTo(
  tell: TaskPorts['clusterEvents'],
  event: ClusterEvent,
  context: TaskContext,
): Promise<TaskOutcome> {
  const { cluster } = event
  if (tell === undefined)
    throw new SagasmithError('cluster_unknown', {
      message: `There is no cluster “${cluster}”: this engine knows none.`,
      hint: 'Run it in the app, by `sagasmith run` with a data directory, or by a runner: they know the connections of their machine.',
      details: { cluster },
    })
  const answer = await tell(event)
  const text = answer === 'accepted' ? `Told to ${cluster}.` : `${cluster} had it already: told once.`
  context.log({ level: 'info', stream: 'task', text })
  return completed(context.input)
}
