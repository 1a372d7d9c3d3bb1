/** What of a map was done in earlier generations of its run, for one that takes that over. */

import type { NodeId } from '../model/ids.ts'
import { invocationIdOf } from '../model/ids.ts'
import type { InvocationRecord } from '../model/invocation.ts'
import { nodeMeaningsOf } from '../model/node-meanings.ts'
import type { Payload } from '../model/payload.ts'
import type { ItemPlace } from '../model/taken-items.ts'
import { placeOfTaken } from '../model/taken-items.ts'
import type { CompiledNode, CompiledWorkflow } from './compile.ts'
import { isLevelDone } from './rebuild.ts'
import type { RunState } from './run-state.ts'
import { forwardId } from './run-state.ts'
import { pathInto } from './scope-path.ts'

/** What is known of a map's items before it opens them. */
export interface DoneItems {
  /** The same where the steps inside mean the same, and those before the map that they may read are the same. */
  readonly meaning: string
  /** The map as it was, newest first: what tells its items apart, and where each that was done has its records. */
  readonly earlier: readonly {
    readonly digests: Payload
    readonly placeOf: (index: number) => ItemPlace | null
  }[]
}

/** Null for whatever takes nothing over. A map inside of a body begins anew with the item that it is part of. */
export function doneItemsOf(state: RunState, node: CompiledNode, record: InvocationRecord): DoneItems | null {
  if (node.kind !== 'map' || node.parameters['onAgain'] !== 'rest') return null
  if (record.path !== '' || record.role !== 'forward') return null
  const earlier: DoneItems['earlier'][number][] = []
  for (let generation = record.generation - 1; generation >= 0; generation -= 1) {
    const map = state.invocations.get(idOf(record, { generation, node, path: '' }))
    const digests = map?.dispatch?.digests
    if (map === undefined || digests === undefined) continue
    earlier.push({ digests, placeOf: (index) => donePlace(state, { node, map }, index) })
  }
  const meaning = meaningOf(state, node)
  return { meaning: meaning.includes('nodes') ? meaning + stepsBefore(state, node) : meaning, earlier }
}

const meanings = new WeakMap<CompiledWorkflow, ReadonlyMap<NodeId, string>>()

function meaningOf({ workflow }: RunState, { id }: CompiledNode): string {
  let known = meanings.get(workflow)
  if (known === undefined) {
    known = nodeMeaningsOf(workflow.document, new Map())
    meanings.set(workflow, known)
  }
  return known.get(id) ?? ''
}

function donePlace(
  state: RunState,
  { node, map }: { readonly node: CompiledNode; readonly map: InvocationRecord },
  index: number,
): ItemPlace | null {
  const { generation } = map
  const place = placeOfTaken(map.dispatch, index) ?? { generation, index }
  const path = pathInto('', node, place.index)
  const recordOf = (inner: CompiledNode) =>
    state.invocations.get(idOf(map, { generation: place.generation, node: inner, path }))
  return node.body !== null && isLevelDone(node.body, recordOf) ? place : null
}

const idOf = (
  { runId }: Pick<InvocationRecord, 'runId'>,
  {
    generation,
    node,
    path,
  }: { readonly generation: number; readonly node: CompiledNode; readonly path: string },
) => invocationIdOf({ runId, generation, nodeId: node.id, path, role: 'forward' })

/** The records that count of all steps that lead to it: another one where any of them began anew. */
function stepsBefore(state: RunState, node: CompiledNode): string {
  const before = new Set<CompiledNode>([node])
  for (const at of before) for (const { from } of at.waysIn) before.add(from)
  before.delete(node)
  const ids = [...before].map(({ id }) => forwardId(state, id)).filter((id) => state.invocations.has(id))
  return JSON.stringify(ids.sort())
}
