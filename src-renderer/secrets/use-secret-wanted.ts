/** Who would use a secret in a field: a step, what undoes it, or the trigger whose form it is. */

import type { NodeId } from '../../src-engine/model/ids.ts'
import { nodeId as asNodeId } from '../../src-engine/model/ids.ts'
import { useDocument, useView } from '../state/context.ts'
import type { SecretWanted } from './secret-fit.ts'
import { actingFor } from './secret-fit.ts'

/** Null where nobody does. */
export function useSecretWanted(nodeId: NodeId | null, path: string): SecretWanted | null {
  const workflowId = useDocument(({ history }) => history.document.id)
  const node = useDocument(({ history }) => (nodeId === null ? undefined : history.document.nodes[nodeId]))
  const trigger = useView(({ selection }) => selection.triggers[0])
  const kind = useDocument(({ history }) =>
    trigger === undefined ? undefined : history.document.triggers?.[trigger]?.kind,
  )
  if (nodeId !== null) return node === undefined ? null : { workflowId, nodeId, node: actingFor(node, path) }
  // A trigger is bound by its key, as a step is by its own.
  if (trigger === undefined || kind === undefined) return null
  return { workflowId, nodeId: asNodeId(trigger), node: { kind } }
}
