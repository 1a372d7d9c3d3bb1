/** A real engine counts its runs and sends its spans, seen from outside: a scraper and a collector. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RunId } from '../../../src-engine/model/ids.ts'
import type { WorkflowDocument } from '../../../src-engine/model/workflow.ts'
import { contextOfRun } from '../../../src-engine/runtime/tracing/trace-context.ts'
import { loadSettings } from '../../../src-engine/shell/config.ts'
import type { EngineHost } from '../../../src-engine/shell/engine-host.ts'
import { openEngineHost } from '../../../src-engine/shell/engine-host.ts'
import type { RunningServer } from '../../../src-engine/shell/server.ts'
import { startServer } from '../../../src-engine/shell/server.ts'
import { parseMetrics } from '../runtime/metrics/parse-metrics.ts'
import { temporaryFolder } from './shell-fixtures.ts'

const document = {
  format: 'sagasmith.workflow',
  schemaVersion: 1,
  id: 'counted',
  title: 'Counted',
  nodes: { a: { kind: 'noop' }, b: { kind: 'noop' } },
  edges: { ab: { from: { node: 'a', port: 'out' }, to: { node: 'b', port: 'in' } } },
} as unknown as WorkflowDocument

const stopped = { kind: 'stop', parameters: { status: 'failed', message: 'No.' } }

async function runOnce({ engine }: EngineHost): Promise<RunId> {
  const { runId } = await engine.startRun({ document, input: null, baseDirectory: null, requestId: null })
  const { status } = await engine.waitForRun(runId)
  expect(status).toBe('SUCCEEDED')
  return runId
}

/** A host on a folder of its own. */
const open = (directory: string, sets: readonly string[] = []): Promise<EngineHost> =>
  openEngineHost({
    dataDir: directory,
    role: 'serve',
    mode: 'work',
    settings: loadSettings({ flags: { data: directory }, sets, environment: {} }),
  })

describe('/metrics', () => {
  const token = 'scraper-token'
  const folder = mkdtempSync(join(tmpdir(), 'sagasmith-metrics-'))
  let host: EngineHost
  let server: RunningServer

  const scrape = (path: string, authorization: string | null): Promise<Response> =>
    fetch(`http://127.0.0.1:${server.port}${path}`, {
      headers: authorization === null ? {} : { authorization },
    })

  beforeAll(async () => {
    host = await open(folder)
    server = await startServer({
      port: 0,
      renderer: null,
      metrics: { text: host.metricsText, token },
      serve: () => undefined,
    })
  })

  afterAll(async () => {
    await server.close()
    await host.close()
    rmSync(folder, { recursive: true, force: true })
  })

  test('counts runs, steps, claims and commits, in a text that scrapers read', async () => {
    await runOnce(host)
    const response = await scrape('/metrics', `Bearer ${token}`)
    expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
    const { families, valueOf } = parseMetrics(await response.text())
    for (const [name, { help, type }] of families) {
      expect(name).toMatch(/^sagasmith_/)
      expect(help).toMatch(/\.$/)
      expect(name.endsWith('_total')).toBe(type === 'counter')
    }
    expect(valueOf('sagasmith_workflows_started_total')).toBe(1)
    expect(valueOf('sagasmith_workflows_completed_total{status="SUCCEEDED"}')).toBe(1)
    expect(valueOf('sagasmith_workflow_duration_seconds_count')).toBe(1)
    expect(valueOf('sagasmith_jobs_received_total')).toBe(2)
    expect(valueOf('sagasmith_jobs_dispatched_total')).toBe(2)
    expect(valueOf('sagasmith_jobs_completed_total{status="SUCCESS"}')).toBe(2)
    expect(valueOf('sagasmith_scheduler_dispatch_latency_seconds_count')).toBe(2)
    expect(valueOf('sagasmith_commits_total')).toBeGreaterThanOrEqual(2)
    expect(valueOf('sagasmith_commit_group_size_count')).toBeGreaterThanOrEqual(2)
    expect(valueOf('sagasmith_fence_refusals_total')).toBe(0)
    expect(valueOf('sagasmith_queue_depth{pool="default"}')).toBe(0)
    expect(valueOf('sagasmith_slots{state="free"}')).toBe(16)
  })

  test('has the lifecycle names of the scheduler it descends from', async () => {
    const { families } = parseMetrics(await host.metricsText())
    for (const name of [
      'scheduler_stale_jobs',
      'scheduler_orphan_replayed_total',
      'scheduler_dispatch_rollback_total',
      'dlq_emit_failures_total',
      'job_cancel_failures_total',
      'validation_rejections_total',
      'scheduler_job_lock_wait_seconds',
      'scheduler_job_lock_abandoned_total',
      'scheduler_active',
      'recoveries_total',
    ])
      expect(families.has(`sagasmith_${name}`), name).toBe(true)
  })

  test('tells how many rollbacks are on, and what they did', async () => {
    const path = join(folder, 'receipt')
    const compensation = {
      task: { kind: 'read-file', parameters: { path } },
      retry: { maxAttempts: 100, backoff: 'fixed', delayMs: 50, retryOn: ['file_not_found'] },
    }
    const nodes = { a: { kind: 'noop', sideEffect: 'idempotent', compensation }, b: stopped }
    const failing = { ...document, nodes } as unknown as WorkflowDocument
    const start = { document: failing, input: null, baseDirectory: null, requestId: null }
    const { runId } = await host.engine.startRun(start)
    const read = async (name: string) => {
      const { valueOf } = parseMetrics(await host.metricsText())
      return valueOf(`sagasmith_saga_${name}`)
    }
    await expect.poll(() => read('active')).toBe(1)
    writeFileSync(path, 'paid')
    expect((await host.engine.waitForRun(runId)).status).toBe('COMPENSATED')
    expect(await read('active')).toBe(0)
    expect(await read('rollbacks_total')).toBe(1)
    expect(await read('rollback_duration_seconds_count')).toBe(1)
  })

  test('a refused workflow is counted', async () => {
    const wrong = {
      ...document,
      nodes: { a: { kind: 'no-such-kind' } },
      edges: {},
    } as unknown as WorkflowDocument
    const start = host.engine.startRun({ document: wrong, input: null, baseDirectory: null, requestId: null })
    await expect(start).rejects.toMatchObject({ code: 'document_invalid' })
    const { valueOf } = parseMetrics(await host.metricsText())
    expect(valueOf('sagasmith_validation_rejections_total')).toBe(1)
  })

  test.for([
    ['no token', null, 401],
    ['a wrong token', 'Bearer guess', 401],
    ['an empty token', 'Bearer ', 401],
    ['another scheme', `Basic ${token}`, 401],
    ['the scraper’s token', `Bearer ${token}`, 200],
  ] as const)('%s is answered with its status', async ([, authorization, status]) => {
    expect((await scrape('/metrics', authorization)).status).toBe(status)
  })

  test('the session’s token reads them too, the scraper’s opens nothing else', async () => {
    expect((await scrape('/metrics', `Bearer ${server.token}`)).status).toBe(200)
    expect((await scrape('/', `Bearer ${token}`)).status).toBe(503)
    expect((await scrape('/metrics/more', `Bearer ${token}`)).status).toBe(503)
  })
})

interface SentSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[]
}

interface Sink {
  readonly endpoint: string
  readonly requests: {
    readonly path: string
    readonly headers: IncomingMessage['headers']
    readonly body: string
  }[]
  readonly spans: () => readonly SentSpan[]
  readonly close: () => Promise<void>
}

/** A collector that keeps what it is sent and answers with a status. */
async function collector(status = 200): Promise<Sink> {
  const requests: Sink['requests'] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString('utf8')
    })
    request.on('end', () => {
      requests.push({ path: request.url ?? '', headers: request.headers, body })
      response.writeHead(status, { 'content-type': 'application/json' }).end('{}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    endpoint: `http://127.0.0.1:${port}`,
    requests,
    spans: () =>
      requests.flatMap(({ body }) => {
        const parsed = JSON.parse(body) as {
          resourceSpans: { scopeSpans: { spans: SentSpan[] }[] }[]
        }
        return parsed.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const attribute = ({ attributes }: SentSpan, key: string): unknown =>
  Object.values(attributes.find((entry) => entry.key === key)?.value ?? {})[0]

describe('spans', () => {
  test('of one run share a trace, with the run at its root', async () => {
    const sink = await collector()
    const directory = temporaryFolder()
    const sets = [`otel_exporter_otlp_endpoint=${sink.endpoint}/`, 'otel_exporter_otlp_headers=x-key=a%20b']
    const first = await open(directory, sets)
    const runId = await runOnce(first)
    const record = (await first.engine.snapshot(runId)).run
    await first.close()
    await sink.close()

    const { traceId, spanId } = contextOfRun(runId)
    expect(record.traceParent).toBe(`00-${traceId}-${spanId}-01`)
    const spans = sink.spans()
    const [root] = spans.filter(({ name }) => name.startsWith('run '))
    expect(root).toMatchObject({ traceId, spanId, name: 'run Counted' })
    expect(root).not.toHaveProperty('parentSpanId')
    const named = (name: string) => spans.filter((span) => span.name === name)
    expect(named('attempt noop')).toHaveLength(2)
    expect(named('dispatch')).toHaveLength(2)
    expect(named('commit').length).toBeGreaterThanOrEqual(2)
    for (const span of spans) {
      expect(span.traceId).toBe(traceId)
      expect(span.spanId).toMatch(/^[0-9a-f]{16}$/)
      if (span !== root) expect(span.parentSpanId).toBe(spanId)
      expect(attribute(span, 'sagasmith.run_id')).toBe(runId)
      expect(BigInt(span.endTimeUnixNano) >= BigInt(span.startTimeUnixNano)).toBe(true)
    }
    for (const span of named('attempt noop')) {
      expect(attribute(span, 'sagasmith.runner_id')).toMatch(/^runner_/)
      expect(attribute(span, 'sagasmith.invocation_id')).toBeTypeOf('string')
    }
    expect(new Set(spans.map((span) => span.spanId)).size).toBe(spans.length)
    expect(sink.requests[0]).toMatchObject({ path: '/v1/traces', headers: { 'x-key': 'a b' } })
    expect(sink.requests[0]?.body).toContain('"stringValue":"sagasmith"')
  })

  test('that no collector takes hold nothing up', async () => {
    const sink = await collector(500)
    const host = await open(temporaryFolder(), [`otel_exporter_otlp_endpoint=${sink.endpoint}`])
    await runOnce(host)
    await host.close()
    await sink.close()
    expect(sink.requests.length).toBeGreaterThan(0)
  })

  test('are not made without a collector', async () => {
    const host = await open(temporaryFolder())
    const runId = await runOnce(host)
    expect((await host.engine.snapshot(runId)).run.traceParent).toBeNull()
    await host.close()
  })
})
