/** What approvals count as, with what waits for people in the store. */

import { expect, test } from 'vitest'
import { noObserver } from '../../../../src-engine/runtime/engine-observer.ts'
import { createEngineMetrics } from '../../../../src-engine/runtime/metrics/engine-metrics.ts'
import { metricsText } from '../../../../src-engine/runtime/metrics/metrics-text.ts'
import { observeDecision } from '../../../../src-engine/runtime/metrics/observe-decision.ts'
import { createMemoryStore } from '../../../../src-engine/store/memory/memory-store.ts'
import { FlowScene } from '../control-flow/flow-scene.ts'
import { parseMetrics } from './parse-metrics.ts'

test('approval_queue_depth, _decisions, _expired and _latency of questions to people', async () => {
  const scene = new FlowScene(createMemoryStore())
  const metrics = createEngineMetrics()
  scene.observer = { ...noObserver, decided: (decision) => observeDecision(metrics, decision) }
  await scene.launch()
  const counts = async () => {
    const { valueOf } = parseMetrics(await scene.within(metricsText(metrics, scene.engine)))
    const of = (name: string) => valueOf(`sagasmith_approval_${name}`)
    const decided = (outcome: string) => of(`decisions_total{outcome="${outcome}"}`)
    return {
      ...{ depth: of('queue_depth'), approved: decided('approved'), rejected: decided('rejected') },
      ...{
        expired: of('expired_total'),
        answers: of('latency_seconds_count'),
        waited: of('latency_seconds_sum'),
      },
    }
  }
  const ask = (parameters: object) => ({
    nodes: { ask: { kind: 'approval', parameters: { title: 'Sure?', ...parameters } } },
    edges: {},
  })
  for (const _ of [1, 2]) await scene.start(ask({}))
  await scene.start(ask({ onExpiry: 'reject', amount: 1, unit: 'hours' }))
  await scene.pass(10_000)
  expect(await counts()).toMatchObject({ depth: 3, expired: 0 })
  const { approvals } = scene.engine
  const query = { runId: null, approver: null, after: null, limit: 2 }
  const { entries } = await scene.within(approvals.list(query))
  for (const [index, entry] of entries.entries()) {
    if (entry.kind !== 'approval') throw new Error('nothing is asked')
    const { runId, invocationId, hash } = entry
    const said = {
      answer: index === 0 ? 'approve' : 'reject',
      values: null,
      comment: null,
      by: 'ada',
    } as const
    await scene.within(approvals.decide({ runId, invocationId, hash, ...said }))
  }
  const [first] = entries
  if (first === undefined) throw new Error('nothing is asked')
  // The same again changes nothing.
  const again = { runId: first.runId, invocationId: first.invocationId, answer: 'approve' } as const
  const hash = first.kind === 'approval' ? first.hash : ''
  await scene.within(approvals.decide({ ...again, hash, values: null, comment: null, by: 'ada' }))
  expect(await counts()).toMatchObject({
    depth: 1,
    approved: 1,
    rejected: 1,
    expired: 0,
    answers: 2,
    waited: 20,
  })
  await scene.pass(3_600_000)
  expect(await counts()).toMatchObject({ depth: 0, approved: 1, rejected: 1, expired: 1, answers: 3 })
  await scene.close()
})
