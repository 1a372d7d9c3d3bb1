/** What rollbacks count as, decision by decision. */

import { describe, expect, test } from 'vitest'
import type { Decision } from '../../../../src-engine/core/draft.ts'
import { abandonRollback, compensateRun, retryUndos } from '../../../../src-engine/core/saga/act.ts'
import { createEngineMetrics } from '../../../../src-engine/runtime/metrics/engine-metrics.ts'
import { observeDecision } from '../../../../src-engine/runtime/metrics/observe-decision.ts'
import { failed } from '../../core/run-scene.ts'
import { chain, endUndo } from '../../core/saga/saga-scene.ts'
import { parseMetrics } from './parse-metrics.ts'

function counting() {
  const metrics = createEngineMetrics()
  return {
    note: (decision: Decision | null): void => {
      if (decision !== null) observeDecision(metrics, decision)
    },
    counts: () => {
      const { valueOf } = parseMetrics(metrics.registry.text())
      const count = (name: string) => valueOf(`sagasmith_saga_${name}`)
      return {
        recorded: count('recorded_total'),
        rollbacks: count('rollbacks_total'),
        dispatched: count('compensation_dispatched_total'),
        failed: count('compensation_failed_total'),
        unmarshal: count('unmarshal_errors_total'),
        durations: count('rollback_duration_seconds_count'),
        seconds: count('rollback_duration_seconds_sum'),
      }
    },
  }
}

const none = { recorded: 0, rollbacks: 0, dispatched: 0, failed: 0, unmarshal: 0, durations: 0, seconds: 0 }

describe('saga metrics', () => {
  test('saga_recorded, _rollbacks, _compensation_dispatched and _rollback_duration of a rollback', async () => {
    const { note, counts } = counting()
    const scene = chain(['a', 'b', 'c'])
    note(await scene.start())
    for (const node of ['a', 'b']) note(await scene.end(node))
    expect(counts()).toEqual({ ...none, recorded: 2 })
    note(await scene.end('c', failed('csv_invalid', false)))
    expect(counts()).toEqual({ ...none, recorded: 2, rollbacks: 1, dispatched: 1 })
    scene.now += 4_000
    note(await endUndo(scene, 'b'))
    scene.now += 3_000
    note(await endUndo(scene, 'a'))
    const ended = { recorded: 2, rollbacks: 1, dispatched: 2, durations: 1, seconds: 7 }
    expect(counts()).toEqual({ ...none, ...ended })
  })

  test('saga_compensation_failed counts what failed for good, and one rollback stays one', async () => {
    const { note, counts } = counting()
    const scene = chain(['a', 'b'])
    note(await scene.start())
    note(await scene.end('a'))
    note(await scene.end('b', failed('csv_invalid', false)))
    note(await endUndo(scene, 'a', failed('csv_invalid', false)))
    expect(counts()).toMatchObject({ rollbacks: 1, dispatched: 1, failed: 1, durations: 0 })
    scene.now += 60_000
    note(await scene.decide((state, context) => retryUndos(state, context, { of: null }), operator))
    note(await endUndo(scene, 'a', failed('csv_invalid', false)))
    note(await scene.decide(abandonRollback, operator))
    expect(counts()).toMatchObject({
      recorded: 1,
      rollbacks: 1,
      dispatched: 2,
      failed: 2,
      durations: 1,
      seconds: 60,
    })
  })

  test('saga_unmarshal_errors counts what means nothing any more, and not as failed', async () => {
    const { note, counts } = counting()
    const scene = chain(['a', 'b', 'c'])
    await scene.start()
    for (const node of ['a', 'b']) await scene.end(node)
    scene.rebind(chain(['a', 'b', 'c'], {}, ['b']).state.workflow)
    note(await scene.end('c', failed('csv_invalid', false)))
    expect(counts()).toMatchObject({ unmarshal: 1, failed: 0 })
  })

  test('a rollback by hand is one too; a run without compensations counts as nothing', async () => {
    const { note, counts } = counting()
    const plain = chain(['a', 'b'], {}, ['a', 'b'])
    note(await plain.start())
    note(await plain.end('a'))
    note(await plain.end('b', failed('csv_invalid', false)))
    expect(counts()).toEqual(none)
    const scene = chain(['a'])
    await scene.start()
    await scene.end('a')
    note(await scene.decide(compensateRun, operator))
    expect(counts()).toMatchObject({ rollbacks: 1 })
  })
})

const operator = { actor: 'operator' } as const
