/**
 * Values that are not to stay. Drawn apart from all else, and only for some seeds, so that the stories of the others stay
 * as they are.
 */

import { parseDocument } from '../../src-engine/model/read-document.ts'
import { minute } from '../../src-engine/model/time.ts'
import type { WorkflowDocument, WorkflowNode } from '../../src-engine/model/workflow.ts'
import type { RandomSource } from '../support/random-source.ts'
import { createRandomSource } from '../support/random-source.ts'
import type { Scenario } from './scenario.ts'

/** So long what a run gave stays that may be had go on: retries come before and after. */
export const unkeptGraceMs = 20_000
/** Until the replayer has met what nobody else did. */
export const forgottenWithinMs = 5.5 * minute
/** How long such a story goes on after its last run: long enough for that, and for what looks into results first. */
export const quietMs = forgottenWithinMs + 1.5 * minute

/** The same scenario with steps whose output goes with their run; for most seeds it stays as it is. */
export function withKeeping(seed: number, drawn: Scenario): Scenario {
  const random = createRandomSource(`seed ${seed} keeping`)
  if (!random.chance(0.12)) return drawn
  const documents = drawn.documents.map((document) => forgetful(random, document))
  const starts = drawn.starts.map((start) => {
    const index = drawn.documents.indexOf(start.document)
    return { ...start, document: documents[index] ?? start.document }
  })
  return { ...drawn, documents, starts, forgets: true }
}

/** What an attempt of theirs gives is theirs; what a delay gives comes from elsewhere, and is kept as it is there. */
const working: ReadonlySet<string> = new Set(['debug', 'noop'])

function forgetful(random: RandomSource, document: WorkflowDocument): WorkflowDocument {
  const share = random.pick([0.3, 0.7, 1])
  const nodes: Record<string, WorkflowNode> = {}
  for (const [id, node] of Object.entries(document.nodes)) {
    nodes[id] = node
    if (!working.has(node.kind) || !random.chance(share)) continue
    const keepOutput = random.pick(['none', 'summary'] as const)
    // Who undoes it, and who takes it over, needs it.
    const { cache: _cache, ...kept } = node
    const isUndone = node.compensation !== undefined && node.compensation.impossible === undefined
    if (!isUndone) nodes[id] = { ...kept, keepOutput }
  }
  const read = parseDocument({ ...document, nodes })
  if (!read.ok) throw read.error
  return read.value.document
}
