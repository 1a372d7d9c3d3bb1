/** The workflows that the steps of a document start, and those that are started there: for a look without a run. */

import { SagasmithError } from '../model/errors.ts'
import { callKind, callText } from '../model/pinned-versions.ts'
import type { FindStarted } from '../model/saga-coverage.ts'
import type { WorkflowDocument, WorkflowNode } from '../model/workflow.ts'
import type { FoundWorkflow, WorkflowSource } from '../runtime/sub-workflows/workflow-source.ts'

/** More than a person draws; what is beyond counts as not at hand. */
const startedMax = 500

/**
 * Loads all of them, each once. A step that names a published version, computes what it starts, or names what can't
 * be read has none at hand.
 */
export async function startedWorkflows(root: FoundWorkflow, source: WorkflowSource): Promise<FindStarted> {
  const byStep = await loaded(root, source)
  return (of, step) => byStep.get(of)?.get(referenceOf(step) ?? '') ?? null
}

/** All of them that are at hand, without the root. */
export async function allStarted(
  root: FoundWorkflow,
  source: WorkflowSource,
): Promise<readonly WorkflowDocument[]> {
  return [...(await loaded(root, source)).keys()].filter((document) => document !== root.document)
}

type ByStep = ReadonlyMap<WorkflowDocument, ReadonlyMap<string, WorkflowDocument | null>>

async function loaded(root: FoundWorkflow, source: WorkflowSource): Promise<ByStep> {
  const byPlace = new Map<string, FoundWorkflow | null>()
  const byStep = new Map<WorkflowDocument, Map<string, WorkflowDocument | null>>()
  const open: FoundWorkflow[] = [root]
  for (let at = open.pop(); at !== undefined && byStep.size < startedMax; at = open.pop()) {
    const { document, folder } = at
    if (byStep.has(document)) continue
    const own = new Map<string, WorkflowDocument | null>()
    byStep.set(document, own)
    for (const reference of referencesOf(document)) {
      const place = `${folder ?? ''}\n${reference}`
      const known = byPlace.get(place)
      const found = known === undefined ? await foundOrNull(source, reference, folder) : known
      byPlace.set(place, found)
      own.set(reference, found?.document ?? null)
      if (found !== null) open.push(found)
    }
  }
  return byStep
}

const referencesOf = ({ nodes }: WorkflowDocument): ReadonlySet<string> =>
  new Set(Object.values(nodes).flatMap((node) => referenceOf(node) ?? []))

/** Null where nobody can say before the run. */
function referenceOf(node: WorkflowNode): string | null {
  if (node.kind !== callKind || callText(node, 'version') !== '') return null
  const reference = callText(node, 'workflow')
  return reference === '' || reference.includes('{{') ? null : reference
}

async function foundOrNull(
  source: WorkflowSource,
  reference: string,
  folder: string | null,
): Promise<FoundWorkflow | null> {
  try {
    return await source.find(reference, folder)
  } catch (thrown) {
    // Its own check says what is wrong with it.
    if (thrown instanceof SagasmithError) return null
    throw thrown
  }
}
