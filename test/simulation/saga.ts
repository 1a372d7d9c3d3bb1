/**
 * Runs that are undone, and people who decide about rollbacks. Drawn apart from all else, and only for some
 * seeds, so that the stories of the others stay as they are.
 */

import type { RunId } from '../../src-engine/model/ids.ts'
import type { JsonObject } from '../../src-engine/model/json.ts'
import { parseDocument } from '../../src-engine/model/read-document.ts'
import type { WorkflowDocument, WorkflowEdge, WorkflowNode } from '../../src-engine/model/workflow.ts'
import type { SagaAction } from '../../src-engine/protocol/saga.ts'
import type { Engine } from '../../src-engine/runtime/engine.ts'
import type { RandomSource } from '../support/random-source.ts'
import { createRandomSource } from '../support/random-source.ts'
import type { Cluster } from './cluster.ts'
import type { Scenario } from './scenario.ts'
import type { Stage } from './stage.ts'

const actions: readonly SagaAction[] = ['compensate', 'compensate', 'compensate', 'retry', 'skip', 'abandon']

/** The same scenario with steps that can be undone; for most seeds it stays as it is. */
export function withSaga(seed: number, drawn: Scenario): Scenario {
  const random = createRandomSource(`seed ${seed} saga`)
  if (!random.chance(0.3)) return drawn
  const documents = drawn.documents.map((document) => undoable(random, document))
  const starts = drawn.starts.map((start) => {
    const index = drawn.documents.indexOf(start.document)
    return { ...start, document: documents[index] ?? start.document }
  })
  const decisions = Array.from({ length: random.below(6) }, () => ({
    after: random.below(drawn.chaosMs),
    action: random.pick(actions),
  }))
  return { ...drawn, documents, starts, saga: { decisions } }
}

/** The node that undoes others, where one does. */
export const undoingNode = 'undo'

/** What only does its own work; maps, waits and the like have nothing that could be undone. */
const working: ReadonlySet<string> = new Set(['debug', 'noop', 'delay'])

function undoable(random: RandomSource, document: WorkflowDocument): WorkflowDocument {
  const has = {
    share: random.pick([0.4, 0.8, 1]),
    failures: random.chance(0.5),
    own: random.chance(0.4),
    scopes: random.chance(0.4),
    end: random.chance(0.5),
  }
  const nodes: Record<string, JsonObject | WorkflowNode> = {}
  const undone: string[] = []
  for (const [id, node] of Object.entries(document.nodes)) {
    nodes[id] = node
    if (!working.has(node.kind) || !random.chance(has.share)) continue
    undone.push(id)
    const sideEffect = node.sideEffect ?? random.pick(['pure', 'idempotent', 'idempotent', 'unsafe'] as const)
    // What is undone with its run always runs.
    const { cache: _cache, ...kept } = node
    nodes[id] = { ...kept, sideEffect, compensation: compensation(random, has) }
  }
  if (has.own) nodes[undoingNode] = undoing(random, has.failures)
  const edges: Record<string, WorkflowEdge | JsonObject> = { ...document.edges }
  // Most drawn workflows succeed, and then nothing is undone.
  const roots = Object.keys(document.nodes).filter((id) => document.nodes[id as never]?.parent === undefined)
  if (has.end && roots.length > 0) {
    nodes['breaks'] = { kind: 'stop', parameters: { status: random.pick(['failed', 'failed', 'cancelled']) } }
    const from = random.pick(roots)
    if (document.nodes[from as never]?.kind !== 'stop')
      edges['to-breaks'] = {
        from: { node: from, port: portOf(document.nodes[from as never]) },
        to: { node: 'breaks', port: 'in' },
      }
  }
  const read = parseDocument({
    ...document,
    nodes,
    edges,
    settings: { ...document.settings, ...rollbackOn(random) },
    ...(has.scopes && undone.length > 1 ? { sagaScopes: scopes(random, undone) } : {}),
  })
  if (!read.ok) throw read.error
  return read.value.document
}

/** A way by which a step is left. */
export function portOf(node: WorkflowNode | undefined): string {
  switch (node?.kind) {
    case 'if':
      return 'true'
    case 'fork':
      return 'branch-1'
    case 'approval':
      return 'approved'
    default:
      return 'out'
  }
}

function compensation(
  random: RandomSource,
  has: { readonly failures: boolean; readonly own: boolean },
): JsonObject {
  const drawn = random.next()
  if (drawn < 0.05) return { impossible: 'It was read.' }
  if (has.own && drawn < 0.3) return { node: undoingNode }
  const { kind, parameters } = undoing(random, has.failures)
  return {
    task: { kind: kind ?? 'debug', parameters: parameters ?? {} },
    ...(random.chance(0.4) ? { retry: { maxAttempts: 1 + random.below(4), delayMs: 200 } } : {}),
    ...(random.chance(0.1) ? { timeout: { attemptMs: 500 + random.below(3_000) } } : {}),
    ...(random.chance(0.2) ? { input: { of: 'the step' } } : {}),
  }
}

/** Some fail a few times, some as often as they are tried. */
function undoing(random: RandomSource, mayFail: boolean): JsonObject {
  if (random.chance(0.1))
    return { kind: 'delay', parameters: { amount: 1 + random.below(1_000), unit: 'milliseconds' } }
  const failTimes = mayFail ? random.pick([0, 0, 1, 2, 9]) : 0
  return { kind: 'debug', parameters: { failTimes } }
}

function rollbackOn(random: RandomSource): JsonObject {
  if (random.chance(0.7)) return {}
  return { rollbackOn: ['failed', 'timed-out', 'cancelled'].filter(() => random.chance(0.6)) }
}

function scopes(random: RandomSource, undone: readonly string[]): JsonObject {
  const order = random.pick(['parallel', 'parallel', 'reverse'])
  const nodes = undone.filter(() => random.chance(0.6))
  return nodes.length === 0 ? {} : { together: { nodes, order } }
}

/** People who see to rollbacks, at their own time and for as long as one is stuck. */
export class Undoers {
  readonly #stage: Stage
  readonly #cluster: Cluster
  readonly #accepted: readonly RunId[]
  readonly #random: RandomSource

  constructor(stage: Stage, cluster: Cluster, accepted: readonly RunId[]) {
    this.#stage = stage
    this.#cluster = cluster
    this.#accepted = accepted
    this.#random = createRandomSource(`seed ${stage.seed} undoers`)
  }

  /** Plans what they do in the chaos. */
  plan(): void {
    const { world, scenario } = this.#stage
    for (const { after, action } of scenario.saga?.decisions ?? []) {
      world.at(world.now + after, () => {
        const accepted = this.#accepted
        const member = this.#cluster.some()
        if (member === null || accepted.length === 0) return
        this.#act(member.engine, this.#random.pick(accepted), action)
      })
    }
  }

  /** Once the faults are over, somebody decides about each rollback that is stuck. */
  async tend(open: readonly RunId[]): Promise<void> {
    const { store, scenario } = this.#stage
    const [member] = this.#cluster.living()
    if (scenario.saga === null || member === undefined) return
    for (const runId of open) {
      const run = await store.load(0, 'run', { runId })
      if (run?.status !== 'COMPENSATION_FAILED') continue
      this.#act(member.engine, runId, this.#random.pick(['retry', 'skip', 'skip', 'abandon'] as const))
    }
  }

  /** What comes too early, too late or twice is refused: that is no finding. */
  #act(engine: Engine, runId: RunId, action: SagaAction): void {
    this.#stage.count(`rollback ${action}`)
    engine.saga.act({ runId, action, of: null, by: 'somebody', reason: null }).catch(() => {})
  }
}
