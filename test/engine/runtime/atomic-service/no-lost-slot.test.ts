/** Hours and days of chores with runners that come, go, stand still and die at work: no cron slot lost or doubled. */

import { expect, test } from 'vitest'
import { noWrites } from '../../../../src-engine/model/checkpoint.ts'
import { opId, runnerId } from '../../../../src-engine/model/ids.ts'
import { defaultEngineSettings } from '../../../../src-engine/model/settings/engine-settings.ts'
import { day, hour, minute, second } from '../../../../src-engine/model/time.ts'
import type { ExecutionPruning } from '../../../../src-engine/runtime/atomic-service/execution-pruning.ts'
import { createExecutionPruning } from '../../../../src-engine/runtime/atomic-service/execution-pruning.ts'
import { perform } from '../../../../src-engine/runtime/atomic-service/perform.ts'
import type { FireAnswer, Schedules } from '../../../../src-engine/runtime/schedules/schedules.ts'
import { createSchedules } from '../../../../src-engine/runtime/schedules/schedules.ts'
import { createMemoryStore } from '../../../../src-engine/store/memory/memory-store.ts'
import { createRandomSource } from '../../../support/random-source.ts'

const quiet = { debug() {}, info() {}, warn() {}, error() {} }
const begin = 1_000 * day

interface Member {
  readonly id: ReturnType<typeof runnerId>
  readonly createdAt: number
  readonly schedules: Schedules
  readonly pruning: ExecutionPruning
  diedAt: number | null
  stallsUntil: number
}

function createScene(count: number) {
  const store = createMemoryStore()
  const random = createRandomSource(`${count} runners`)
  const time = { now: begin, isCalm: false }
  const clock = { now: () => time.now, monotonic: () => time.now, after: () => () => {} }
  let serial = 0
  const ids = { next: () => `id${(serial += 1)}` }
  const fired: number[] = []
  const members: Member[] = []
  const join = async (): Promise<void> => {
    const id = runnerId(`r${(serial += 1)}`)
    const schedules = createSchedules({ store, partition: 0, clock, ids, log: quiet })
    const known = { store, partition: 0, runnerId: id, clock, ids }
    const pruning = createExecutionPruning(known, defaultEngineSettings)
    const member: Member = { id, createdAt: time.now, schedules, pruning, diedAt: null, stallsUntil: 0 }
    members.push(member)
    const fire = async (firing: Parameters<Parameters<Schedules['register']>[0]['fire']>[0]) => {
      const { key, version, value } = firing.move
      const [answer] = await store.commit(0, [
        {
          partition: 0,
          opId: opId(ids.next()),
          actor: { kind: 'timer', id: null },
          at: time.now,
          expect: { invocations: [], registers: [{ key, version }, firing.fence] },
          writes: { ...noWrites, registers: [{ key, value }] },
          events: [],
        },
      ])
      if (answer?.kind !== 'accepted') return { kind: 'lost' } satisfies FireAnswer
      fired.push(firing.slot)
      return { kind: 'fired' } satisfies FireAnswer
    }
    await schedules.register({ id: 'chore', expression: '*/5 * * * *', catchUpMax: 1_000, fire })
  }
  /** Dead runners look alive until their heartbeat is too old. */
  const seemsActive = ({ diedAt }: Member): boolean =>
    diedAt === null || time.now - diedAt < defaultEngineSettings.runnerDeadAfterMs
  const turn = (member: Member, kind: 'slot' | 'due') =>
    perform(
      {
        store,
        partition: 0,
        runnerId: member.id,
        clock,
        ids,
        log: quiet,
        settings: defaultEngineSettings,
        pruning: member.pruning,
        activeRunners: async () => members.filter(seemsActive),
        evaluate: async (run) => {
          // Some die between the start record and the work, and leave it open.
          if (!time.isCalm && members.length > 1 && random.chance(0.01)) {
            member.diedAt = time.now
            await new Promise<void>(() => {})
          }
          await member.schedules.evaluate(run)
        },
      },
      kind,
    )
  return { random, time, members, fired, join, turn }
}

const stories = [
  ...[1, 2, 3, 4, 5].map((count) => ({ count, hours: 48 })),
  { count: 10, hours: 12 },
  { count: 20, hours: 12 },
  { count: 50, hours: 6 },
]

/** Two cores that others use as well may take their time for it. */
const bound = { timeout: 600_000 }

test.for(stories)(
  '$hours h with $count runners and the default settings [P34] [G10]',
  bound,
  async ({ count, hours }) => {
    const { random, time, members, fired, join, turn } = createScene(count)
    for (let index = 0; index < count; index += 1) await join()
    while (time.now < begin + hours * hour) {
      time.now += 30 * second
      for (const member of members) {
        if (member.diedAt !== null || member.stallsUntil > time.now) continue
        if (random.chance(0.0005)) member.stallsUntil = time.now + random.below(20 * minute)
        const isDue = (member.schedules.nextAt() ?? Number.POSITIVE_INFINITY) <= time.now
        const ended = turn(member, isDue ? 'due' : 'slot')
        // Who dies at work never ends its turn: the world goes on without it.
        await Promise.race([ended, new Promise((resolve) => setImmediate(resolve))])
      }
      const living = members.filter(({ diedAt }) => diedAt === null).length
      if (living < count) await join()
    }
    time.now += 30 * minute
    // Nobody dies any more: who did would keep the last turns waiting for ever.
    time.isCalm = true
    for (const member of members) if (member.diedAt === null) await turn(member, 'due')
    const slots = Array.from({ length: Math.floor((time.now - begin) / (5 * minute)) }, (_, index) => {
      return begin + (index + 1) * 5 * minute
    })
    expect(fired).toEqual(slots)
  },
)
