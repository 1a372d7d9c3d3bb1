/** What is left of a campaign, against what its client was told. */

import { setTimeout as pause } from 'node:timers/promises'
import type { EngineEvent } from '../../src-engine/model/event.ts'
import { runIdOf } from '../../src-engine/model/ids.ts'
import { partitionOfRun } from '../../src-engine/runtime/run-place.ts'
import type { RedisRollback } from '../../src-engine/store/redis/redis-options.ts'
import type { Store } from '../../src-engine/store/store.ts'
import type { Effect } from '../support/effect-sink.ts'
import { readHistory } from '../support/history.ts'
import { checkAll } from '../support/invariants.ts'
import { checkPermitsLeft } from '../support/permit-invariants.ts'
import { everyEvent } from '../support/read-events.ts'
import type { Client } from './client.ts'

export interface Judged {
  readonly lost: number
  readonly problems: readonly string[]
}

interface Trial {
  readonly store: Store
  readonly client: Client
  readonly effects: () => readonly Effect[]
  readonly isSafe: boolean
  readonly rollbacks: readonly RedisRollback[]
}

/** Runners repair what a death left of a permit in half a minute. */
const repairedMs = 120_000
const lookEveryMs = 500
/** The feed is this close behind the last commit, at the latest. */
const feedMs = 60_000

/** Every problem in words. The runners must be at work: some of what a death leaves is theirs to clear up. */
export async function judge({ store, client, effects, isSafe, rollbacks }: Trial): Promise<Judged> {
  const history = await readHistory(store)
  await within(repairedMs, async () => (await checkPermitsLeft(store, history)).length === 0)
  await within(feedMs, async () => missedBy(client, await everyEvent(store)).length === 0)
  const events = await everyEvent(store)
  const there = new Map(events.map((event) => [placeOf(event), event.opId]))
  const lost = client.events.filter((event) => there.get(placeOf(event)) !== event.opId)
  const told = lossesTold(events)
  const untold = lost.filter((event) => !told.some((range) => covers(range, event)))
  const shaken = new Set(told.map(({ partition }) => partition))
  const goneRuns = [...client.accepted].filter(([, { end }]) => end === 'LOST')
  const untoldRuns = goneRuns.filter(([id]) => !shaken.has(partitionOfRun(store.info, id)))
  const gone = new Set<string>(goneRuns.map(([id]) => id))
  const found = await checkAll({
    store,
    effects: effects().filter(({ runId }) => !gone.has(runId)),
    accepted: [...client.accepted.keys()].filter((id) => !gone.has(id)),
    settled: true,
  })
  const problems = [
    ...found.filter((problem) => isSafe || !isOfLostWork(problem, store, shaken)),
    ...untold.map((event) => `${placeOf(event)} (${event.body.type}) is gone, and nothing tells of it`),
    ...untoldRuns.map(([id]) => `the accepted run ${id} is gone, and nothing tells of it`),
    ...missedBy(client, events).map((event) => `the feed left out ${placeOf(event)} (${event.body.type})`),
    ...seenTwice(client.events),
  ]
  if (!isSafe) return { lost: lost.length, problems }
  // What was seen before a replica had it may be gone; then it was acknowledged to nobody, and written again.
  const loss = [
    ...goneRuns.map(([id]) => `the accepted run ${id} is gone`),
    ...rollbacks.map((range) => `what was acknowledged was taken back: ${JSON.stringify(range)}`),
  ]
  return { lost: lost.length, problems: [...problems, ...loss] }
}

const placeOf = ({ partition, epoch, seq }: EngineEvent): string => `${partition}/${epoch}/${seq}`

const missedBy = (client: Client, events: readonly EngineEvent[]): readonly EngineEvent[] => {
  const seen = new Map(client.events.map((event) => [placeOf(event), event.opId]))
  return events.filter((event) => seen.get(placeOf(event)) !== event.opId)
}

function seenTwice(events: readonly EngineEvent[]): readonly string[] {
  const seen = new Set<string>()
  return events.flatMap((event) => {
    const key = `${placeOf(event)} ${event.opId}`
    if (seen.has(key)) return [`the feed told ${key} twice`]
    seen.add(key)
    return []
  })
}

interface Loss {
  readonly partition: number
  readonly from: readonly [epoch: number, seq: number]
  readonly to: readonly [epoch: number, seq: number]
}

/** What the events say was lost. */
const lossesTold = (events: readonly EngineEvent[]): readonly Loss[] =>
  events.flatMap(({ partition, body }) => {
    if (body.type !== 'epoch.changed') return []
    const [, epoch, seq] = /after (\d+)\/(\d+)/.exec(body.reason) ?? []
    if (epoch === undefined || seq === undefined) return []
    const to = [body.to - 1, Number.POSITIVE_INFINITY] as const
    return [{ partition, from: [Number(epoch), Number(seq) + 1], to } as const]
  })

const covers = ({ partition, from, to }: Loss, event: EngineEvent): boolean =>
  event.partition === partition &&
  !isBefore(event, from) &&
  !isBefore({ epoch: to[0], seq: to[1] }, at(event))

const at = ({ epoch, seq }: EngineEvent) => [epoch, seq] as const

const isBefore = (
  one: { readonly epoch: number; readonly seq: number },
  [epoch, seq]: readonly [number, number],
): boolean => one.epoch < epoch || (one.epoch === epoch && one.seq < seq)

/** The outside world remembers what was taken back: a step of a partition that lost something was done again. */
function isOfLostWork(problem: string, { info }: Store, shaken: ReadonlySet<number>): boolean {
  const [, id] = /^I1[5-7] (?:an attempt of |attempts \d+ and \d+ of )?(run_[^ ]+)/.exec(problem) ?? []
  // Ids of steps begin with their run's.
  return id !== undefined && shaken.has(partitionOfRun(info, runIdOf(id as Parameters<typeof runIdOf>[0])))
}

async function within(ms: number, holds: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + ms
  while (!(await holds()) && performance.now() < end) await pause(lookEveryMs)
}
