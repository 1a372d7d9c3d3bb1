/** How far a run is, as numbers for a row of a list. */

import { gateStepId } from '../model/engine-steps.ts'
import type { DefinitionHash, NodeId } from '../model/ids.ts'
import type { InvocationRecord } from '../model/invocation.ts'
import type { InvocationStatus } from '../model/invocation-status.ts'
import { invocationMachine } from '../model/invocation-status.ts'
import { isJsonObject } from '../model/json.ts'
import type { RunRecord } from '../model/run.ts'
import { runMachine } from '../model/run-status.ts'
import { outputStepId } from '../model/workflow.ts'
import type { RunSummary } from '../protocol/api.ts'
import type { Engine } from '../runtime/engine.ts'

type Counts = RunSummary['counts']

/** Several pages of a list; what falls out is counted again when it is asked for. */
const cachedMax = 2_000

/** A counter that remembers what can't change any more: ended runs and published versions. */
export function createRunCounts(engine: Engine): (run: RunRecord) => Promise<Counts> {
  const ended = new Map<string, Counts>()
  const totals = new Map<DefinitionHash, number>()
  const totalOf = async (hash: DefinitionHash): Promise<number> => {
    const known = totals.get(hash)
    if (known !== undefined) return known
    const version = await engine.version(hash)
    const document: unknown = JSON.parse(version.document)
    const nodes = isJsonObject(document) ? document['nodes'] : null
    const total = isJsonObject(nodes) ? Object.keys(nodes).length : 0
    return remember(totals, hash, total)
  }
  return async (run) => {
    const key = `${run.id}@${run.version}`
    const known = ended.get(key)
    if (known !== undefined) return known
    const invocations = await engine.store.load(run.partition, 'invocations', { runId: run.id })
    const counted = run.generation === 0 ? invocations : newestOf(invocations)
    const counts = { ...countNodes(counted), total: await totalOf(run.definitionHash) }
    return runMachine.final.has(run.status) ? remember(ended, key, counts) : counts
  }
}

/** Of a run that somebody had go on: what was done again counts once. */
function newestOf(invocations: readonly InvocationRecord[]): readonly InvocationRecord[] {
  const newest = new Map<string, InvocationRecord>()
  for (const record of invocations) {
    const place = `${record.nodeId} ${record.path} ${record.role}`
    if ((newest.get(place)?.generation ?? -1) < record.generation) newest.set(place, record)
  }
  return [...newest.values()]
}

/** Each drawn node once, however often a map or a loop ran it: at work, else failed, else done. */
function countNodes(invocations: readonly InvocationRecord[]): Omit<Counts, 'total'> {
  const states = new Map<NodeId, State>()
  for (const { status, nodeId } of invocations) {
    // Not a node that anybody drew.
    if (nodeId === outputStepId || nodeId === gateStepId) continue
    const state = stateOf(status)
    const before = states.get(nodeId)
    if (state !== null && (before === undefined || weights[state] > weights[before]))
      states.set(nodeId, state)
  }
  const counts = { done: 0, active: 0, failed: 0 }
  for (const state of states.values()) counts[state] += 1
  return counts
}

type State = 'done' | 'active' | 'failed'

const weights: Readonly<Record<State, number>> = { done: 0, failed: 1, active: 2 }

function stateOf(status: InvocationStatus): State | null {
  if (!invocationMachine.final.has(status)) return 'active'
  if (status === 'SUCCESS') return 'done'
  return status === 'CANCELLED' ? null : 'failed'
}

function remember<Key, Value>(map: Map<Key, Value>, key: Key, value: Value): Value {
  const oldest = map.size >= cachedMax ? map.keys().next() : null
  if (oldest?.done === false) map.delete(oldest.value)
  map.set(key, value)
  return value
}
