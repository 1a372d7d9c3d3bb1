/**
 * Who has a say: steps that ask people, a safety policy, and an output policy. Drawn apart from all else, and only
 * for some seeds, so that the stories of the others stay as they are.
 */

import { runnerId } from '../../src-engine/model/ids.ts'
import type { JsonObject } from '../../src-engine/model/json.ts'
import type { PolicyDocument } from '../../src-engine/model/policy/policy.ts'
import { policyHashOf } from '../../src-engine/model/policy/policy-snapshots.ts'
import { parsePolicy } from '../../src-engine/model/policy/read-policy.ts'
import { engineSettings } from '../../src-engine/model/settings/engine-settings.ts'
import type { WorkflowDocument, WorkflowNode } from '../../src-engine/model/workflow.ts'
import { savePolicy } from '../../src-engine/runtime/output-policy/policy-register.ts'
import { createPolicyBook } from '../../src-engine/runtime/policy/policy-book.ts'
import type { Store } from '../../src-engine/store/store.ts'
import { taskSpecsByKind } from '../../src-engine/tasks/specs.ts'
import type { RandomSource } from '../support/random-source.ts'

/** Somebody looks at what waits for people; who comes together decides about the same at once. */
export interface Visit {
  readonly after: number
  readonly people: readonly string[]
}

export interface Oversight {
  /** Counts from the beginning until the chaos is over; null for none. */
  readonly policy: PolicyDocument | null
  /** Counts from the beginning; null where nobody judges results. */
  readonly output: OutputRules | null
  readonly visits: readonly Visit[]
}

/** What rules say, by the ids of steps. */
export interface OutputRules {
  /** Steps whose results are held back before anybody sees them. */
  readonly held: readonly string[]
  /** Steps whose results are held back once somebody has looked inside. */
  readonly scanned: readonly string[]
}

/** What of a scenario it has a say in. */
interface Told<Start> {
  readonly documents: readonly WorkflowDocument[]
  readonly starts: readonly Start[]
  readonly chaosMs: number
  readonly oversight: Oversight | null
}

/** The same story with somebody who has a say in it, or without. */
export function overseen<Start extends { readonly document: WorkflowDocument }, Scenario extends Told<Start>>(
  random: RandomSource,
  scenario: Scenario & Told<Start>,
): Scenario {
  if (!random.chance(0.25)) return scenario
  const has = { approvals: random.chance(0.6), policy: random.chance(0.5), output: random.chance(0.5) }
  const documents = scenario.documents.map((document) =>
    has.approvals ? asking(random, document) : document,
  )
  const places = new Map(
    scenario.documents.map((document, index) => [document, documents[index] ?? document]),
  )
  return {
    ...scenario,
    documents,
    starts: scenario.starts.map((start) => ({
      ...start,
      document: places.get(start.document) ?? start.document,
    })),
    oversight: {
      policy: has.policy ? randomPolicy(random) : null,
      output: has.output ? randomOutputRules(random) : null,
      visits: Array.from({ length: 2 + random.below(8) }, () => ({
        after: random.below(scenario.chaosMs),
        people: random.chance(0.5) ? ['ann', 'bob'] : [random.pick(['ann', 'bob'])],
      })),
    },
  }
}

const name = (random: RandomSource): string => `n${random.below(7)}`

function asking(random: RandomSource, document: WorkflowDocument): WorkflowDocument {
  const nodes: Record<string, WorkflowNode> = {}
  const ports = new Map<string, readonly string[]>()
  for (const [id, node] of Object.entries(document.nodes)) {
    const may = (node.kind === 'debug' || node.kind === 'noop') && node.bypassed !== true
    if (!may || !random.chance(0.25)) {
      nodes[id] = node
      continue
    }
    const parameters = question(random, id)
    ports.set(id, ['approved', 'approved', parameters['onReject'] === 'port' ? 'rejected' : 'approved'])
    const { join, disabled, onError, parent } = node
    const kept = Object.entries({ join, disabled, onError, parent }).filter(
      ([, value]) => value !== undefined,
    )
    nodes[id] = { ...Object.fromEntries(kept), kind: 'approval', parameters }
  }
  const edges = Object.entries(document.edges).map(([id, edge]) => {
    const ways = edge.from.port === 'out' ? ports.get(edge.from.node) : undefined
    return [id, ways === undefined ? edge : { ...edge, from: { ...edge.from, port: random.pick(ways) } }]
  })
  return { ...document, nodes, edges: Object.fromEntries(edges) }
}

function question(random: RandomSource, id: string): JsonObject {
  return {
    title: `May ${id} go on?`,
    onReject: random.pick(['port', 'deny']),
    pushBack: false,
    approvers: random.chance(0.2) ? ['ann'] : [],
    onExpiry: random.pick(['wait', 'reject', 'fail']),
    amount: (1 + random.below(60)) / 120,
    unit: 'minutes',
    escalates: random.chance(0.2),
    escalateAmount: (1 + random.below(60)) / 240,
    escalateUnit: 'minutes',
    escalateTo: ['bob'],
  }
}

/** One to four rules about steps by their names, and now and then one about starts. */
function randomPolicy(random: RandomSource): PolicyDocument {
  const rules: JsonObject[] = []
  if (random.chance(0.3)) {
    const decision = random.pick(['DENY', 'REQUIRE_APPROVAL', 'THROTTLE'])
    rules.push({ id: 'start', match: { at: 'start', workflows: [`w${random.below(3)}`] }, decision })
  }
  const count = 1 + random.below(4)
  for (let index = 0; index < count; index += 1) rules.push(randomRule(random, `r${index}`))
  const read = parsePolicy({
    format: 'sagasmith.policy',
    schemaVersion: 1,
    defaultDecision: 'ALLOW',
    rules,
  })
  if (!read.ok) throw read.error
  return read.value
}

function randomRule(random: RandomSource, id: string): JsonObject {
  const rule = { id, match: { nodes: [name(random), name(random)] } }
  const drawn = random.next()
  if (drawn < 0.25) return { ...rule, decision: 'DENY' }
  if (drawn < 0.55) return { ...rule, decision: 'REQUIRE_APPROVAL' }
  if (drawn < 0.7) return { ...rule, decision: 'THROTTLE' }
  if (drawn < 0.8) {
    const velocity = { max: 1 + random.below(2), windowMs: 1_000 + random.below(9_000), key: 'workflow' }
    return { ...rule, velocity, decision: 'THROTTLE' }
  }
  if (drawn < 0.9) return { ...rule, decision: 'ALLOW' }
  const constraints = { maxRuntimeMs: 5_000, maxRetries: random.below(3), maxConcurrent: 1 + random.below(2) }
  return { ...rule, decision: 'ALLOW_WITH_CONSTRAINTS', constraints }
}

function randomOutputRules(random: RandomSource): OutputRules {
  const held = random.chance(0.6) ? [name(random)] : []
  const scanned = held.length === 0 || random.chance(0.6) ? [name(random), name(random)] : []
  return { held, scanned: [...new Set(scanned)].filter((id) => !held.includes(id)) }
}

/** What a message said is judged like all else; but then nobody could tell any more who took it. */
const topics = [...taskSpecsByKind.keys()].filter((kind) => kind !== 'wait-signal')

/** What every step of a seed gives has its name in it: a look inside finds it. */
const wordIn = 'node'

const documentOf = ({ held, scanned }: OutputRules): JsonObject => ({
  format: 1,
  rules: [
    ...(held.length === 0
      ? []
      : [{ id: 'held', decision: 'quarantine', match: { nodes: [...held], topics } }]),
    ...(scanned.length === 0
      ? []
      : [
          {
            id: 'scanned',
            decision: 'quarantine',
            match: { nodes: [...scanned], topics, contentPatterns: ['n[0-9]'] },
          },
        ]),
  ],
})

/** Whether a look inside of this finds what the rules look for. */
export const isFound = (json: string): boolean => json.includes(`"${wordIn}":"n`)

/** Puts both in effect before anybody does anything. */
export async function writeOversight(store: Store, now: number, oversight: Oversight): Promise<void> {
  const { policy, output } = oversight
  const partition = store.info.partitions[0] ?? 0
  const clock = { now: () => now, monotonic: () => now, after: () => () => {} }
  const log = { debug() {}, info() {}, warn() {}, error() {} }
  const writer = {
    store,
    partition,
    owner: runnerId('runner_first'),
    clock,
    ids: { next: () => 'first' },
    log,
  }
  if (output !== null) await savePolicy(writer, { document: documentOf(output), version: 0, by: 'ann' })
  if (policy !== null) await putInEffect(writer, policy)
  // No failover takes it back: nobody would write it again.
  await store.confirm?.(null)
}

async function putInEffect(
  writer: Omit<Parameters<typeof createPolicyBook>[0], 'pollIntervalMs'>,
  policy: PolicyDocument,
): Promise<void> {
  const { pollIntervalMs } = engineSettings({})
  const snapshot = { at: writer.clock.now(), by: 'ann', note: '', title: '', ruleCount: policy.rules.length }
  const hash = policyHashOf(policy)
  const to = { policy, snapshot: { ...snapshot, hash } }
  await createPolicyBook({ ...writer, pollIntervalMs }).change({ to, by: 'ann', note: null })
}
