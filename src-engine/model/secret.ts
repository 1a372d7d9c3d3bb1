/**
 * Secrets as everybody may know them: names, notes and bindings, never values. A value is known to the vault
 * alone, and to the task that uses it for one attempt.
 */

import type { NodeId, WorkflowId } from './ids.ts'
import type { Instant } from './time.ts'

/** A name in `{{ secrets.NAME }}`, so it looks like one of the expression language. */
export const secretNamePattern = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/

/** Shorter values would be taken for ordinary words of a log: nobody could tell them apart. */
export const secretCharsMin = 4

/** What a secret is, for people; it changes nothing in how it is kept. */
export const secretKinds = ['token', 'password', 'api-key', 'private-key', 'connection', 'other'] as const

export type SecretKind = (typeof secretKinds)[number]

/** Where a secret may go. Null is everywhere, an empty list is nowhere. */
export interface SecretBinding {
  /** `api.example.com`, `api.example.com:8443`, `*.example.com`: where requests may carry it. */
  readonly hosts: readonly string[] | null
  /** Task kinds that may use it. */
  readonly kinds: readonly string[] | null
  /** Workflows or their steps that may use it: `orders`, `orders/charge`. */
  readonly nodes: readonly string[] | null
}

/** A secret without its value. */
export interface SecretEntry extends SecretBinding {
  readonly name: string
  readonly kind: SecretKind
  readonly note: string
  readonly createdAt: Instant
  /** When the value was last replaced. */
  readonly changedAt: Instant
  /** Told in minutes, not to the second; null when no step has used it yet. */
  readonly lastUsedAt: Instant | null
}

/** Who wants to use a secret. */
export interface SecretUse {
  readonly workflowId: WorkflowId
  readonly nodeId: NodeId
  readonly taskKind: string
}

/** A host that a request goes to, with its port as a number in text. */
export interface SecretHost {
  readonly hostname: string
  readonly port: string
}

/** Where a web address leads; the usual port where it names none. */
export function hostOfAddress(address: {
  readonly hostname: string
  readonly port: string
  readonly protocol: string
}): SecretHost {
  const { hostname, port, protocol } = address
  return { hostname, port: port === '' ? (protocol === 'https:' ? '443' : '80') : port }
}

/** Nothing is said about where it may go. */
export const boundToNothing: SecretBinding = { hosts: null, kinds: null, nodes: null }

/** A secret as a document names it. */
export const secretReference = (name: string): string => `{{ secrets.${name} }}`

/** Which part of its binding keeps a use from the secret; null when none does. */
export function bindingAgainst(
  { kinds, nodes }: Pick<SecretBinding, 'kinds' | 'nodes'>,
  { workflowId, nodeId, taskKind }: SecretUse,
): 'kinds' | 'nodes' | null {
  if (kinds !== null && !kinds.includes(taskKind)) return 'kinds'
  if (nodes === null || nodes.includes(workflowId) || nodes.includes(`${workflowId}/${nodeId}`)) return null
  return 'nodes'
}

/** Whether requests to the host may carry it. A pattern without a port means every port. */
export function isHostAllowed({ hosts }: Pick<SecretBinding, 'hosts'>, host: SecretHost): boolean {
  if (hosts === null) return true
  const hostname = host.hostname.toLowerCase()
  return hosts.some((pattern) => {
    const [name, port] = hostParts(pattern.trim().toLowerCase())
    if (port !== null && port !== host.port) return false
    // `*.example.com` is what is below it, not itself: they often belong to different people.
    if (name.startsWith('*.')) return hostname.endsWith(name.slice(1)) && hostname.length > name.length - 1
    return name === hostname
  })
}

/** The name and the port of `host`, `host:port` or `[::1]:port`. */
function hostParts(pattern: string): readonly [string, string | null] {
  const found = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(pattern)
  return found === null ? [pattern, null] : [found[1] ?? '', found[2] ?? null]
}

/** What a host of a binding may look like. */
export const secretHostPattern =
  /^(?:\*\.)?(?:\[[0-9a-fA-F:.]+\]|[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?)(?::\d{1,5})?$/

/** A change of one secret; what it doesn't name stays, and a new secret needs its value. */
export interface SecretChange {
  readonly name: string
  readonly value?: string | undefined
  readonly kind?: SecretKind | undefined
  readonly note?: string | undefined
  readonly hosts?: readonly string[] | null | undefined
  readonly kinds?: readonly string[] | null | undefined
  readonly nodes?: readonly string[] | null | undefined
}

/** Where the key of a vault comes from. */
export const keyProviders = ['key-file', 'passphrase', 'safe-storage'] as const

export type KeyProviderKind = (typeof keyProviders)[number]

/** What can be said about a vault without opening it. */
export interface VaultState {
  /** `empty`: nothing was ever kept. `locked`: its key isn't there. `damaged`: it can't be read. */
  readonly status: 'empty' | 'open' | 'locked' | 'damaged'
  /** Where its key comes from, or would come from. */
  readonly provider: KeyProviderKind
  /** Why it is not open, and what to do about it. */
  readonly problem: { readonly code: string; readonly message: string; readonly hint: string } | null
}

/** Whether the value of a secret can be read. */
export interface SecretCheck {
  readonly name: string
  readonly problem: { readonly code: string; readonly message: string; readonly hint: string } | null
}
