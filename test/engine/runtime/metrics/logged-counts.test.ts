/** Metrics that are fed by what services log: something must log it. */

import { describe, expect, test } from 'vitest'
import type { Checkpoint } from '../../../../src-engine/model/checkpoint.ts'
import { SagasmithError } from '../../../../src-engine/model/errors.ts'
import { hour, minute, second } from '../../../../src-engine/model/time.ts'
import { createEngineMetrics } from '../../../../src-engine/runtime/metrics/engine-metrics.ts'
import { observedLog } from '../../../../src-engine/runtime/metrics/observed-log.ts'
import type { Store } from '../../../../src-engine/store/store.ts'
import { sceneStores } from '../../../simulation/stores.ts'
import { oneStep } from '../clock/clock-scene.ts'
import { EnginesScene } from '../permits/engines-scene.ts'
import { parseMetrics } from './parse-metrics.ts'

const quiet = { debug() {}, info() {}, warn() {}, error() {} }

const staleRunning = 'scheduler_stale_jobs{state="RUNNING"}'

function sceneOn(store: Store) {
  const scene = new EnginesScene(store)
  const metrics = createEngineMetrics()
  scene.log = observedLog(quiet, metrics)
  const value = (sample: string): number | undefined =>
    parseMetrics(metrics.registry.text()).valueOf(`sagasmith_${sample}`)
  return { scene, value }
}

describe.each(Object.entries(sceneStores))('counted from the log, on %s', (_kind, open) => {
  test('what is too long in a status, as of the last look, also when it is none again', async () => {
    const { scene, value } = sceneOn(await open())
    await scene.launch({ runningTimeoutMs: 100 * second })
    await scene.start(oneStep())
    await scene.pass(100 * second)
    expect(value(staleRunning)).toBeUndefined()
    await scene.pass(30 * second)
    expect(value(staleRunning)).toBe(1)
    await scene.pass(60 * second)
    expect(value(staleRunning)).toBe(0)
  })

  test('a step that does not end though it is cancelled', async () => {
    const { scene, value } = sceneOn(await open())
    scene.deaf = true
    await scene.launch({ killGraceMs: 5 * second })
    const runId = await scene.start(oneStep())
    await scene.engines[0]?.cancelRun(runId)
    await scene.pass(14 * second)
    expect(value('job_cancel_failures_total')).toBe(0)
    await scene.pass(2 * second)
    expect(value('job_cancel_failures_total')).toBe(1)
    expect(await scene.run(runId)).toMatchObject({ status: 'CANCELLED' })
    expect(scene.engines[0]?.load().taken).toBe(0)
  })

  test('a dead letter that could not be written, and comes later [C13]', async () => {
    let failures = 2
    const inner = await open()
    const store: Store = new Proxy(inner, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name)
        if (typeof member !== 'function') return member
        return (...given: readonly unknown[]): unknown => {
          const isLetter =
            name === 'commit' &&
            (given[1] as readonly Checkpoint[]).some(({ writes }) => writes.deadLetters.length > 0)
          if (isLetter && failures > 0) {
            failures -= 1
            return Promise.reject(new SagasmithError('store_failed'))
          }
          return Reflect.apply(member, target, given)
        }
      },
    })
    const { scene, value } = sceneOn(store)
    await scene.launch()
    const runId = await scene.start(oneStep())
    await scene.end(new Error('no good'))
    await scene.pass(minute)
    expect(value('dlq_emit_failures_total')).toBe(2)
    expect(await scene.run(runId)).toMatchObject({ status: 'FAILED' })
    const filter = { reason: null, workflowId: null, runId }
    const letters = await store.list(0, 'deadLetters', { filter, page: { after: null, limit: 10 } })
    expect(letters).toHaveLength(1)
  })

  test('stuck work that the replayer brought back', async () => {
    const { scene, value } = sceneOn(await open())
    await scene.launch({ maxConcurrentTasks: 1 })
    await scene.start(oneStep())
    const waits = await scene.start(oneStep())
    // The clock goes back: the waiting step looks as if it were to be registered in an hour.
    for (const process of scene.processes) process.skew -= hour
    await scene.pass(minute)
    expect(value('scheduler_orphan_replayed_total')).toBe(1)
    await scene.end()
    await scene.pass(10 * second)
    expect(await scene.statuses(waits)).toEqual(['RUNNING'])
  })
})
