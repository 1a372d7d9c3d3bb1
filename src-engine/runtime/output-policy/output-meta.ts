/** What is known of a result without looking into it, from the step that gave it. */

import type { OutputMeta, StepMeta } from '../../core/output/compiled-policy.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import type { JsonObject, JsonValue } from '../../model/json.ts'
import { isJsonObject } from '../../model/json.ts'
import type { Payload } from '../../model/payload.ts'
import { utf8Bytes } from '../../model/payload.ts'
import type { RunRecord } from '../../model/run.ts'

/** Without the result itself. */
export const stepMetaOf = (run: RunRecord, record: InvocationRecord): StepMeta => ({
  tenant: run.tenant,
  workflow: run.workflowId,
  node: record.nodeId,
  kind: record.taskKind,
  capabilities: record.route?.requires ?? [],
  nodeTags: record.tags,
  runTags: run.tags,
})

/** With it: its size, what it says it is, and whether it tells of an error. */
export const outputMetaOf = (step: StepMeta, value: JsonValue, bytes: number): OutputMeta => ({
  ...step,
  bytes,
  contentType: contentTypeOf(value),
  hasError: hasErrorIn(value),
})

/** Bytes of a payload; of a sealed one as many as its token has. */
export function payloadBytes(payload: Payload): number {
  if (payload.kind === 'inline') return utf8Bytes(payload.json)
  return payload.kind === 'blob' ? payload.bytes : payload.token.length
}

/** As an answer over HTTP tells it, or by the form of the value. */
function contentTypeOf(value: JsonValue): string {
  const headers = isJsonObject(value) ? value['headers'] : null
  const told = isJsonObject(headers) ? headerOf(headers, 'content-type') : null
  if (told !== null) return (told.split(';', 1)[0] ?? '').trim().toLowerCase()
  return typeof value === 'string' ? 'text/plain' : 'application/json'
}

function headerOf(headers: JsonObject, name: string): string | null {
  for (const [key, value] of Object.entries(headers)) {
    if (key.toLowerCase() === name && typeof value === 'string') return value
  }
  return null
}

function hasErrorIn(value: JsonValue): boolean {
  if (!isJsonObject(value)) return false
  const error = value['error'] ?? null
  return error !== null && error !== false && error !== ''
}
