/** Whether the run before it is in the way of an occurrence, by what its trigger says. */

import { describe, expect, test } from 'vitest'
import type { RunId } from '../../../../src-engine/model/ids.ts'
import { runId } from '../../../../src-engine/model/ids.ts'
import { triggerLineMax } from '../../../../src-engine/model/limits.ts'
import type { RunStatus } from '../../../../src-engine/model/run-status.ts'
import type { TriggerRecord } from '../../../../src-engine/model/trigger.ts'
import type { Overlap } from '../../../../src-engine/runtime/triggers/overlap.ts'
import { lineOf, lookForRoom } from '../../../../src-engine/runtime/triggers/overlap.ts'
import { createMemoryStore } from '../../../../src-engine/store/memory/memory-store.ts'
import type { Store } from '../../../../src-engine/store/store.ts'
import { aTrigger } from './trigger-record.ts'

const next = runId('run_next')
const before = runId('run_before')
const key = 'trigger-run/w/t'
const line = lineOf(aTrigger())

/** A trigger whose run before this one stands so; null for none. */
async function looked(
  overlap: Overlap,
  given: { readonly status?: RunStatus; readonly inLine?: number; readonly record?: TriggerRecord } = {},
) {
  const { status = null, inLine = 0, record = aTrigger() } = given
  const cancelled: RunId[] = []
  const answers: Readonly<Record<string, unknown>> = {
    permitWaiters: { runs: Array.from({ length: inLine }, (_, index) => runId(`run_${index}`)) },
    register: status === null ? null : { key, version: 3, value: { runId: before } },
    run: { id: before, status },
  }
  // Only what is asked about a trigger is answered.
  const load = (async (_partition: number, what: string) => answers[what]) as Store['load']
  const store: Store = { ...createMemoryStore(), load }
  const cancelRun = async (id: RunId): Promise<void> => void cancelled.push(id)
  const look = await lookForRoom({ store, partition: 0, cancelRun }, record, { overlap, next })
  return { look, cancelled }
}

const noted = [expect.objectContaining({ key, value: { runId: next } })]

describe('an occurrence', () => {
  test('starts whatever goes on where it may', async () => {
    const { look } = await looked('allow', { status: 'RUNNING' })
    expect(look).toEqual({ kind: 'room', with: {}, also: [] })
  })

  test('that starts runs together with others has none of its own that is in the way', async () => {
    const record = aTrigger({ conditionOf: ['both'] })
    for (const overlap of ['skip', 'queue', 'cancel-running'] as const) {
      const { look, cancelled } = await looked(overlap, { status: 'RUNNING', inLine: triggerLineMax, record })
      expect([look, cancelled]).toEqual([{ kind: 'room', with: {}, also: [] }, []])
    }
  })

  test('is left out while the run before it goes on, and is the one before the next else', async () => {
    expect((await looked('skip', { status: 'WAITING' })).look).toMatchObject({
      kind: 'none',
      skip: { reason: 'still_running' },
    })
    for (const status of ['SUCCEEDED', 'CANCELLED'] as const)
      expect((await looked('skip', { status })).look).toEqual({ kind: 'room', with: {}, also: noted })
    expect((await looked('skip')).look).toEqual({ kind: 'room', with: {}, also: noted })
  })

  test('stands in line while there is room in it', async () => {
    expect((await looked('queue', { inLine: triggerLineMax - 1 })).look).toEqual({
      ...{ kind: 'room', with: { line }, also: [] },
    })
    expect((await looked('queue', { inLine: triggerLineMax })).look).toMatchObject({
      skip: { reason: 'queue_full' },
    })
  })

  test('has the run before it end, and waits for that', async () => {
    const { look, cancelled } = await looked('cancel-running', { status: 'RUNNING' })
    expect([look, cancelled]).toEqual([{ kind: 'room', with: { line }, also: noted }, [before]])
    expect((await looked('cancel-running', { status: 'FAILED' })).cancelled).toEqual([])
  })
})
