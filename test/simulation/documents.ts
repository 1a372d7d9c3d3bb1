/** Random workflows with all that the engine has: limits, lines, bodies, signals, large values. */

import type { JsonObject, JsonValue } from '../../src-engine/model/json.ts'
import { parseDocument } from '../../src-engine/model/read-document.ts'
import type { WorkflowDocument } from '../../src-engine/model/workflow.ts'
import type { RandomSource } from '../support/random-source.ts'
import { randomWorkflow } from '../support/random-workflow.ts'

/** A debug step that is to make up so many hands on a large value. */
export const heavyItems = 5_000

/** What the steps of all workflows wait for. */
export const signalNames: readonly string[] = ['go', 'stop']

type Nodes = Record<string, JsonObject>

/** A valid document. */
export function randomDocument(random: RandomSource, index: number): WorkflowDocument {
  const mayFail = random.chance(0.7)
  const drawn = randomWorkflow(random, { nodesMax: 10, mayFail })
  const habits = {
    crowded: random.chance(0.4),
    large: random.chance(0.15),
    bodies: random.chance(0.3),
    signals: random.chance(0.25),
    calls: index > 0 && random.chance(0.3),
    events: random.chance(0.2),
    stops: random.chance(0.1),
  }
  const nodes: Nodes = {}
  const edges: Nodes = { ...(drawn['edges'] as Nodes) }
  for (const [id, node] of Object.entries(drawn['nodes'] as Nodes)) {
    const isLast = !Object.values(edges).some((edge) => (edge['from'] as JsonObject)['node'] === id)
    const kind = kindInstead(random, node, { ...habits, stops: habits.stops && isLast })
    if (kind === 'map' || kind === 'loop' || kind === 'semaphore') {
      nodes[id] = container(random, node, kind)
      body(random, { id, nodes, edges, mayFail, depth: 1 })
    } else if (kind === 'wait-signal') nodes[id] = waitForSignal(random, node)
    else if (kind !== null) nodes[id] = { ...kept(node), ...otherStep(random, kind, index) }
    else {
      nodes[id] = {
        ...node,
        ...(habits.crowded ? crowd(random) : {}),
        ...(habits.large ? heavy(random, node) : {}),
        ...stubborn(random, node),
        ...passedOver(id),
        ...joinsItsWay(id, node),
        ...cached(id, node),
        ...lost(random, mayFail),
      }
    }
  }
  const read = parseDocument({
    format: 'sagasmith.workflow',
    schemaVersion: 1,
    id: `w${index}`,
    title: `Workflow ${index}`,
    settings: { ...(drawn['settings'] as JsonObject), ...(habits.crowded ? crowdOfRuns(random) : {}) },
    nodes,
    edges,
  })
  if (!read.ok) throw read.error
  return read.value.document
}

/** A few are skipped by a condition; without a draw, for the seeds stay what they are. */
function passedOver(id: string): JsonObject {
  if (id === 'n5') return { skipIf: 'true' }
  return id === 'n7' ? { skipIf: 'true', onSkip: 'pass' } : {}
}

/** A few joins wait only so long, and make something else of what came; again without a draw. */
function joinsItsWay(id: string, { kind }: JsonObject): JsonObject {
  if (kind !== 'join' || !['n3', 'n4', 'n6'].includes(id)) return {}
  const time = { amount: 900, unit: 'milliseconds', late: id === 'n6' ? 'cancel' : 'finish' }
  const ways = { n3: ['port', 'arrivals'], n4: ['fail', 'deep'], n6: ['port', 'list'] } as const
  const [onTimeout, gather] = ways[id as keyof typeof ways]
  return { parameters: { ...time, onTimeout, gather } }
}

/** Every third kind of loop is left by a step beside the others; again without a draw. */
function leavesLoop(container: JsonObject, count: number): string | null {
  const { kind, parameters } = container
  if (kind !== 'loop' || (parameters as JsonObject)['count'] !== 3 || count === 1) return null
  return count === 2 ? 'next-turn' : 'break-loop'
}

/** A few of those without effects take over what they gave before; without a draw, too. */
function cached(id: string, { kind, sideEffect }: JsonObject): JsonObject {
  const isPure = sideEffect === undefined && kind === 'debug'
  return isPure && (id === 'n2' || id === 'n4') ? { cache: { ttlMs: 600_000, key: 'true' } } : {}
}

type OtherKind = 'sub-workflow' | 'emit-event' | 'stop' | 'throttle'

type ContainerKind = 'map' | 'loop' | 'semaphore'
const containerKinds: readonly ContainerKind[] = ['map', 'loop', 'semaphore']

interface Habits {
  readonly bodies: boolean
  readonly signals: boolean
  readonly calls: boolean
  readonly events: boolean
  readonly stops: boolean
  readonly crowded: boolean
}

/** Another kind for a step that has one way out; null to leave it. */
function kindInstead(
  random: RandomSource,
  node: JsonObject,
  habits: Habits,
): ContainerKind | 'wait-signal' | OtherKind | null {
  if (node['kind'] !== 'debug' && node['kind'] !== 'noop') return null
  if (habits.bodies && random.chance(0.4)) return random.pick(containerKinds)
  if (habits.signals && random.chance(0.4)) return 'wait-signal'
  if (habits.calls && random.chance(0.4)) return 'sub-workflow'
  if (habits.events && random.chance(0.4)) return 'emit-event'
  if (habits.stops && random.chance(0.4)) return 'stop'
  return habits.crowded && random.chance(0.3) ? 'throttle' : null
}

/** A workflow calls only those before it: no run calls itself for ever. */
function otherStep(random: RandomSource, kind: OtherKind, index: number): JsonObject {
  if (kind === 'emit-event') return { kind, parameters: { name: random.pick(signalNames) } }
  if (kind === 'throttle') return { kind, parameters: throttle(random) }
  if (kind === 'stop')
    return { kind, parameters: { status: random.pick(['succeeded', 'failed', 'cancelled']) } }
  return {
    kind,
    parameters: { workflow: `w${random.below(index)}`, mode: random.pick(['wait', 'wait', 'start']) },
  }
}

/** Of this step, or of all workflows together. */
const throttle = (random: RandomSource): JsonObject => ({
  count: 1 + random.below(3),
  amount: 500 + random.below(4_000),
  unit: 'milliseconds',
  onFull: random.pick(['wait', 'wait', 'skip']),
  ...(random.chance(0.5) ? { key: random.pick(['a', 'b']), scope: 'workspace' } : {}),
})

/** One that others share has the same number for all of them. */
function semaphore(random: RandomSource): JsonObject {
  const onFull = random.pick(['wait', 'wait', 'wait', 'skip'])
  if (random.chance(0.5)) return { permits: 1 + random.below(2), onFull }
  const key = random.pick(['a', 'b'])
  return { permits: key === 'a' ? 1 : 2, key, scope: 'workspace', onFull }
}

/** How many runs of a workflow there may be, and what becomes of one too many. */
function crowdOfRuns(random: RandomSource): JsonObject {
  if (random.chance(0.6)) return {}
  const onFull = random.pick(['queue', 'queue', 'skip', 'replace', 'fail'])
  return { concurrency: { limit: 1 + random.below(2), onFull } }
}

/** What stays of a step that becomes another kind. */
function kept(node: JsonObject): JsonObject {
  const { join, disabled, bypassed, onError } = node
  const parts = { join, disabled, bypassed, onError }
  return Object.fromEntries(
    Object.entries(parts).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  )
}

function container(random: RandomSource, node: JsonObject, kind: ContainerKind): JsonObject {
  if (kind === 'semaphore') {
    const parameters = semaphore(random)
    // Without another draw: the seeds stay what they are.
    return parameters['permits'] === 1 ? { ...kept(node), ...breaker } : { ...kept(node), kind, parameters }
  }
  const count = random.below(4)
  const parameters =
    kind === 'loop'
      ? {
          mode: 'count',
          count,
          max: 100,
          onMax: 'fail',
          delay: count === 2 ? 700 : 0,
          unit: 'milliseconds',
        }
      : {
          items: Array.from({ length: count + random.below(3) }, (_, item) => item),
          limit: 1 + random.below(3),
          tolerate: random.below(2),
        }
  return { ...kept(node), kind, parameters }
}

/** Opens soon, and lets somebody try soon after. */
const breaker = {
  kind: 'circuit-breaker',
  parameters: { failures: 2, windowMs: 60_000, openMs: 2_000, probes: 1 },
}

/** One to three steps in a row, perhaps with a body of their own. */
function body(
  random: RandomSource,
  place: {
    readonly id: string
    readonly nodes: Nodes
    readonly edges: Nodes
    readonly mayFail: boolean
    readonly depth: number
  },
): void {
  const { id, nodes, edges, mayFail, depth } = place
  const count = 1 + random.below(3)
  for (let index = 0; index < count; index += 1) {
    const own = `${id}b${index}`
    const drawn = random.next()
    const parts: JsonObject = { kind: 'debug', parameters: { failTimes: mayFail ? random.below(2) : 0 } }
    if (drawn < 0.15 && depth < 2) {
      // Two that share a key would wait for each other.
      const isHolding = (nodes[id] as JsonObject)['kind'] === 'semaphore'
      const kinds = isHolding ? containerKinds.filter((kind) => kind !== 'semaphore') : containerKinds
      nodes[own] = { ...container(random, {}, random.pick(kinds)), parent: id }
      body(random, { ...place, id: own, depth: depth + 1 })
    } else if (drawn < 0.25) nodes[own] = { ...waitForSignal(random, {}), parent: id }
    else {
      const retry = mayFail && random.chance(0.8) ? { retry: { maxAttempts: 3, delayMs: 100 } } : {}
      nodes[own] = { ...parts, ...retry, ...lost(random, mayFail), parent: id }
    }
    const leaving = index === count - 1 ? leavesLoop(nodes[id] as JsonObject, count) : null
    if (leaving !== null && nodes[own]?.['kind'] === 'debug') nodes[own] = { kind: leaving, parent: id }
    else if (index > 0) {
      edges[`${id}e${index}`] = {
        from: { node: `${id}b${index - 1}`, port: 'out' },
        to: { node: own, port: 'in' },
      }
    }
  }
}

function waitForSignal(random: RandomSource, node: JsonObject): JsonObject {
  const onTimeout = random.pick(['wait', 'port', 'fail'])
  const parameters = {
    name: random.pick(signalNames),
    onTimeout,
    amount: 500 + random.below(10_000),
    unit: 'milliseconds',
  }
  // Without another draw: the seeds stay what they are.
  if (parameters.amount % 3 === 0) {
    const { name: _none, ...times } = parameters
    const calls = parameters.amount % 2 === 0 ? 1 : 2
    return { ...kept(node), kind: 'wait-webhook', parameters: { ...times, calls } }
  }
  // Again without a draw: some wait for two or three.
  const count = parameters.amount % 5 === 0 ? 2 + (parameters.amount % 2) : 1
  return { ...kept(node), kind: 'wait-signal', parameters: { ...parameters, count } }
}

/** Now and then only a few may run at a time, or start within a while. */
function crowd(random: RandomSource): JsonObject {
  const parts: Record<string, JsonValue> = {}
  if (random.chance(0.4)) {
    const running = random.pick(['TASK', 'TASK', 'ARGUMENTS', 'KEYS'])
    const registration = random.pick(['DISABLED', 'DISABLED', 'TASK', 'ARGUMENTS'])
    parts['concurrency'] = {
      running,
      registration,
      ...(running === 'KEYS' ? { keys: ['failTimes'] } : {}),
      limit: 1 + random.below(2),
      onFull: random.chance(0.8) ? 'reroute' : 'final',
      delayMs: random.chance(0.3) ? random.below(500) : 0,
    }
  }
  if (random.chance(0.15))
    parts['rateLimit'] = { count: 1 + random.below(3), perMs: 500 + random.below(4_000) }
  return parts
}

/** Some steps fail as often as they are tried. */
function stubborn(random: RandomSource, node: JsonObject): JsonObject {
  if (node['retry'] === undefined || node['kind'] !== 'debug' || random.chance(0.8)) return {}
  return { parameters: { failTimes: 9 } }
}

/** Some steps hand on more than a record holds. */
function heavy(random: RandomSource, node: JsonObject): JsonObject {
  if (node['kind'] !== 'debug' || random.chance(0.5)) return {}
  return { parameters: { ...(node['parameters'] as JsonObject), items: heavyItems } }
}

/** Some say themselves what becomes of them when their runner is gone. */
function lost(random: RandomSource, mayFail: boolean): JsonObject {
  return mayFail && random.chance(0.1) ? { onLost: random.pick(['ask', 'retry', 'fail']) } : {}
}
