/**
 * What the steps of a workflow mean, one by one: a result may be kept from one version to another only where
 * the step is the same in both. How it is run (tries, times, pools, permits) doesn't count.
 */

import type { TaskSpecs } from './definition-hash.ts'
import { normalDocument } from './definition-hash.ts'
import type { NodeId } from './ids.ts'
import { nodeId } from './ids.ts'
import type { JsonObject, JsonValue } from './json.ts'
import { canonicalJson, isJsonObject } from './json.ts'
import type { WorkflowDocument } from './workflow.ts'
import { outputStepId } from './workflow.ts'

const howItRuns: ReadonlySet<string> = new Set([
  'retry',
  'timeout',
  'priority',
  'pool',
  'tags',
  'route',
  'rateLimit',
  'concurrency',
  'sideEffect',
  'onLost',
  'compensation',
  'cache',
  'keepOutput',
])

/**
 * By node, a text that is the same exactly where the node is: its kind, parameters, join and ways in, the
 * variables where it may read them, and for a map or loop all of its body.
 */
export function nodeMeaningsOf(
  workflow: WorkflowDocument,
  specsByKind: TaskSpecs,
): ReadonlyMap<NodeId, string> {
  const normal = normalDocument(workflow, specsByKind)
  const nodes = objectOf(normal['nodes'])
  const edges = Object.values(objectOf(normal['edges'])).filter(isJsonObject)
  const variables = normal['variables'] ?? null
  const own = new Map<string, JsonValue>()
  for (const [id, node] of Object.entries(nodes)) {
    if (!isJsonObject(node)) continue
    const said = Object.fromEntries(Object.entries(node).filter(([key]) => !howItRuns.has(key)))
    const waysIn = edges.filter(({ to }) => isJsonObject(to) && to['node'] === id).map(canonicalJson)
    const reads = canonicalJson(said).includes('vars') ? variables : null
    own.set(id, { said, waysIn: waysIn.sort(), reads })
  }
  const meanings = new Map<NodeId, string>()
  for (const id of own.keys()) {
    const within = [...own].filter(([inner]) => isWithin(workflow, inner, id))
    meanings.set(nodeId(id), canonicalJson(Object.fromEntries(within)))
  }
  const output = workflow.settings?.output
  if (output !== undefined) meanings.set(nodeId(outputStepId), output)
  return meanings
}

/** Whether a node is the other one, or stands in its body. */
function isWithin({ nodes }: WorkflowDocument, id: string, container: string): boolean {
  // A body in a body in a body; validation refuses circles, and a document that has one ends here too.
  let at: string | undefined = id
  for (let depth = 0; at !== undefined && depth <= 64; depth += 1) {
    if (at === container) return true
    at = nodes[nodeId(at)]?.parent
  }
  return false
}

const objectOf = (value: JsonValue | undefined): JsonObject => (isJsonObject(value) ? value : {})
