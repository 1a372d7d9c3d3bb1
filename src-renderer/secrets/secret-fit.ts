/** Why a secret's binding keeps a step from it; said before somebody picks it. Pure. */

import type { NodeId, WorkflowId } from '../../src-engine/model/ids.ts'
import type { SecretEntry, SecretHost } from '../../src-engine/model/secret.ts'
import { bindingAgainst, hostOfAddress, isHostAllowed } from '../../src-engine/model/secret.ts'
import type { WorkflowNode } from '../../src-engine/model/workflow.ts'
import { secretFitWords as words } from '../text/secret-words.ts'

/** The step that would use it. */
export interface SecretWanted {
  readonly workflowId: WorkflowId
  readonly nodeId: NodeId
  readonly node: Pick<WorkflowNode, 'kind' | 'parameters'>
}

/** Who does the work of a field: the step, or what undoes it for a field of its compensation. */
export function actingFor(node: WorkflowNode, field: string): SecretWanted['node'] {
  const task = node.compensation?.task
  return task !== undefined && field.startsWith('compensation') ? task : node
}

/** Null when it fits, or when nobody can know before the run. */
export function misfitOf(entry: SecretEntry, { workflowId, nodeId, node }: SecretWanted): string | null {
  const against = bindingAgainst(entry, { workflowId, nodeId, taskKind: node.kind })
  if (against !== null) {
    const list = entry[against] ?? []
    return list.length === 0 ? words.nothing : words[against](list.join(', '))
  }
  const host = hostOf(node.parameters?.['url'])
  if (host === null || isHostAllowed(entry, host)) return null
  return words.hosts(entry.hosts?.join(', ') ?? '', host.hostname)
}

/** All secrets, those that fit first; the others with the reason. */
export function choicesFor(
  entries: readonly SecretEntry[],
  wanted: SecretWanted | null,
): readonly { readonly entry: SecretEntry; readonly misfit: string | null }[] {
  const all = entries.map((entry) => ({ entry, misfit: wanted === null ? null : misfitOf(entry, wanted) }))
  return [...all.filter(({ misfit }) => misfit === null), ...all.filter(({ misfit }) => misfit !== null)]
}

/** The host that an address names; null where an expression decides about it. */
function hostOf(url: unknown): SecretHost | null {
  if (typeof url !== 'string' || !/^https?:\/\/[^/?#{]+(?:[/?#]|$)/i.test(url.trim())) return null
  const address = URL.parse(/^https?:\/\/[^/?#]+/i.exec(url.trim())?.[0] ?? '')
  return address === null ? null : hostOfAddress(address)
}
