/** A span, and the form in which collectors take spans: OTLP as JSON. */

import type { JsonObject } from '../../model/json.ts'
import type { Instant } from '../../model/time.ts'

export type SpanAttributes = Readonly<Record<string, string | number | boolean | null>>

export interface Span {
  readonly traceId: string
  readonly spanId: string
  /** Null for the root of its trace. */
  readonly parentId: string | null
  readonly name: string
  readonly begunAt: Instant
  readonly endedAt: Instant
  /** Those that are null are left out. */
  readonly attributes: SpanAttributes
  /** What went wrong; null when nothing did. */
  readonly error: string | null
}

/** What all spans of a process share. */
export interface SpanResource {
  readonly serviceName: string
  readonly version: string
}

/** The body of a request to `/v1/traces`. */
export function otlpBody(resource: SpanResource, spans: readonly Span[]): JsonObject {
  const { serviceName, version } = resource
  return {
    resourceSpans: [
      {
        resource: { attributes: attributeList({ 'service.name': serviceName, 'service.version': version }) },
        scopeSpans: [{ scope: { name: 'sagasmith', version }, spans: spans.map(otlpSpan) }],
      },
    ],
  }
}

/** SPAN_KIND_INTERNAL. */
const internalKind = 1
/** STATUS_CODE_ERROR. */
const errorCode = 2

function otlpSpan(span: Span): JsonObject {
  const { traceId, spanId, parentId, name, begunAt, endedAt, attributes, error } = span
  return {
    traceId,
    spanId,
    ...(parentId === null ? {} : { parentSpanId: parentId }),
    name,
    kind: internalKind,
    startTimeUnixNano: nanoText(begunAt),
    endTimeUnixNano: nanoText(Math.max(begunAt, endedAt)),
    attributes: attributeList(attributes),
    ...(error === null ? {} : { status: { code: errorCode, message: error } }),
  }
}

/** Nanoseconds don't fit into a number without losing digits. */
const nanoText = (at: Instant): string => String(BigInt(Math.round(at * 1_000)) * 1_000n)

const attributeList = (attributes: SpanAttributes): readonly JsonObject[] =>
  Object.entries(attributes)
    .filter(([, value]) => value !== null)
    .map(([key, value]) => ({ key, value: anyValue(value) }))

function anyValue(value: string | number | boolean | null): JsonObject {
  if (typeof value === 'boolean') return { boolValue: value }
  if (typeof value === 'number')
    return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value }
  return { stringValue: String(value) }
}
