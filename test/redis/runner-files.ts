/** What a runner of a campaign leaves in the campaign's directory. */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DeadlineFigures } from './deadline-watch.ts'

const figuresPrefix = 'figures-'

/** Written when the runner has ended in order. */
export const figuresFile = (directory: string, pid: number): string =>
  join(directory, `${figuresPrefix}${pid}.json`)

/** The instant at which it last began a step. */
export const workedFile = (directory: string, pid: number): string => join(directory, `worked-${pid}`)

/** Of all runners that ended in order. */
export const readFigures = (directory: string): readonly DeadlineFigures[] =>
  readdirSync(directory)
    .filter((name) => name.startsWith(figuresPrefix))
    .map((name) => JSON.parse(readFileSync(join(directory, name), 'utf8')) as DeadlineFigures)

/** 0 for one that has done nothing yet. */
export function lastWorkedAt(directory: string, pid: number): number {
  try {
    return Number(readFileSync(workedFile(directory, pid), 'utf8'))
  } catch {
    return 0
  }
}
