/** One line of JSON for each proof that was run: how its figures go from week to week. */

import { appendFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'

/** What a proof did and found. Counts that it doesn't have are 0. */
export interface TrendLine {
  readonly test: string
  readonly seeds: number
  /** Crash points, or plans of kills. */
  readonly points: number
  readonly faults: number
  /** What was acknowledged to somebody: starts of runs, for the most. */
  readonly acked: number
  /** Of these. */
  readonly lost: number
  readonly duplicates: number
  /** Everything that was wrong, losses and duplicates included. */
  readonly violations: number
  readonly ms: number
}

const directory = join(import.meta.dirname, '../../.cache/reports')
const file = join(directory, 'trend.jsonl')

/** Problems that say that something was done or recorded twice. */
const isDuplicate = (problem: string): boolean => /\bI(?:9|15|16|18)\b|\btwice\b/.test(problem)

/** How many of these problems are about something that happened twice. */
export const duplicatesIn = (problems: readonly string[]): number => problems.filter(isDuplicate).length

/** Appends it to `.cache/reports/trend.jsonl`, with its instant. */
export function noteTrend(line: TrendLine): void {
  mkdirSync(directory, { recursive: true })
  appendFileSync(file, `${JSON.stringify({ at: new Date().toISOString(), ...line })}\n`)
}
