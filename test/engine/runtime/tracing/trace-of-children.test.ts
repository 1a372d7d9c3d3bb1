/** Runs that steps of other runs start are told in the trace of those. */

import { expect, test } from 'vitest'
import type { RunId } from '../../../../src-engine/model/ids.ts'
import { noObserver } from '../../../../src-engine/runtime/engine-observer.ts'
import type { Span } from '../../../../src-engine/runtime/tracing/span.ts'
import { contextOfRun } from '../../../../src-engine/runtime/tracing/trace-context.ts'
import { createTracer } from '../../../../src-engine/runtime/tracing/tracer.ts'
import { createMemoryStore } from '../../../../src-engine/store/memory/memory-store.ts'
import { documentOf } from '../../model/workflow-fixture.ts'
import { FlowScene } from '../control-flow/flow-scene.ts'

const noop = { kind: 'noop' }
const call = (workflow: string, mode = 'wait') => ({ kind: 'sub-workflow', parameters: { workflow, mode } })

test('a family of runs is one trace: each run’s span stands below that of the run that started it', async () => {
  const spans: Span[] = []
  const here = new FlowScene(createMemoryStore())
  here.observer = { ...noObserver, ...createTracer((span) => void spans.push(span)) }
  await here.launch()
  const give = (id: string, nodes: Parameters<typeof documentOf>[0]): void =>
    void here.workflows.set(id, { document: documentOf({ id, title: id, nodes }), folder: null })
  give('inner', { noop })
  give('outer', { sub: call('inner'), left: call('inner', 'start') })
  const root = await here.play({ nodes: { sub: call('outer') } })
  expect(root.status).toBe('SUCCEEDED')
  const runs = spans.filter(({ name }) => name.startsWith('run '))
  expect(runs.map(({ name }) => name).sort()).toEqual(['run Orders', 'run inner', 'run inner', 'run outer'])
  expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([contextOfRun(root.id).traceId]))
  const spanOf = (id: unknown) => runs.find(({ attributes }) => attributes['sagasmith.run_id'] === id)
  for (const span of runs) {
    const parent = span.attributes['sagasmith.parent_run_id'] ?? null
    expect(span.parentId).toBe(parent === null ? null : (spanOf(parent)?.spanId ?? 'none'))
    expect(span.spanId).toBe(contextOfRun(span.attributes['sagasmith.run_id'] as RunId).spanId)
  }
  await here.close()
})
