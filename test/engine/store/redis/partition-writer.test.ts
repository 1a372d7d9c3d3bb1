/** What a writer judges by: what it has looked at, and nothing that was forgotten meanwhile. */

import { expect, test } from 'vitest'
import { createLastOps } from '../../../../src-engine/store/last-ops.ts'
import type { Applier } from '../../../../src-engine/store/redis/apply.ts'
import { runText } from '../../../../src-engine/store/redis/body-codec.ts'
import { partitionKeys } from '../../../../src-engine/store/redis/layout.ts'
import {
  forget,
  newPartitionState,
  newSeenRooms,
} from '../../../../src-engine/store/redis/partition-state.ts'
import { createPartitionWriter } from '../../../../src-engine/store/redis/partition-writer.ts'
import type { Router } from '../../../../src-engine/store/redis/router.ts'
import { createTags } from '../../../../src-engine/store/redis/tokens.ts'
import { createTurn } from '../../../../src-engine/store/redis/turn.ts'
import { aRun, movingRun, starting } from '../../../conformance/story.ts'

test('a new epoch that a claim meets while a commit looks around refuses nobody', async () => {
  const run = { ...aRun(), status: 'RUNNING' as const, version: 1 }
  const state = newPartitionState(partitionKeys('p', 0), { epoch: 1, seq: 0, rooms: newSeenRooms() })
  let forgotten = 0
  const router: Pick<Router, 'ask'> = {
    ask: async (_slot, [command, key]) => {
      if (command !== 'HMGET') return []
      if (key === state.keys.run(run.id)) return [runText(run), '1 t RUNNING']
      // This answer comes later than the run's: what was seen of that is forgotten meanwhile.
      await new Promise((resolve) => setImmediate(resolve))
      forgotten += 1
      forget(state)
      return ['1 t']
    },
  }
  const applier: Pick<Applier, 'confirm' | 'apply'> = {
    confirm: async () => undefined,
    apply: async (_state, units) => units.map(() => ({ kind: 'written', fresh: [] })),
  }
  const parts = { router: router as Router, state, applier, lastOps: createLastOps(), turn: createTurn() }
  const writer = createPartitionWriter({ ...parts, nextTag: createTags('w') })
  const move = movingRun(run, 'PAUSED')
  const expected = { ...move.expect, registers: [{ key: 'k', version: 1 }] }
  expect(await writer.commit({ ...move, expect: expected })).toEqual({ kind: 'accepted' })
  expect(forgotten).toBe(2)
})

test('what a run goes on with is not looked at where it goes along with its beginning', async () => {
  const state = newPartitionState(partitionKeys('p', 0), { epoch: 1, seq: 0, rooms: newSeenRooms() })
  const asked: string[] = []
  const router: Pick<Router, 'ask'> = {
    ask: async (_slot, [command]) => {
      asked.push(command)
      return []
    },
  }
  const sent: number[] = []
  const applier: Pick<Applier, 'confirm' | 'apply'> = {
    confirm: async () => undefined,
    apply: async (_state, units) => {
      sent.push(units.length)
      return units.map(() => ({ kind: 'written', fresh: [] }))
    },
  }
  const parts = { router: router as Router, state, applier, lastOps: createLastOps(), turn: createTurn() }
  const writer = createPartitionWriter({ ...parts, nextTag: createTags('w') })
  const first = starting(aRun())
  const { run } = first.writes
  const next = run === null ? first : movingRun(run, 'PAUSED')
  const answers = await Promise.all([writer.commit(first), writer.commit(next)])
  expect(answers).toEqual([{ kind: 'accepted' }, { kind: 'accepted' }])
  expect([asked, sent]).toEqual([[], [2]])
})
