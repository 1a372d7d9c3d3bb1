import { expect, test } from 'vitest'
import { definitionHash, runId, workflowId } from '../../../../src-engine/model/ids.ts'
import { newRun } from '../../../../src-engine/model/new-records.ts'
import type { Span } from '../../../../src-engine/runtime/tracing/span.ts'
import { otlpBody } from '../../../../src-engine/runtime/tracing/span.ts'
import {
  contextOfRun,
  parseTraceParent,
  traceParentText,
} from '../../../../src-engine/runtime/tracing/trace-context.ts'
import { createTracer } from '../../../../src-engine/runtime/tracing/tracer.ts'

test('every process gives a run the same context, and each run its own', () => {
  const one = contextOfRun(runId('run_1'))
  expect(contextOfRun(runId('run_1'))).toEqual(one)
  expect(contextOfRun(runId('run_2')).traceId).not.toBe(one.traceId)
  expect(parseTraceParent(traceParentText(one))).toEqual(one)
})

test.for([
  '',
  '00-1-2-01',
  `00-${'0'.repeat(32)}-${'1'.repeat(16)}-01`,
  `00-${'1'.repeat(32)}-${'0'.repeat(16)}-01`,
  `00-${'G'.repeat(32)}-${'1'.repeat(16)}-01`,
])('%o is no trace context', (written) => {
  expect(parseTraceParent(written)).toBeNull()
})

test('a process that goes on with a run tells its part in the trace that the run carries', () => {
  const spans: Span[] = []
  const traceParent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`
  const run = newRun({
    id: runId('run_1'),
    workflowId: workflowId('w'),
    workflowTitle: 'W',
    definitionHash: definitionHash('h'),
    input: { kind: 'inline', json: 'null' },
    seed: 's',
    now: 5,
    status: 'RUNNING',
    traceParent,
  })
  const checkpoint = { writes: { run }, expect: {}, events: [], opId: 'op' }
  createTracer((span) => spans.push(span)).committed([checkpoint as never], [{ kind: 'accepted' }], {
    begunAt: 10,
    ms: 2.5,
  })
  expect(spans).toMatchObject([
    {
      traceId: 'a'.repeat(32),
      parentId: 'b'.repeat(16),
      name: 'commit',
      begunAt: 10,
      endedAt: 12.5,
      error: null,
    },
  ])
  const resource = { serviceName: 'attic', version: '1' }
  expect(JSON.stringify(otlpBody(resource, spans))).toContain('"endTimeUnixNano":"12500000"')
})
