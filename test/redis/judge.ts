/** What is left of a campaign, against what its client was told; one partition after the other. */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { EngineEvent } from '../../src-engine/model/event.ts'
import type { InvocationId } from '../../src-engine/model/ids.ts'
import { invocationMachine } from '../../src-engine/model/invocation-status.ts'
import { partitionOfRun } from '../../src-engine/runtime/run-place.ts'
import type { RedisRollback } from '../../src-engine/store/redis/redis-options.ts'
import type { Store } from '../../src-engine/store/store.ts'
import { sinkName } from '../crash/sink-engine.ts'
import { readEffects, splitEffects } from '../support/effect-sink.ts'
import { readHistory } from '../support/history.ts'
import { checkHistory } from '../support/invariants.ts'
import type { Client } from './client.ts'
import type { FeedJournal, SeenEvent } from './feed-journal.ts'

export interface Judged {
  /** Events that had been seen and were taken back. */
  readonly lost: number
  readonly effects: number
  readonly problems: readonly string[]
}

interface Trial {
  readonly store: Store
  readonly client: Client
  readonly journal: FeedJournal
  /** Where the sink is. */
  readonly directory: string
  readonly isSafe: boolean
  readonly rollbacks: readonly RedisRollback[]
}

/** Runners repair what a death left of a permit in half a minute. */
const repairedMs = 120_000
const lookEveryMs = 500
/** The feed is this close behind the last commit, at the latest. */
const feedMs = 60_000

/** Every problem in words. The runners must be at work: some of what a death leaves is theirs to clear up. */
export async function judge(trial: Trial): Promise<Judged> {
  const { store, client, isSafe, rollbacks } = trial
  await within(repairedMs, async () => !(await someHoldOn(store)))
  await within(feedMs, () => feedIsThere(trial))
  const sinkOf = splitSink(trial)
  const goneRuns = [...client.accepted].filter(([, { end }]) => end === 'LOST').map(([id]) => id)
  const problems: string[] = []
  let lost = 0
  let effects = 0
  for (const partition of store.info.partitions) {
    const gone = new Set<string>(goneRuns.filter((id) => partitionOfRun(store.info, id) === partition))
    const judged = await judgePartition(trial, { partition, gone, sink: sinkOf(partition) })
    lost += judged.lost
    effects += judged.effects
    problems.push(...judged.problems)
  }
  if (!isSafe) return { lost, effects, problems }
  // What was seen before a replica had it may be gone; then it was acknowledged to nobody, and written again.
  const loss = [
    ...goneRuns.map((id) => `the accepted run ${id} is gone`),
    ...rollbacks.map((range) => `what was acknowledged was taken back: ${JSON.stringify(range)}`),
  ]
  return { lost, effects, problems: [...problems, ...loss] }
}

interface Part {
  readonly partition: number
  /** Accepted runs of it that the store no longer knows. */
  readonly gone: ReadonlySet<string>
  /** The part of the sink that its runs wrote. */
  readonly sink: string
}

async function judgePartition(trial: Trial, { partition, gone, sink }: Part): Promise<Judged> {
  const { store, client, journal, isSafe } = trial
  const history = await readHistory(store, partition)
  const { events } = history
  const seen = journal.of(partition)
  const there = new Map(events.map((event) => [placeOf(event), event.opId]))
  const lost = seen.filter((event) => there.get(placeOf(event)) !== event.opId)
  const told = lossesTold(events)
  const untold = lost.filter((event) => !told.some((range) => covers(range, event)))
  const effects = readEffects(sink)
  const found = await checkHistory(history, {
    store,
    effects: effects.filter(({ runId }) => !gone.has(runId)),
    accepted: [...client.accepted.keys()].filter(
      (id) => !gone.has(id) && partitionOfRun(store.info, id) === partition,
    ),
    settled: true,
  })
  const problems = [
    ...found.filter((problem) => isSafe || told.length === 0 || !isOfLostWork(problem)),
    ...untold.map((event) => `${placeOf(event)} (${event.type}) is gone, and nothing tells of it`),
    ...[...gone].flatMap((id) =>
      told.length === 0 ? [`the accepted run ${id} is gone, and nothing tells of it`] : [],
    ),
    ...missedBy(seen, events).map((event) => `the feed left out ${placeOf(event)} (${event.body.type})`),
    ...seenTwice(seen),
  ]
  return { lost: lost.length, effects: effects.length, problems }
}

/** The sink by partition: an hour of it is more than a string can hold. */
function splitSink({ store, directory }: Trial): (partition: number) => string {
  const partOf = (partition: number): string => join(directory, `sink-${partition}.jsonl`)
  const sink = join(directory, sinkName)
  if (existsSync(sink)) splitEffects(sink, (runId) => partOf(partitionOfRun(store.info, runId)))
  return partOf
}

/** Whether anything that has ended still holds a permit. */
async function someHoldOn(store: Store): Promise<boolean> {
  const uses = await store.list(0, 'permits', { filter: { prefix: '' }, page: { after: null, limit: 1_000 } })
  for (const { holders } of uses) {
    for (const { holder, expiresAt } of holders) {
      if (expiresAt !== null) continue
      const invocationId = holder as InvocationId
      const record = await store.load(0, 'invocation', { invocationId }).catch(() => null)
      if (record !== null && invocationMachine.final.has(record.status)) return true
    }
  }
  return false
}

async function feedIsThere({ store, journal }: Trial): Promise<boolean> {
  const ends = await Promise.all(
    store.info.partitions.map((partition) => store.load(partition, 'feedEnd', {})),
  )
  return ends.every(journal.hasReached)
}

type Place = Pick<EngineEvent, 'partition' | 'epoch' | 'seq'>

const placeOf = ({ partition, epoch, seq }: Place): string => `${partition}/${epoch}/${seq}`

const missedBy = (seen: readonly SeenEvent[], events: readonly EngineEvent[]): readonly EngineEvent[] => {
  const known = new Map(seen.map((event) => [placeOf(event), event.opId]))
  return events.filter((event) => known.get(placeOf(event)) !== event.opId)
}

function seenTwice(events: readonly SeenEvent[]): readonly string[] {
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

const covers = ({ partition, from, to }: Loss, event: Place): boolean =>
  event.partition === partition &&
  !isBefore(event, from) &&
  !isBefore({ epoch: to[0], seq: to[1] }, at(event))

const at = ({ epoch, seq }: Place) => [epoch, seq] as const

const isBefore = (
  one: { readonly epoch: number; readonly seq: number },
  [epoch, seq]: readonly [number, number],
): boolean => one.epoch < epoch || (one.epoch === epoch && one.seq < seq)

/** The outside world remembers what was taken back: a step of a partition that lost something was done again. */
const isOfLostWork = (problem: string): boolean =>
  /^I1[5-7] (?:an attempt of |attempts \d+ and \d+ of )?run_[^ ]+/.test(problem)

async function within(ms: number, holds: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + ms
  while (!(await holds()) && performance.now() < end) await pause(lookEveryMs)
}
