/** What a field was and what it is, in words short enough for a line. Pure. */

import type { TaskSpecs } from '../../../src-engine/model/definition-hash.ts'
import { normalDocument } from '../../../src-engine/model/definition-hash.ts'
import type { JsonObject, JsonValue } from '../../../src-engine/model/json.ts'
import { isJsonObject } from '../../../src-engine/model/json.ts'
import type { VersionChange } from '../../../src-engine/model/version-changes.ts'
import type { WorkflowDocument } from '../../../src-engine/model/workflow.ts'

export interface FieldChange {
  /** `parameters.url`; empty for all of an edge or a field of the whole document. */
  readonly path: string
  /** Null where it was not set, and nothing is set by itself. */
  readonly before: string | null
  readonly after: string | null
}

/** Longer texts are cut: the field itself has them whole. */
const charsMax = 400

const lists = { node: 'nodes', edge: 'edges' } as const

/** The fields of a change with their values in both versions; none for what came or went whole. */
export function fieldChanges(
  { what, id, change, fields }: VersionChange,
  versions: { readonly before: WorkflowDocument | null; readonly after: WorkflowDocument },
  specs: TaskSpecs,
): readonly FieldChange[] {
  if (versions.before === null || (change !== 'changed' && what !== 'field')) return []
  const [before, after] = [versions.before, versions.after].map((document) => {
    const whole = normalDocument(document, specs)
    return what === 'field' ? whole[id] : objectAt(whole, lists[what])[id]
  })
  const paths = fields.length === 0 ? [''] : fields
  return paths.map((path) => ({
    path,
    before: wordsOf(valueAt(before, path)),
    after: wordsOf(valueAt(after, path)),
  }))
}

const objectAt = (json: JsonObject, key: string): JsonObject => {
  const value = json[key]
  return isJsonObject(value) ? value : {}
}

/** Names of fields may have dots in them: the longest name that fits is taken. */
function valueAt(value: JsonValue | undefined, path: string): JsonValue | undefined {
  if (path === '') return value
  if (!isJsonObject(value)) return undefined
  if (path in value) return value[path]
  for (let dot = path.lastIndexOf('.'); dot > 0; dot = path.lastIndexOf('.', dot - 1)) {
    const name = path.slice(0, dot)
    if (name in value) return valueAt(value[name], path.slice(dot + 1))
  }
  return undefined
}

function wordsOf(value: JsonValue | undefined): string | null {
  if (value === undefined) return null
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 1).replaceAll(/\s*\n\s*/g, ' ')
  return text.length > charsMax ? `${text.slice(0, charsMax)} …` : text
}
