/** Take what the code view, a file or a version says: the document becomes it, and only what differs is a change. */

import type { JsonObject, JsonValue } from '../../src-engine/model/json.ts'
import { isJsonObject } from '../../src-engine/model/json.ts'
import type { WorkflowDocument } from '../../src-engine/model/workflow.ts'
import type { Edit } from './edit.ts'
import { singleEdit } from './edit.ts'

/** Writing on, without a pause, is one step. */
export function takeCode(next: WorkflowDocument): Edit {
  return { ...takeDocument('Edit code', next), gesture: 'code' }
}

/** The document becomes another one, in a step of its own. */
export function takeDocument(label: string, next: WorkflowDocument): Edit {
  // A document is JSON; its type has no index signature.
  const json = next as unknown as JsonObject
  return singleEdit(label, (draft) => become(draft, json))
}

/** `target` is a draft of JSON: it may be changed. */
function become(target: object, next: JsonObject): void {
  const fields = new Map<string, unknown>(Object.entries(target))
  for (const key of fields.keys()) if (!Object.hasOwn(next, key)) Reflect.deleteProperty(target, key)
  for (const [key, value] of Object.entries(next)) {
    const old = fields.get(key)
    if (isJsonObject(old) && isJsonObject(value)) become(old, value)
    else if (!fields.has(key) || !isSame(old, value)) Reflect.set(target, key, value)
  }
}

const isSame = (a: unknown, b: JsonValue): boolean =>
  a === b || (Array.isArray(a) && Array.isArray(b) && JSON.stringify(a) === JSON.stringify(b))
