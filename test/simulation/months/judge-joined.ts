/** Whether what was met counted once for each trigger that waits for it, and each end of a watched run was heard once. */

import type { Instant } from '../../../src-engine/model/time.ts'
import { hour } from '../../../src-engine/model/time.ts'
import { conditionEvents, joints } from './joints.ts'
import { isTriggered } from './ledger.ts'
import type { Trial } from './trial.ts'

/** Who reads the history may have died just before; another one takes over within this. */
const heardWithinMs = 3 * hour

export const judgeJoined = (trial: Trial): readonly string[] => [
  ...Object.entries(conditionEvents).flatMap(([id, name]) => judgeCondition(trial, id, name)),
  ...Object.entries(joints).flatMap(([id, joint]) => judgeJoint(trial, id, joint)),
  ...judgeHeard(trial),
]

const linesOf = ({ ledger: { firings } }: Trial, workflowId: string, triggerId: string) =>
  firings.filter(({ firing }) => firing.workflowId === workflowId && firing.triggerId === triggerId)

function judgeCondition(trial: Trial, id: string, name: string): readonly string[] {
  const { plan, outside } = trial
  const met = linesOf(trial, 'joining', id).flatMap(({ firing }) =>
    firing.sources.map((source) =>
      source.kind === 'event' ? Number(/message-(\d+)$/.exec(source.eventId)?.[1]) : -1,
    ),
  )
  return plan.events.flatMap(({ number, name: told }) => {
    const count = met.filter((one) => one === number).length
    const isOwed = told === name && outside.answeredEvents.has(number)
    if (told !== name && count > 0) return [`the condition ${id} was met by the event ${number}`]
    if (count > 1) return [`the condition ${id} was met ${count} times by the event ${number}`]
    return isOwed && count === 0 ? [`the condition ${id} lost the event ${number}`] : []
  })
}

/** Each occurrence is used once; what is complete has begun. */
function judgeJoint(
  trial: Trial,
  id: string,
  { mode, conditions }: (typeof joints)[keyof typeof joints],
): readonly string[] {
  const lines = linesOf(trial, 'joining', id)
  const used = lines.flatMap(({ firing: { sources } }) =>
    sources.map((source) => (source.kind === 'condition' ? source.firingId : '')),
  )
  const met = conditions.map((condition) => linesOf(trial, 'joining', condition).length)
  const owed = mode === 'all' ? Math.min(...met) : met.reduce((sum, count) => sum + count, 0)
  const skipped = lines.filter(({ firing }) => firing.runId === null)
  const halves = mode === 'all' ? conditions.length : 1
  return [
    ...(new Set(used).size === used.length ? [] : [`${id} used a condition twice`]),
    ...(lines.length === owed ? [] : [`${id} began ${lines.length} runs, and ${owed} were complete`]),
    ...skipped.map(({ firing }) => `${id} started nothing: ${firing.words}`),
    ...lines.flatMap(({ firing: { id: record, sources } }) => {
      const own = new Set(sources.map((one) => (one.kind === 'condition' ? one.triggerId : '')))
      return own.size === halves && sources.length === halves ? [] : [`${record} is not one of each`]
    }),
  ]
}

/** Each watched run that ended is one run of the one that follows. */
function judgeHeard(trial: Trial): readonly string[] {
  const { plan, ledger, end } = trial
  const heard = new Map<string, number>()
  for (const { firing } of linesOf(trial, 'following', 'after'))
    for (const source of firing.sources)
      if (source.kind === 'run') heard.set(source.runId, (heard.get(source.runId) ?? 0) + 1)
  const isOwed = (endedAt: Instant | null): boolean => endedAt !== null && endedAt < end - heardWithinMs
  return [...ledger.runs.values()].flatMap(({ run, endedAt }) => {
    const count = heard.get(run.id) ?? 0
    const isWatched = run.workflowId === plan.watched && isTriggered(run)
    if (!isWatched || endedAt === null)
      return count === 0 ? [] : [`${run.id} was heard of and had not ended, or is not watched`]
    if (count > 1) return [`the end of ${run.id} was heard ${count} times`]
    return count === 0 && isOwed(endedAt) ? [`the end of ${run.id} was never heard`] : []
  })
}
