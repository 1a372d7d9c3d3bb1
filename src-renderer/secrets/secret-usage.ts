/** Who names which secrets: open documents as they are now, the other files as they were saved, clusters. Pure. */

import type { SecretEntry } from '../../src-engine/model/secret.ts'
import type { SecretPlace } from '../../src-engine/model/secret-uses.ts'
import { secretPlaces } from '../../src-engine/model/secret-uses.ts'
import type { ClusterEntry } from '../../src-engine/protocol/clusters.ts'
import type { SecretUser } from '../../src-engine/protocol/secrets.ts'
import type { OpenDocument } from '../state/open-documents.ts'

/** One place that names a secret, and the way there. */
export interface SecretUsage extends SecretPlace {
  /** Of the workflow, or the name of the cluster. */
  readonly title: string
  /** `open`: by its draft; `file`: by its path; `cluster`: on the page of clusters. */
  readonly at: { readonly kind: 'open' | 'file' | 'cluster'; readonly key: string }
}

/** One line of the page. */
export interface SecretRow {
  readonly name: string
  /** Null for one that is named and not in the vault. */
  readonly entry: SecretEntry | null
  readonly usages: readonly SecretUsage[]
}

interface Known {
  readonly users: readonly SecretUser[]
  readonly open: readonly OpenDocument[]
  readonly clusters: readonly Pick<ClusterEntry, 'name' | 'address'>[]
}

/** All places; a file that is open counts as it is open. */
export function secretUsages({ users, open, clusters }: Known): readonly SecretUsage[] {
  const paths = new Set(open.map(({ path }) => path))
  return [
    ...open.flatMap(({ draftId, document }) =>
      secretPlaces(document).map((place): SecretUsage => {
        return { ...place, title: document.title, at: { kind: 'open', key: draftId } }
      }),
    ),
    ...users
      .filter(({ path }) => !paths.has(path))
      .map(({ name, nodeId, triggerId, label, title, path }): SecretUsage => {
        return { name, nodeId, triggerId, label, title, at: { kind: 'file', key: path } }
      }),
    ...clusters.flatMap(({ name: title, address }): readonly SecretUsage[] => {
      const name = passwordOf(address)
      if (name === null) return []
      return [
        { name, nodeId: null, triggerId: null, label: title, title, at: { kind: 'cluster', key: title } },
      ]
    }),
  ]
}

/** `redis://host:6379/workspace?password=NAME`: several hosts make it no URL. */
function passwordOf(address: string): string | null {
  const query = address.split('?', 2)[1]
  return query === undefined ? null : new URLSearchParams(query).get('password')
}

/** What is missing first, then what is kept, each by name; those that the words of the filter are found in. */
export function secretRows(
  entries: readonly SecretEntry[],
  usages: readonly SecretUsage[],
  filter = '',
): readonly SecretRow[] {
  const known = new Set(entries.map(({ name }) => name))
  const missing = [...new Set(usages.map(({ name }) => name).filter((name) => !known.has(name)))].sort()
  const rows = [
    ...missing.map((name) => ({ name, entry: null })),
    ...entries.map((entry) => ({ name: entry.name, entry })),
  ].map((row): SecretRow => ({ ...row, usages: usages.filter(({ name }) => name === row.name) }))
  const words = filter.toLowerCase().split(/\s+/)
  return rows.filter((row) => {
    const text = textOf(row).toLowerCase()
    return words.every((word) => text.includes(word))
  })
}

function textOf({ name, entry, usages }: SecretRow): string {
  const bound = [entry?.hosts, entry?.kinds, entry?.nodes].flatMap((list) => list ?? [])
  const used = usages.flatMap(({ title, label }) => [title, label])
  return [name, entry?.note ?? '', entry?.kind ?? 'missing', ...bound, ...used].join(' ')
}

/** Whether nothing known names a secret that steps may use: what is bound to no kind is for something else. */
export const isUnused = ({ entry, usages }: SecretRow): boolean =>
  entry !== null && usages.length === 0 && entry.kinds?.length !== 0

/** The workflows and clusters that name it, each once, with how many places of them do. */
export function usersOf(
  usages: readonly SecretUsage[],
): readonly { readonly key: string; readonly title: string; readonly usages: readonly SecretUsage[] }[] {
  const own = Map.groupBy(usages, ({ at }) => `${at.kind} ${at.key}`)
  return [...own].map(([key, all]) => ({ key, title: all[0]?.title ?? '', usages: all }))
}
