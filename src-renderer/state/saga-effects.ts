/** What of a workflow could be undone, looked at once for all who show it, and not again while only its drawing changes. */

import type { FindStarted, SagaEffects } from '../../src-engine/model/saga-coverage.ts'
import { sagaEffects } from '../../src-engine/model/saga-coverage.ts'
import type { WorkflowDocument } from '../../src-engine/model/workflow.ts'
import type { SpecsByKind } from '../rules/connection.ts'

interface Known {
  readonly rollbackOn: unknown
  readonly specs: SpecsByKind
  readonly find: FindStarted
  readonly told: SagaEffects
}

/** By the nodes of a document: edits that leave them alone leave this alone. */
const knownByNodes = new WeakMap<WorkflowDocument['nodes'], Known>()

/** The effects of a document; the same object while nothing changed that they depend on. */
export function effectsOf(document: WorkflowDocument, specs: SpecsByKind, find: FindStarted): SagaEffects {
  const rollbackOn = document.settings?.rollbackOn
  const known = knownByNodes.get(document.nodes)
  if (known !== undefined && known.rollbackOn === rollbackOn && known.specs === specs && known.find === find)
    return known.told
  const told = sagaEffects(document, specs, find)
  knownByNodes.set(document.nodes, { rollbackOn, specs, find, told })
  return told
}
