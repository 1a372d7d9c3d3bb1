/** What is written into the form of a secret, and what it asks of the engine. Pure. */

import type { SecretChange, SecretEntry, SecretKind } from '../../src-engine/model/secret.ts'
import type { WorkflowNode } from '../../src-engine/model/workflow.ts'

export interface SecretDraft {
  readonly name: string
  readonly value: string
  readonly kind: SecretKind
  readonly note: string
  /** Texts separated by commas; empty is anywhere, a dash is nowhere. */
  readonly hosts: string
  readonly kinds: string
  readonly nodes: string
}

/** Where a secret that is made in a step may go, unless somebody says otherwise: where that step sends it. */
export function bindingFor(node: Pick<WorkflowNode, 'kind' | 'parameters'>): NewSecret {
  const url = node.parameters?.['url']
  // What an expression gives in the host isn't known here.
  const host =
    typeof url === 'string' ? (/^https?:\/\/([^/?#{@]+)(?:[/?#]|$)/.exec(url.trim())?.[1] ?? '') : ''
  return { kinds: node.kind, hosts: host.toLowerCase() }
}

/** What is known of a secret before it is written down. */
export interface NewSecret {
  /** What a document calls it already. */
  readonly name?: string
  /** What stood in plain text so far. */
  readonly value?: string
  readonly hosts?: string
  readonly kinds?: string
}

/** What a form starts with. */
export function draftOf(secret: SecretEntry | null, known: NewSecret = {}): SecretDraft {
  if (secret === null) {
    return { name: '', value: '', kind: 'token', note: '', hosts: '', kinds: '', nodes: '', ...known }
  }
  const { name, kind, note, hosts, kinds, nodes } = secret
  return { name, value: '', kind, note, hosts: textOf(hosts), kinds: textOf(kinds), nodes: textOf(nodes) }
}

/** The change that a form asks for; an empty value keeps the old one. */
export function changeOf(draft: SecretDraft): SecretChange {
  const { name, value, kind, note, hosts, kinds, nodes } = draft
  return {
    name: name.trim(),
    ...(value === '' ? {} : { value }),
    kind,
    note: note.trim(),
    hosts: listOf(hosts),
    kinds: listOf(kinds),
    nodes: listOf(nodes),
  }
}

/** Whether another secret has that name: its value and its bindings would be gone. Pure. */
export const isTaken = (
  name: string,
  secret: Pick<SecretEntry, 'name'> | null,
  kept: readonly Pick<SecretEntry, 'name'>[],
): boolean => name !== secret?.name && kept.some((other) => other.name === name)

const textOf = (list: readonly string[] | null): string => {
  if (list === null) return ''
  return list.length === 0 ? '-' : list.join(', ')
}

function listOf(text: string): readonly string[] | null {
  if (text.trim() === '') return null
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '' && part !== '-')
}
