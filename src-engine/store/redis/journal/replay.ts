/**
 * Writes lost operations of this process again, in their order, each only where everything that it was built on is
 * exactly as it was: the tokens of records tell one write from every other, and what is written again keeps its own.
 * So processes whose operations build on each other may each bring back theirs, in turns and in any order, and
 * nothing is forced on work that has gone on meanwhile.
 */

import type { SlotTake } from '../../../model/checkpoint.ts'
import { statusOf, versionOf } from '../tokens.ts'
import type { Unit, UnitAnswer } from '../unit.ts'
import { checksOf } from '../unit.ts'
import type { JournalEntry } from './entry.ts'
import type { LostOp, LostWhy } from './lost-op.ts'
import { lostOpOf } from './lost-op.ts'
import type { OpJournal } from './op-journal.ts'
import { rebuiltUnit } from './rebuilt-unit.ts'

/** What a partition is asked while operations are brought back. */
export interface ReplayTarget {
  readonly epoch: number
  /** Writes units; `other` when the partition has yet another epoch: what is left is judged anew. */
  readonly write: (
    units: readonly Unit[],
  ) => Promise<
    { readonly kind: 'done'; readonly seq: number; readonly answers: readonly UnitAnswer[] } | OtherEpoch
  >
  /** What the field of a hash holds now; empty for nothing. */
  readonly token: (key: string, field: string) => Promise<string>
  /** Whether the operation is among the events of its run. */
  readonly isThere: (entry: JournalEntry) => Promise<boolean>
  /** Permits that others may have by now; the others that come back are told for what they give back. */
  readonly lateTakes: (entry: JournalEntry, waiting: readonly JournalEntry[]) => readonly SlotTake[]
  /** Takes them for it again; false while others have them. */
  readonly takeAgain: (entry: JournalEntry, takes: readonly SlotTake[]) => Promise<boolean>
}

/** Another epoch has begun. */
interface OtherEpoch {
  readonly kind: 'other'
}

/** What became of the lost operations of one partition. */
export interface Replay {
  /** Still waiting: what they build on isn't there yet, and others may bring it. */
  waiting: readonly JournalEntry[]
  broughtBack: number
  /** Found: written again before, or decided again in the same way. */
  there: number
  readonly gone: LostOp[]
  /** Their entries: they stay in the journal until it is told, for whoever comes next if that doesn't happen. */
  readonly untold: JournalEntry[]
  /** The newest event of the partition, as far as an answer told. */
  seq: number
  /** What records would hold now, had those that are gone been written: nothing that builds on it can be. */
  readonly goneTokens: Set<string>
  /** Those whose permits others had when they were tried last. */
  readonly crowded: Set<JournalEntry>
}

/** A replay of these, of which nothing has been tried. */
export const newReplay = (lost: readonly JournalEntry[]): Replay => ({
  waiting: lost,
  broughtBack: 0,
  there: 0,
  gone: [],
  untold: [],
  seq: 0,
  goneTokens: new Set(),
  crowded: new Set(),
})

/** As many as hold up the node no longer than a commit does. */
const batchSize = 50

/** Tries all that wait, as long as it helps; then gives up those that others have overtaken. */
export async function tryReplay(
  target: ReplayTarget,
  journal: OpJournal,
  replay: Replay,
): Promise<'tried' | 'other'> {
  for (let helped = true; helped && replay.waiting.length > 0; ) {
    helped = false
    const before = replay.waiting
    const still: JournalEntry[] = []
    for (let from = 0; from < before.length; from += batchSize) {
      const batch = before.slice(from, from + batchSize)
      const left = await writeBatch(target, journal, { replay, batch })
      if (left === null) return 'other'
      helped ||= left.length < batch.length
      still.push(...left)
      replay.waiting = [...still, ...before.slice(from + batchSize)]
    }
  }
  await giveUpOvertaken(target, journal, replay)
  return 'tried'
}

/** Those that don't fit; null when another epoch has begun. */
async function writeBatch(
  target: ReplayTarget,
  journal: OpJournal,
  { replay, batch }: { readonly replay: Replay; readonly batch: readonly JournalEntry[] },
): Promise<readonly JournalEntry[] | null> {
  const { epoch } = target
  await takeLate(target, { replay, batch })
  const ready = batch.filter((entry) => !replay.crowded.has(entry))
  const units = ready.map(({ unit, place }) => rebuiltUnit(unit, place.epoch, epoch))
  const answer = await target.write(units)
  if (answer.kind === 'other') return null
  const done = new Set<JournalEntry>()
  replay.seq = answer.seq
  let seq = answer.seq - units.reduce((sum, unit, index) => sum + written(unit, answer.answers[index]), 0)
  for (const [index, entry] of ready.entries()) {
    const one = answer.answers[index]
    const unit = units[index] ?? entry.unit
    seq += written(unit, one)
    if (one?.kind === 'written') {
      replay.broughtBack += 1
      done.add(entry)
      journal.move(entry, { epoch, seq }, unit)
    } else if (one?.kind === 'there') {
      replay.there += 1
      done.add(entry)
      // Where exactly nobody tells; not behind this.
      journal.move(entry, { epoch, seq: answer.seq }, unit)
    } else if (one?.kind === 'no-room') replay.crowded.add(entry)
  }
  journal.flush()
  return batch.filter((entry) => !done.has(entry))
}

/** Takes again what those that would be written now need; who finds no room waits for it. */
async function takeLate(
  target: ReplayTarget,
  { replay, batch }: { readonly replay: Replay; readonly batch: readonly JournalEntry[] },
): Promise<void> {
  for (const entry of batch) replay.crowded.delete(entry)
  const last = batch.findLastIndex((entry) => target.lateTakes(entry, replay.waiting).length > 0)
  // What those before it in the batch bring back is there by its turn.
  const ahead = new Map<string, string>()
  for (const entry of batch.slice(0, last + 1)) {
    if (!(await wouldBeWritten(target, entry, ahead))) continue
    const takes = target.lateTakes(entry, replay.waiting)
    if (takes.length > 0 && !(await target.takeAgain(entry, takes))) replay.crowded.add(entry)
    else
      for (const { key, field, written: own } of checksOf(entry.unit))
        if (own !== '') ahead.set(`${key} ${field}`, own)
  }
}

/** What doesn't fit, or is there already, would take permits for nothing. */
async function wouldBeWritten(
  { token }: ReplayTarget,
  { unit }: JournalEntry,
  ahead: ReadonlyMap<string, string>,
): Promise<boolean> {
  for (const { key, field, believed } of checksOf(unit)) {
    const current = ahead.get(`${key} ${field}`) ?? (await token(key, field))
    const isSame = believed.startsWith('~') ? statusOf(current) === believed.slice(1) : current === believed
    if (!isSame) return false
  }
  return true
}

const written = ({ parts }: Unit, answer: UnitAnswer | undefined): number =>
  answer?.kind === 'written' ? parts.reduce((sum, { count }) => sum + count, 0) : 0

async function giveUpOvertaken(target: ReplayTarget, journal: OpJournal, replay: Replay): Promise<void> {
  const still: JournalEntry[] = []
  for (const entry of replay.waiting) {
    const isGone = buildsOn(replay.goneTokens, entry) || (await isOvertaken(target, entry))
    if (!isGone) still.push(entry)
    else if (await target.isThere(entry)) {
      replay.there += 1
      // Others built on it; the next failover may take it all the same.
      const { epoch } = target
      journal.move(entry, { epoch, seq: replay.seq }, rebuiltUnit(entry.unit, entry.place.epoch, epoch))
    } else giveUp(journal, replay, { entry, why: 'overtaken' })
  }
  replay.waiting = still
  journal.flush()
}

/** Gives up all that still wait; `why` is it for those that there would be room for. */
export function giveUpRest(journal: OpJournal, replay: Replay, why: LostWhy): void {
  for (const entry of replay.waiting)
    giveUp(journal, replay, { entry, why: replay.crowded.has(entry) ? 'no-room' : why })
  replay.waiting = []
}

function giveUp(
  journal: OpJournal,
  replay: Replay,
  { entry, why }: { readonly entry: JournalEntry; readonly why: LostWhy },
): void {
  replay.gone.push(lostOpOf(entry, why))
  for (const { key, field, written: own } of checksOf(entry.unit)) {
    if (own !== '') replay.goneTokens.add(tokenName(key, field, own))
  }
  replay.untold.push(entry)
  journal.giveUp()
}

/** What was given up has been told: nobody needs to tell it again. */
export function noteTold(journal: OpJournal, replay: Replay): void {
  for (const entry of replay.untold.splice(0)) journal.told(entry)
  journal.flush()
}

const tokenName = (key: string, field: string, token: string): string => `${key} ${field} ${token}`

const buildsOn = (gone: ReadonlySet<string>, { unit }: JournalEntry): boolean =>
  gone.size > 0 &&
  [...checksOf(unit)].some(({ key, field, believed }) => gone.has(tokenName(key, field, believed)))

/** Whether a record has gone on from where the operation began; one that is not there yet may still come. */
async function isOvertaken({ token }: ReplayTarget, { unit }: JournalEntry): Promise<boolean> {
  for (const { key, field, believed, written: own } of checksOf(unit)) {
    // Of a run that is only looked at, its status is what counts: it may still come.
    if (believed.startsWith('~')) continue
    const current = await token(key, field)
    if (current === believed || current === own) continue
    if (versionOf(current) >= versionOf(believed)) return true
  }
  return false
}
