/** What gives the result of a sub-workflow once its steps stand in the place of its call. Pure. */

import { buildGraph } from '../graph.ts'
import type { NodeId } from '../ids.ts'
import type { WorkflowDocument } from '../workflow.ts'
import { outputPort } from '../workflow.ts'
import type { Begin } from './expand-begin.ts'
import { isMixed, leadsTo, loosePorts } from './leads-to.ts'
import type { TaskSpecs } from './node-expressions.ts'
import { pathName } from './root-mentions.ts'

export interface ResultPlan {
  /** The step whose result it is, and which takes the id of the call; null where one is added that makes it. */
  readonly step: NodeId | null
  /** With which steps the work may end. */
  readonly ends: readonly NodeId[]
  /** Steps of which only the run can tell whether the work ends with them. */
  readonly mixed: readonly NodeId[]
  /** Ways on that lead nowhere: to the step that is added. */
  readonly loose: readonly { readonly node: NodeId; readonly port: string }[]
  /** What the step that is added gives. */
  readonly expression: string
  /** Whether the ids of the ends are part of the result. */
  readonly isByEnd: boolean
}

/** `goesOn`: whether something follows the call, which is then to follow the one way on from its last step. */
export function resultOf(
  child: WorkflowDocument,
  begin: Begin,
  { specs, goesOn }: { readonly specs: TaskSpecs; readonly goesOn: boolean },
): ResultPlan {
  const graph = buildGraph(child)
  const undoing = new Set(Object.values(child.nodes).map(({ compensation }) => compensation?.node))
  const level = graph.nodes.filter(
    ({ id, node }) => node.parent === undefined && !undoing.has(id) && id !== begin.dropped,
  )
  const loose = level.flatMap(({ id }) =>
    loosePorts({ graph, specs }, id).map((port) => ({ node: id, port })),
  )
  const ends = [...new Set(loose.map(({ node }) => node))]
  const mixed = level.flatMap(({ id }) => (isMixed({ graph, specs }, id) ? [id] : []))
  const output = (child.settings?.output ?? '').trim()
  const [only, another] = ends
  const said = ends.find((id) => output === `nodes.${pathName(id)}.output`) ?? null
  const single = output === '' && another === undefined ? (only ?? null) : said
  const isPlain =
    single !== null &&
    loose.filter(({ node }) => node === single).every(({ port }) => port === outputPort || !goesOn) &&
    begin.starts.some((start) => leadsTo({ graph, specs }, start, single))
  // Then the others end beside it, as they did.
  if (isPlain && ends.length === 1)
    return { step: single, ends, mixed, loose: [], expression: '', isByEnd: false }
  return {
    step: null,
    ends,
    mixed,
    loose,
    isByEnd: output === '' && another !== undefined,
    // As runs put it: what the last step gave, or what each of several did by its id.
    expression: output === '' ? 'input' : output,
  }
}
