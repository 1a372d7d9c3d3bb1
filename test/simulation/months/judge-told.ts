/** Whether each event, call and file started what it was to start, once. */

import type { JsonValue } from '../../../src-engine/model/json.ts'
import { isJsonObject } from '../../../src-engine/model/json.ts'
import type { FiringLine, Ledger } from './ledger.ts'
import type { FileChangeTold, ListenerText, Told } from './plan.ts'
import type { Trial } from './trial.ts'

export const judgeTold = (trial: Trial): readonly string[] => [
  ...Object.entries(trial.plan.listeners).flatMap(([id, listener]) => judgeListener(trial, id, listener)),
  ...judgeCalls(trial),
  ...judgeFiles(trial),
  ...judgeAnswers(trial),
]

/** Who asks again and again has an answer in the end. */
function judgeAnswers({ plan, outside }: Trial): readonly string[] {
  const unanswered = (told: readonly Told[], answered: ReadonlySet<number>): readonly number[] =>
    told.map(({ number }) => number).filter((number) => !answered.has(number))
  const events = unanswered(plan.events, outside.answeredEvents)
  const calls = unanswered(plan.calls, outside.answeredCalls)
  return [
    ...(events.length === 0 ? [] : [`the events ${events.join()} have no answer`]),
    ...(calls.length === 0 ? [] : [`the calls ${calls.join()} have no answer`]),
  ]
}

const linesOf = ({ firings }: Ledger, triggerId: string): readonly FiringLine[] =>
  firings.filter(({ firing }) => firing.workflowId === 'listening' && firing.triggerId === triggerId)

/** What the run of a record began with. */
function inputOf({ runs }: Ledger, { firing }: FiringLine): JsonValue {
  const input = firing.runId === null ? undefined : runs.get(firing.runId)?.run.input
  return input?.kind === 'inline' ? (JSON.parse(input.json) as JsonValue) : null
}

const numberOf = (value: JsonValue | undefined): number | null =>
  isJsonObject(value) && typeof value['number'] === 'number' ? value['number'] : null

function judgeListener(trial: Trial, id: string, listener: ListenerText): readonly string[] {
  const { plan, ledger, outside } = trial
  const all = linesOf(ledger, id)
  const lines = all.filter(({ firing }) => firing.reason !== 'filtered')
  const leftOut = all.filter(({ firing }) => firing.reason === 'filtered')
  const isGathered = Object.keys(listener.gathers).length > 0
  const heard = isGathered
    ? lines.flatMap(({ firing }) => firing.sources.map((source) => messageOf(source)))
    : lines.map((line) => numberOf(inputOf(ledger, line)))
  const counts = countsOf(heard)
  const leftOutCounts = countsOf(leftOut.flatMap(({ firing }) => firing.sources.map(messageOf)))
  const skipped = lines.filter(({ firing }) => firing.runId === null)
  return [
    ...skipped.map(({ firing }) => `${id} started nothing: ${firing.words}`),
    ...plan.events.flatMap((event) => {
      const count = counts.get(event.number) ?? 0
      const isAnswered = outside.answeredEvents.has(event.number)
      const left = judgeLeftOut({ id, listener, event }, leftOutCounts.get(event.number) ?? 0, isAnswered)
      const isMeant = fits(listener, event)
      if (isMeant) return [...left, ...judgeCount(`event ${event.number} of ${id}`, count, isAnswered)]
      return count === 0 ? left : [...left, `${id} heard the event ${event.number}, which isn’t for it`]
    }),
  ]
}

function judgeCalls({ plan, ledger, outside }: Trial): readonly string[] {
  const heard = linesOf(ledger, 'called').map((line) => {
    const input = inputOf(ledger, line)
    return numberOf(isJsonObject(input) ? input['body'] : undefined)
  })
  const counts = countsOf(heard)
  return plan.calls.flatMap(({ number }) =>
    judgeCount(`call ${number}`, counts.get(number) ?? 0, outside.answeredCalls.has(number)),
  )
}

/** Who was told that it counts is owed one run; who wasn’t may have it all the same. */
function judgeCount(what: string, count: number, wasAnswered: boolean): readonly string[] {
  if (count > 1) return [`the ${what} started ${count} runs`]
  return count === 0 && wasAnswered ? [`the ${what} is lost`] : []
}

const countsOf = (numbers: readonly (number | null)[]): ReadonlyMap<number, number> => {
  const counts = new Map<number, number>()
  for (const number of numbers) if (number !== null) counts.set(number, (counts.get(number) ?? 0) + 1)
  return counts
}

function messageOf(source: FiringLine['firing']['sources'][number]): number | null {
  if (source.kind !== 'event') return null
  return Number(/message-(\d+)$/.exec(source.eventId)?.[1])
}

interface ToldListener {
  readonly id: string
  readonly listener: ListenerText
  readonly event: Told
}

/** What has the name and not the rest is recorded as left out, once; nothing else is. */
function judgeLeftOut(
  { id, listener, event }: ToldListener,
  count: number,
  isAnswered: boolean,
): readonly string[] {
  const isOwed = isCalled(listener, event) && !fits(listener, event)
  if (!isOwed) return count === 0 ? [] : [`${id} is said to have left out the event ${event.number}`]
  if (count > 1) return [`the event ${event.number} was left out by ${id} ${count} times`]
  return count === 0 && isAnswered ? [`nothing says that ${id} left out the event ${event.number}`] : []
}

const isCalled = ({ name }: ListenerText, event: Told): boolean =>
  name === '*' || name === event.name || (name.endsWith('*') && event.name.startsWith(name.slice(0, -1)))

const fits = (listener: ListenerText, event: Told): boolean =>
  isCalled(listener, event) && (listener.filter === null || listener.filter['kind'] === event.kind)

/** What the runs were told of a file leads to what it is now, without a repeat. */
function judgeFiles({ plan, ledger, folder }: Trial): readonly string[] {
  const lines = linesOf(ledger, 'watched')
  const byPath = Map.groupBy(lines, ({ firing: { sources } }) => {
    const [source] = sources
    return source?.kind === 'file' ? source.path : ''
  })
  const paths = new Set([...byPath.keys(), ...folder.keys()])
  return [...paths].flatMap((path) => {
    const versions = plan.files.filter((file) => file.path === path)
    const seen = (byPath.get(path) ?? []).map((line) => versionOf(ledger, line, versions))
    const now = folder.get(path) ?? null
    const last = seen.at(-1) ?? { stamp: null, place: -1 }
    return [
      ...(last.stamp === now ? [] : [`of ${path} a run was last told ${last.stamp}, and it is ${now}`]),
      ...seen.flatMap((one, index) => {
        const before = seen[index - 1]
        const repeats = one.stamp === null ? before?.stamp === null : one.place <= placeBefore(seen, index)
        return repeats ? [`${path} was told twice: ${one.stamp}`] : []
      }),
    ]
  })
}

interface Seen {
  readonly stamp: string | null
  /** Which of the file's versions; -1 for one that went. */
  readonly place: number
}

const placeBefore = (seen: readonly Seen[], index: number): number =>
  Math.max(-1, ...seen.slice(0, index).map(({ place }) => place))

function versionOf(ledger: Ledger, line: FiringLine, versions: readonly FileChangeTold[]): Seen {
  const input = inputOf(ledger, line)
  const at = isJsonObject(input) ? input['modifiedAt'] : null
  const place = versions.findIndex(({ stamp }) => stamp !== null && stamp.endsWith(`:${Number(at)}`))
  return { stamp: versions[place]?.stamp ?? null, place }
}
