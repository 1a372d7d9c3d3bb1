/** What differs between two versions of a workflow, in what they mean: layout, notes and titles don't count. */

import type { TaskSpecs } from './definition-hash.ts'
import { normalDocument } from './definition-hash.ts'
import type { JsonObject, JsonValue } from './json.ts'
import { canonicalJson, isJsonObject } from './json.ts'
import type { WorkflowDocument } from './workflow.ts'

/** One node, edge or field of the document that differs. */
export interface VersionChange {
  readonly what: 'node' | 'edge' | 'field'
  /** Id of the node or edge, or the name of the field. */
  readonly id: string
  /** The title of a node; else its id. */
  readonly title: string
  readonly change: 'added' | 'removed' | 'changed'
  /** Of a changed node or edge: the fields that differ, as paths (`parameters.url`). */
  readonly fields: readonly string[]
}

/** All changes from one version to another: nodes first, then edges, then fields of the whole document. */
export function versionChanges(
  before: WorkflowDocument,
  after: WorkflowDocument,
  specsByKind: TaskSpecs,
): readonly VersionChange[] {
  const old = normalDocument(before, specsByKind)
  const now = normalDocument(after, specsByKind)
  const titleOf = (id: string): string => titleIn(after, id) ?? titleIn(before, id) ?? id
  return [
    ...changesOf('node', { old: objectAt(old, 'nodes'), now: objectAt(now, 'nodes') }, titleOf),
    ...changesOf('edge', { old: objectAt(old, 'edges'), now: objectAt(now, 'edges') }, itself),
    ...changesOf('field', { old: rest(old), now: rest(now) }, itself),
  ]
}

const titleIn = ({ nodes }: WorkflowDocument, id: string): string | undefined =>
  Object.entries(nodes).find(([key]) => key === id)?.[1].title

const objectAt = (json: JsonObject, key: string): JsonObject => {
  const value = json[key]
  return isJsonObject(value) ? value : {}
}

function rest(json: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(json).filter(([key]) => key !== 'nodes' && key !== 'edges'))
}

const itself = (id: string): string => id

function changesOf(
  what: VersionChange['what'],
  { old, now }: { readonly old: JsonObject; readonly now: JsonObject },
  titleOf: (id: string) => string,
): readonly VersionChange[] {
  const ids = [...new Set([...Object.keys(old), ...Object.keys(now)])].sort()
  return ids.flatMap((id): readonly VersionChange[] => {
    const before = old[id]
    const after = now[id]
    if (same(before, after)) return []
    const change = before === undefined ? 'added' : after === undefined ? 'removed' : 'changed'
    const fields = change === 'changed' ? differingPaths(before, after, '') : []
    return [{ what, id, title: titleOf(id), change, fields }]
  })
}

const same = (a: JsonValue | undefined, b: JsonValue | undefined): boolean =>
  a === undefined || b === undefined ? a === b : canonicalJson(a) === canonicalJson(b)

/** Paths of what differs; a list is one thing. */
function differingPaths(a: JsonValue | undefined, b: JsonValue | undefined, path: string): readonly string[] {
  if (same(a, b)) return []
  if (!isJsonObject(a) || !isJsonObject(b)) return path === '' ? [] : [path]
  const keys = [...new Set([...Object.keys(a), ...Object.keys(b)])].sort()
  return keys.flatMap((key) => differingPaths(a[key], b[key], path === '' ? key : `${path}.${key}`))
}
