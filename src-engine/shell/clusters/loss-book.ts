/** The last failovers that took operations of this data directory's processes, one a line, the newest last. */

import { appendFileSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { StoreId } from '../../model/ids.ts'
import type { Instant } from '../../model/time.ts'
import type { ReplayReport } from '../../store/redis/journal/journal-options.ts'
import { lostOpText } from '../../store/redis/journal/lost-op.ts'

const lossSchema = z.object({
  at: z.number(),
  storeId: z.string(),
  partition: z.number(),
  lost: z.number(),
  broughtBack: z.number(),
  there: z.number(),
  isCut: z.boolean(),
  gone: z.number(),
  /** The first of those that are lost for good, in words. */
  words: z.array(z.string()),
})

/** What one failover took in one partition. */
export type Loss = z.infer<typeof lossSchema>

const fileName = 'losses.jsonl'
const bytesMax = 1_000_000
/** Of one report; the log has them all. */
const wordsMax = 50

/** Adds what was reported. */
export function noteLoss(
  folder: string,
  { at, report }: { readonly at: Instant; readonly report: ReplayReport },
): void {
  const { storeId, partition, lost, broughtBack, there, isCut, gone } = report
  const words = gone.slice(0, wordsMax).map(lostOpText)
  const loss: Loss = { at, storeId, partition, lost, broughtBack, there, isCut, gone: gone.length, words }
  const path = join(folder, fileName)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  appendFileSync(path, `${JSON.stringify(loss)}\n`, { mode: 0o600 })
  if (statSync(path).size > bytesMax) shorten(path)
}

/** What was taken from processes of this directory in one store, oldest first. */
export function readLosses(folder: string, storeId: StoreId): readonly Loss[] {
  return linesOf(join(folder, fileName)).flatMap((line) => {
    const read = lossSchema.safeParse(parsed(line))
    return read.success && read.data.storeId === storeId ? [read.data] : []
  })
}

/** The older half goes. */
function shorten(path: string): void {
  const lines = linesOf(path)
  const temporary = `${path}.tmp`
  writeFileSync(temporary, `${lines.slice(Math.ceil(lines.length / 2)).join('\n')}\n`, { mode: 0o600 })
  renameSync(temporary, path)
}

function linesOf(path: string): readonly string[] {
  try {
    return readFileSync(path, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
  } catch {
    return []
  }
}

/** A line that was cut off is none. */
function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}
