/** What a look is told without asking: heads of queues, as far as all that stands there is known and the asker's. */

import { expect, it } from 'vitest'
import { definitionHash } from '../../../../src-engine/model/ids.ts'
import type { InvocationRecord } from '../../../../src-engine/model/invocation.ts'
import type { RunRecord } from '../../../../src-engine/model/run.ts'
import { glanceAtWork } from '../../../../src-engine/store/redis/claims.ts'
import { partitionKeys } from '../../../../src-engine/store/redis/layout.ts'
import type { PartitionState } from '../../../../src-engine/store/redis/partition-state.ts'
import { newPartitionState, newSeenRooms } from '../../../../src-engine/store/redis/partition-state.ts'
import { shapeOf } from '../../../../src-engine/store/redis/shapes.ts'
import { aClaim, anInvocation, aRun, start } from '../../../conformance/story.ts'

const run = { ...aRun(), status: 'RUNNING' } as const
const steps = ['n', 'o'].map((node) => anInvocation(run, node))
const request = { ...aClaim('a', { limit: 5 }), now: start }

/** A partition whose last write has brought what stands in its only queue: these, of which all but some were seen. */
function scene(
  given: {
    readonly records?: readonly InvocationRecord[]
    readonly seen?: readonly InvocationRecord[]
    readonly runSeen?: RunRecord | null
  } = {},
): PartitionState {
  const { records = steps, seen = records, runSeen = run } = given
  const state = newPartitionState(partitionKeys('p', 0), { epoch: 1, seq: 7, rooms: newSeenRooms() })
  for (const record of seen) state.invocations.put(record.id, { token: '1 t', item: record })
  if (runSeen !== null) state.runs.put(runSeen.id, { token: '1 t', item: runSeen })
  const { id, text } = shapeOf(anInvocation(run, 'n'))
  state.shapes.set(id, text)
  state.heads = {
    ...{ shapes: [id], wanted: 9, at: start, until: start + 100, epoch: 1, seq: 7, shapeCount: 1 },
    lists: [records.map((record) => record.id)],
  }
  return state
}

const nodesOf = (found: readonly InvocationRecord[] | null): readonly string[] | null =>
  found?.map(({ nodeId }) => nodeId) ?? null

it('is told once, most urgent first and no more than it asks for, and what comes next is read for it', () => {
  const urgent = anInvocation(run, 'p', { registeredAt: start - 1 })
  const state = scene({ records: [...steps, urgent] })
  expect(nodesOf(glanceAtWork(state, { ...request, limit: 2 }))).toEqual(['p', 'n'])
  expect(glanceAtWork(state, request)).toBeNull()
  expect(state.looked).toEqual({ shapes: [...state.shapes.keys()], wanted: 2, at: start })
})

it('is told nothing where some of it has to be read', () => {
  const state = scene({ seen: steps.slice(1) })
  expect(glanceAtWork(state, request)).toBeNull()
  // Whoever reads it anyhow takes nothing from somebody else.
  expect(state.heads).not.toBeNull()
  expect(glanceAtWork(scene({ runSeen: null }), request)).toBeNull()
})

it('is told nothing where some of it isn’t the asker’s as far as is known: that may have changed', () => {
  const other = definitionHash(`w1_${'1'.repeat(64)}`)
  expect(glanceAtWork(scene({ runSeen: { ...run, status: 'PAUSED' } }), request)).toBeNull()
  expect(
    glanceAtWork(scene({ runSeen: { ...run, definitionHash: other } }), { ...request, definitions: [] }),
  ).toBeNull()
  const later = anInvocation(run, 'q', { notBefore: start + 50 })
  expect(glanceAtWork(scene({ records: [...steps, later] }), request)).toBeNull()
  expect(nodesOf(glanceAtWork(scene({ records: [later] }), { ...request, now: start + 50 }))).toEqual(['q'])
})

it('passes by what is decided on, whether that is known or not', () => {
  const isUnderWay = (id: string): boolean => id.endsWith('/n')
  expect(nodesOf(glanceAtWork(scene({ seen: steps.slice(1) }), { ...request, isUnderWay }))).toEqual(['o'])
})

it('is told that there is nothing where no queue fits', () => {
  expect(glanceAtWork(scene(), { ...request, pools: ['elsewhere'] })).toEqual([])
})
