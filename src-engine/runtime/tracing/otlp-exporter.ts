/**
 * Sends spans to a collector by OTLP over HTTP, in batches, as JSON. Best effort: what a collector can't take
 * is dropped and counted, and never holds up any work.
 */

import { recordOfThrown } from '../../model/errors.ts'
import type { Clock, Logger } from '../../model/ports.ts'
import { second } from '../../model/time.ts'
import type { Span, SpanResource } from './span.ts'
import { otlpBody } from './span.ts'

export interface SpanExporter {
  readonly add: (span: Span) => void
  /** Sends what is left, for a moment at most. */
  readonly close: () => Promise<void>
}

export interface ExporterDependencies {
  /** The collector's base address; spans go to `/v1/traces` below it. */
  readonly endpoint: string
  /** `name=value`, separated by commas. */
  readonly headers: string
  readonly resource: SpanResource
  readonly clock: Clock
  readonly log: Logger
}

/** Collectors take far more; a batch must stay below any proxy's limit. */
const batchMax = 512
/** A collector that is away costs this much memory at most; newer spans give way. */
const queueMax = 8 * batchMax
const flushMs = 2 * second
const timeoutMs = 3 * second

/** An exporter; it makes no connection before there is a span. */
export function createOtlpExporter(dependencies: ExporterDependencies): SpanExporter {
  const { clock, log } = dependencies
  const queue: Span[] = []
  let dropped = 0
  let sending: Promise<void> | null = null
  let cancel: (() => void) | null = null
  const drain = async (): Promise<void> => {
    while (queue.length > 0) {
      const batch = queue.splice(0, batchMax)
      try {
        await send(dependencies, batch)
      } catch (thrown) {
        dropped += batch.length
        log.warn('tracing.failed', { dropped, error: recordOfThrown(thrown).message })
        return
      }
    }
  }
  const flush = (): Promise<void> => {
    cancel?.()
    cancel = null
    sending ??= drain().finally(() => {
      sending = null
      if (queue.length > 0) later()
    })
    return sending
  }
  const later = (): void => {
    cancel ??= clock.after(flushMs, () => void flush())
  }
  return {
    add: (span) => {
      if (queue.length >= queueMax) {
        dropped += 1
        return
      }
      queue.push(span)
      if (queue.length >= batchMax) void flush()
      else later()
    },
    close: async () => {
      await flush()
      await flush()
      cancel?.()
    },
  }
}

async function send(dependencies: ExporterDependencies, spans: readonly Span[]): Promise<void> {
  const { endpoint, headers, resource, clock } = dependencies
  const controller = new AbortController()
  const cancel = clock.after(timeoutMs, () => controller.abort(new Error('The collector did not answer.')))
  try {
    const response = await fetch(`${endpoint.replace(/\/+$/, '')}/v1/traces`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headersOf(headers) },
      body: JSON.stringify(otlpBody(resource, spans)),
      signal: controller.signal,
    })
    await response.arrayBuffer()
    if (!response.ok) throw new Error(`The collector answered ${response.status}.`)
  } finally {
    cancel()
  }
}

function headersOf(written: string): Readonly<Record<string, string>> {
  const pairs = written.split(',').map((pair) => pair.split('='))
  const named = pairs.map(([name = '', ...rest]) => [name.trim(), decoded(rest.join('=').trim())] as const)
  return Object.fromEntries(named.filter(([name]) => name !== ''))
}

/** OpenTelemetry has values percent-encoded; one that isn't stands as it is. */
function decoded(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    // A lone percent sign belongs to the value.
    return value
  }
}
