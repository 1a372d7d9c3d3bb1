/** Words of the runners' lanes, and of the turns at the chores. */

import type { AttemptOutcome } from '../../src-engine/model/attempt.ts'
import type { AtomicServiceTurn } from '../../src-engine/protocol/atomic-service.ts'

export const laneWords = {
  title: 'What they did',
  lead: 'Each bar is one try of a step on its runner. Press one for its run at that moment.',
  span: 'How far back',
  live: 'Live',
  liveHint: 'Follows what happens now',
  pausedHint: 'Stands still; press to follow what happens now',
  overview: 'The whole time: drag to see a part of it, press twice for all of it',
  whole: 'Show all of it',
  chart: 'Tries by runner over time. Arrow keys go from one to the next, Enter shows its run.',
  none: 'No step was at work in this time.',
  loading: 'Reading what they did …',
  cut: 'Only the newest {count} tries are drawn. Choose a shorter time to see all of one.',
  legend: 'What the bars mean',
  one: '{step} of {workflow}, try {number}: {outcome}, {span}, since {time}',
  unnamed: 'a run that is gone',
  many: '{count} tries close together, {outcome} among them: press to look closer',
  tookOver: 'took over from {runner}',
  lane: 'lane {number}',
  gone: 'gone',
  hint: 'Point at a bar, or go to it with the arrow keys, to read what it was.',
  atWork: 'at work',
} as const

/** By outcome, of a bar. */
export const outcomeWords: Readonly<Record<AttemptOutcome | 'at-work', string>> = {
  'at-work': 'at work',
  succeeded: 'succeeded',
  failed: 'failed',
  'timed-out': 'timed out',
  cancelled: 'cancelled',
  parked: 'parked to wait',
  lost: 'lost with its runner',
  'handed-back': 'handed back',
  skipped: 'skipped',
  reused: 'taken from an earlier run',
}

export const spans = [
  { id: '5m', title: '5 minutes', ms: 5 * 60_000 },
  { id: '15m', title: '15 minutes', ms: 15 * 60_000 },
  { id: '1h', title: '1 hour', ms: 60 * 60_000 },
  { id: '6h', title: '6 hours', ms: 6 * 60 * 60_000 },
  { id: '24h', title: '24 hours', ms: 24 * 60 * 60_000 },
] as const

export const choreWords = {
  title: 'Whose turn at the chores',
  lead: 'The periodic chores (recovery, schedules) are done by one runner at a time, each in its window of the cycle. What can’t wait is begun at once, by anybody.',
  none: 'No runner takes turns at the chores now.',
  cycle: 'A cycle takes {cycle}; {margin} at the end of each window are kept free.',
  cycleOfOne: 'A cycle takes {cycle}, and it is all its own.',
  now: 'now',
  own: 'its turn now',
  next: 'next {when}',
  noWindow: 'no window',
  strip: 'Windows of the runners in the cycle that is over, the one that is on and the next',
  window: '{runner}: {from} to {to}',
  turns: 'The last turns',
  noTurns: 'Nobody has taken a turn yet.',
  at: '{runner} is at it for {span}.',
  columns: { when: 'When', who: 'Runner', how: 'Begun', outcome: 'Outcome', took: 'Took', why: 'Why' },
} as const

/** What had a turn begin. */
export const turnKinds: Readonly<Record<AtomicServiceTurn['kind'], string>> = {
  slot: 'in its window',
  due: 'something was due',
  event: 'an event came',
  'lost-lease': 'a runner was lost',
}

export const turnStatuses: Readonly<Record<AtomicServiceTurn['status'], string>> = {
  RUNNING: 'At it',
  COMPLETED: 'Done',
  ABANDONED: 'Given up',
  BLOCKED: 'Skipped',
}

/** Why the election passes over a runner now, or why a turn didn't come to its end; what isn't here is said as it is. */
const reasons: Readonly<Record<string, string>> = {
  ASSIGNED: 'may begin now',
  NOT_ASSIGNED_SLOT: 'not its window',
  SCHEDULED_RUNNER_IN_GRACE: 'too new to take turns yet',
  SLOT_WINDOW_INVALID: 'the margin takes up its whole window',
  LATE_START: 'too late in its window to begin',
  NO_STABLE_RUNNERS: 'no runner is settled yet',
  no_margin: 'too little was left of its window',
}

export function reasonWords(reason: string): string {
  const prior = /^prior_running:\S* runner:(\S+)/.exec(reason)
  if (prior !== null) return `${prior[1]} was still at it`
  return reasons[reason] ?? reason
}
