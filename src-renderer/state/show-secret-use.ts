/** From the vault's page to what names a secret: the step or the trigger, with its form open. */

import { fieldPathText, untypedTexts } from '../../src-engine/model/field-hints.ts'
import type { JsonObject } from '../../src-engine/model/json.ts'
import { namesIn } from '../../src-engine/model/secret-uses.ts'
import type { WorkflowNode } from '../../src-engine/model/workflow.ts'
import type { SecretUsage } from '../secrets/secret-usage.ts'
import type { Designer } from './designer.ts'
import { openPath } from './files.ts'
import { showTab } from './tabs/tabs.ts'
import { tabOf } from './tabs/tabs-store.ts'

export async function showSecretUse(
  designer: Designer,
  { at, name, nodeId, triggerId }: SecretUsage,
): Promise<void> {
  const { view, tabs } = designer
  if (at.kind === 'cluster') return view.getState().setEnginePage('clusters')
  const tab = tabOf(tabs.getState(), at.key)
  if (tab === null) await openPath(designer, at.key)
  else await showTab(designer, tab.id)
  // It could not be opened, which was told; what is in front is another document.
  if (tabOf(tabs.getState(), at.key)?.id !== tabs.getState().active) return
  view.getState().setEnginePage(null)
  const { nodes, triggers = {} } = designer.document.getState().history.document
  const node = nodeId === null ? undefined : nodes[nodeId]
  if (nodeId !== null && node !== undefined) view.getState().select({ nodes: [nodeId] })
  else if (triggerId !== null && triggers[triggerId] !== undefined)
    view.getState().select({ triggers: [triggerId] })
  const field = node === undefined ? null : fieldNaming(node, name)
  const inspectorTab = field?.startsWith('compensation') === true ? 'undo' : 'parameters'
  view.getState().setPanels({ isInspectorOpen: true, inspectorTab })
  if (field !== null) view.getState().wishField(field)
  designer.ambient.onFrame(() => {
    if (nodeId !== null) designer.canvas.current?.reveal(nodeId)
  })
}

/** The first field of a step that names it, as forms know it: `parameters.headers.Authorization`. */
function fieldNaming({ parameters, compensation }: WorkflowNode, name: string): string | null {
  const parts = { ...(parameters && { parameters }), ...(compensation && { compensation }) }
  // Policies of a compensation are plain data like the rest.
  const found = untypedTexts(parts as JsonObject).find(({ text }) => namesIn(text).includes(name))
  return found === undefined ? null : fieldPathText(found.path)
}
