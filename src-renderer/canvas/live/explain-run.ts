/** One sentence on what a run under way does, or waits for, and what follows. Pure. */

import type { InvocationRecord } from '../../../src-engine/model/invocation.ts'
import { runMachine } from '../../../src-engine/model/run-status.ts'
import type { RunTimes } from '../../../src-engine/model/run-time.ts'
import { runTookMs } from '../../../src-engine/model/run-time.ts'
import type { WhyWaiting } from '../../../src-engine/protocol/why-waiting.ts'
import { isRolledBack } from '../../state/rolled-back.ts'
import type { NodeRun, RunModel } from '../../state/run-model.ts'
import { pauseOf, waitWords } from '../../status/wait-words.ts'
import { explain } from '../../text/live-words.ts'
import { fill } from '../../text/messages.ts'
import { aheadWords, spanWords } from '../../ui/time-words.ts'
import { beganAt } from '../loop-times.ts'
import { limitWords } from './limit-words.ts'
import type { Headline, Manner } from './standing.ts'
import { standingOf } from './standing.ts'

/** What the sentence is made from. */
export interface ExplainFacts {
  readonly model: RunModel
  /** The instant that is looked at. */
  readonly now: number
  readonly titleOf: (nodeId: string) => string
  /** How often a node may be tried in all. */
  readonly triesOf: (nodeId: string) => number
  /** What the engine says about the step that waits; null while it wasn't asked. */
  readonly why: WhyWaiting | null
  /** How long runs of this workflow take as a rule; null while too few are known. */
  readonly usualMs: number | null
}

export interface Explained {
  /** The step it speaks of. */
  readonly nodeId: string
  readonly text: string
  /** Without what counts on: it differs only when something happened. */
  readonly spoken: string
}

/** The step that the sentence is about; null when there is nothing to say, or something else says it. */
export function headlineOf(model: RunModel): Headline | null {
  const { run } = model.replay
  if (run === null || runMachine.final.has(run.status) || isRolledBack(run.status)) return null
  // A banner with the way on says so.
  if (pauseOf(run) !== 'none') return null
  return standingOf(model).headline
}

/** The sentence; null when the run has ended, stands still by a person's will, or is being taken back. */
export function explainRun(facts: ExplainFacts): Explained | null {
  const headline = headlineOf(facts.model)
  const record = headline?.run.invocation ?? null
  if (headline === null || record === null) return null
  const standing = standingOf(facts.model)
  const values = valuesOf(facts, headline.run, record)
  const words = explain[headline.manner]
  const again = headline.manner === 'running' && record.crashCount > 0 ? explain.again : null
  const seen = fill(words.seen, values) + (again?.seen ?? '')
  const text = `${seen}${placeWords(headline.manner, facts.why)}${othersWords(standing.busy)}`
  return {
    nodeId: record.nodeId,
    text: `${text}${followWords(standing.following)}${usualWords(facts.usualMs)}.`,
    spoken: `${fill(words.spoken, values)}${again?.spoken ?? ''}.`,
  }
}

function valuesOf(facts: ExplainFacts, run: NodeRun, record: InvocationRecord) {
  const { now, titleOf, triesOf, why } = facts
  const tries = triesOf(record.nodeId)
  const span = spanWords(wholeSeconds(Math.max(0, now - (sinceOf(run, record) ?? now))))
  const reason = waitWords(record)
  const strip = run.strip ?? facts.model.strips.get(record.nodeId) ?? ''
  const failed = countOf(strip, 'f')
  return {
    title: titleOf(record.nodeId),
    span,
    ahead: aheadWords(record.notBefore ?? now, now),
    key: limitWords(record.permits?.blockedBy ?? why?.permit?.key ?? 'node:'),
    reason:
      reason === null
        ? ''
        : record.status === 'WAITING'
          ? lowerFirst(trimmed(reason))
          : `: ${trimmed(reason)}`,
    attempt: attemptWords(record, tries),
    tries: triedWords(record, tries),
    turns: run.turns === null ? '' : fill(explain.turnsOf, { ...run.turns }),
    ...bodyOf(record, strip),
    failed: failed === 0 ? '' : fill(explain.failedItems, { count: failed }),
  }
}

/** How far the body of a map or loop has come. */
function bodyOf(
  { wait }: InvocationRecord,
  strip: string,
): { readonly done: number; readonly total: number } {
  if (wait?.kind === 'turn') return { done: wait.iteration + 1, total: 0 }
  const done = countOf(strip, 'd') + countOf(strip, 's') + countOf(strip, 'f')
  return { done, total: wait?.kind === 'items' ? wait.count : strip.length }
}

function sinceOf(run: NodeRun, record: InvocationRecord): number | null {
  if (record.cancelRequestedAt !== null) return record.cancelRequestedAt
  if (record.status === 'CONCURRENCY_CONTROLLED') return record.permits?.blockedSince ?? record.registeredAt
  return beganAt(record, run.attempts) ?? record.registeredAt
}

function attemptWords({ attempt }: InvocationRecord, tries: number): string {
  if (attempt <= 1) return ''
  return fill(tries > 1 && attempt <= tries ? explain.attemptOf : explain.attempt, { attempt, tries })
}

function triedWords({ failureCount: count }: InvocationRecord, tries: number): string {
  if (tries > 1 && count <= tries) return fill(explain.triesOf, { count, tries })
  return count > 1 ? fill(explain.tries, { count }) : ''
}

function placeWords(manner: Manner, why: WhyWaiting | null): string {
  if (manner !== 'limit' || why === null || why.permit === null) return ''
  const { holders, limit, position, waiting: count } = why.permit
  return fill(explain.place, { used: holders.length, limit, position, count })
}

/** What else is under way: steps that are at work, not what waits for them. */
const othersWords = (busy: number): string => (busy < 2 ? '' : fill(explain.others, { count: busy - 1 }))

/** Steps that may still begin. */
function followWords(count: number): string {
  if (count === 0) return ''
  return count === 1 ? explain.oneStep : fill(explain.steps, { count })
}

const usualWords = (usualMs: number | null): string =>
  usualMs === null ? '' : fill(explain.usual, { span: spanWords(wholeSeconds(usualMs)) })

/** Fewer tell nothing about the next one. */
const usualRunsMin = 3

/** The middle of the times of those runs that succeeded; null for too few of them. */
export function usualOf(runs: readonly (RunTimes & { readonly status: string })[]): number | null {
  const times: number[] = []
  for (const run of runs) {
    const tookMs = runTookMs(run)
    if (run.status === 'SUCCEEDED' && tookMs !== null) times.push(tookMs)
  }
  if (times.length < usualRunsMin) return null
  return times.toSorted((left, right) => left - right)[Math.floor(times.length / 2)] ?? null
}

/** Tenths that race by tell nobody anything. */
const wholeSeconds = (ms: number): number => (ms < 1_000 ? ms : Math.floor(ms / 1_000) * 1_000)
const countOf = (strip: string, mark: string): number => strip.split(mark).length - 1
const trimmed = (text: string): string => text.replace(/\.$/, '')
const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)
