/**
 * Two changes of one document brought together: each node, edge, note and field by itself, down to the value
 * that differs. What only one side changed is taken; where both did, a person chooses. Pure.
 */

import type { JsonObject, JsonValue } from '../../src-engine/model/json.ts'
import { canonicalJson, isJsonObject } from '../../src-engine/model/json.ts'
import type { WorkflowDocument } from '../../src-engine/model/workflow.ts'

export interface Versions {
  /** What both come from; null when nobody knows: then nothing counts as taken away. */
  readonly base: WorkflowDocument | null
  readonly mine: WorkflowDocument
  readonly theirs: WorkflowDocument
}

export type Side = 'mine' | 'theirs'

/** A value that both sides changed, each in its own way; absent where a side took it away. */
export interface Conflict {
  /** `["nodes", "fetch", "parameters", "url"]`, as text: it names the conflict. */
  readonly key: string
  readonly path: readonly string[]
  readonly mine: JsonValue | undefined
  readonly theirs: JsonValue | undefined
}

export interface Merged {
  readonly document: WorkflowDocument
  readonly conflicts: readonly Conflict[]
  /** How many nodes, edges, notes and fields came from the other side. */
  readonly taken: number
}

interface Merging {
  readonly choices: ReadonlyMap<string, Side>
  readonly conflicts: Conflict[]
}

/** A value in the three versions; absent where it isn't there. */
interface Place {
  readonly base: JsonValue | undefined
  readonly mine: JsonValue | undefined
  readonly theirs: JsonValue | undefined
  readonly path: readonly string[]
}

/** Both changes in one document. A conflict nobody has chosen for stays as `mine` has it. */
export function mergeDocuments(versions: Versions, choices: ReadonlyMap<string, Side> = new Map()): Merged {
  const merging: Merging = { choices, conflicts: [] }
  const [base, mine, theirs] = [versions.base ?? {}, versions.mine, versions.theirs].map(
    // A document is JSON; its type has no index signature.
    (document) => document as unknown as JsonObject,
  )
  const merged = merge({ base, mine, theirs, path: [] }, merging) ?? {}
  const document = withoutLooseEdges(merged as unknown as WorkflowDocument, versions)
  return { document, conflicts: merging.conflicts, taken: differences(versions.mine, document) }
}

function merge({ base, mine, theirs, path }: Place, merging: Merging): JsonValue | undefined {
  if (isSame(mine, theirs) || isSame(base, theirs)) return mine
  if (isSame(base, mine)) return theirs
  // A node that one side took away and the other changed is one question, not one for each field.
  if (isJsonObject(mine) && isJsonObject(theirs)) {
    const inner = isJsonObject(base) ? base : {}
    const keys = [...new Set([...Object.keys(mine), ...Object.keys(theirs)])]
    const merged = keys.map((key): readonly [string, JsonValue | undefined] => [
      key,
      merge({ base: inner[key], mine: mine[key], theirs: theirs[key], path: [...path, key] }, merging),
    ])
    return Object.fromEntries(merged.filter(([, value]) => value !== undefined)) as JsonObject
  }
  // Where something stands is nobody's decision worth a question.
  if (path[0] === 'layout') return mine ?? theirs
  const key = JSON.stringify(path)
  merging.conflicts.push({ key, path, mine, theirs })
  return merging.choices.get(key) === 'theirs' ? theirs : mine
}

const isSame = (a: JsonValue | undefined, b: JsonValue | undefined): boolean =>
  a === b || (a !== undefined && b !== undefined && canonicalJson(a) === canonicalJson(b))

/** An edge to a node that only the other side took away leads nowhere: it goes with the node. */
function withoutLooseEdges(document: WorkflowDocument, { mine, theirs }: Versions): WorkflowDocument {
  const isThere = ({ nodes }: WorkflowDocument, id: string): boolean => Object.hasOwn(nodes, id)
  const wasThere = (id: string): boolean => isThere(mine, id) || isThere(theirs, id)
  const kept = Object.entries(document.edges).filter(([, { from, to }]) =>
    [from.node, to.node].every((id) => isThere(document, id) || !wasThere(id)),
  )
  const isWhole = kept.length === Object.keys(document.edges).length
  return isWhole ? document : { ...document, edges: Object.fromEntries(kept) }
}

/** Nodes, edges, notes and fields of the whole that differ; where things stand doesn't count. */
function differences(before: WorkflowDocument, after: WorkflowDocument): number {
  const [old, now] = [before, after].map((document) => document as unknown as JsonObject)
  const count = (a: JsonValue | undefined, b: JsonValue | undefined, depth: number): number => {
    if (isSame(a, b)) return 0
    if (depth === 0 || !isJsonObject(a) || !isJsonObject(b)) return 1
    const keys = [...new Set([...Object.keys(a), ...Object.keys(b)])]
    return keys.reduce((sum, key) => sum + count(a[key], b[key], depth - 1), 0)
  }
  const { layout: _old, ...rest } = old ?? {}
  const { layout: _now, ...others } = now ?? {}
  return count(rest, others, 2)
}
