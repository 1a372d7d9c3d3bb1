/**
 * Runs in memory, in two generations: what nobody asked for during a whole one is forgotten, and what is under
 * way stays, however many others come and go. Events bring back what is needed again.
 */

import type { InvocationId, OpId, RunId } from '../../model/ids.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import { PassingMap } from '../../model/passing-map.ts'
import type { RunRecord } from '../../model/run.ts'
import type { RunStatus } from '../../model/run-status.ts'
import { runMachine } from '../../model/run-status.ts'

export interface KnownInvocation {
  record: InvocationRecord
  /** Its row among the work; 0 when it has none. */
  workKey: number
}

export interface KnownRun {
  readonly key: number
  version: number
  status: RunStatus
  /** Which checkpoint of this connection wrote it last, and whose; null when none is known. */
  lastOp: OpId | null
  lastActor: string | null
  /** Its whole record, as its events told when they were read; null once it was written since, or given away. */
  told: RunRecord | null
  /** The number in the run that its next row of work gets. */
  nextWork: number
  /** In order of registration. */
  readonly invocations: Map<InvocationId, KnownInvocation>
}

/** A generation ends beyond either. */
const runsMax = 1_000
const invocationsMax = 100_000
/** Of those that nobody decides about: each of them would be moved by the next collections of garbage. */
const asideMax = 200
/** A larger one isn't among these. */
const asideInvocationsMax = 100
/** Counting is worth it once in so many runs. */
const runsPerCount = 250

export interface KnownRuns {
  readonly get: (id: RunId) => KnownRun | undefined
  readonly set: (id: RunId, run: KnownRun) => void
  /**
   * Keeps a run that was only read for as long as few others are; who asks for it again, keeps it like all. Mostly it is
   * decided about next, and then written. A large one isn't kept: whoever looks at history goes through many.
   */
  readonly setRead: (id: RunId, run: KnownRun) => void
  /** The same of a run that is being made with so much work, none of which anybody owns: it may wait for long. */
  readonly setWaiting: (id: RunId, run: KnownRun, invocations: number) => void
  readonly delete: (id: RunId) => void
  readonly clear: () => void
  /** Forgets what is too much; whoever holds on to a run must be done with it. */
  readonly trim: () => void
}

/** None known yet. */
export function createKnownRuns(): KnownRuns {
  let young = new PassingMap<RunId, KnownRun>()
  let old = new PassingMap<RunId, KnownRun>()
  let aside = new PassingMap<RunId, KnownRun>()
  let setSinceCount = 0
  const set = (id: RunId, run: KnownRun): void => {
    young.set(id, run)
    setSinceCount += 1
  }
  return {
    get(id) {
      const known = young.get(id)
      if (known !== undefined) return known
      const older = old.get(id)
      if (older !== undefined) {
        old.delete(id)
        young.set(id, older)
        return older
      }
      const seen = aside.get(id)
      if (seen === undefined) return undefined
      aside.delete(id)
      set(id, seen)
      return seen
    },
    set,
    setRead(id, run) {
      if (!runMachine.final.has(run.status) && run.invocations.size <= asideInvocationsMax) aside.set(id, run)
    },
    setWaiting(id, run, invocations) {
      if (invocations <= asideInvocationsMax) aside.set(id, run)
      else set(id, run)
    },
    delete(id) {
      young.delete(id)
      old.delete(id)
      aside.delete(id)
    },
    clear() {
      young.clear()
      old.clear()
      aside.clear()
    },
    trim() {
      if (aside.size > asideMax) aside = new PassingMap()
      if (setSinceCount < runsPerCount) return
      setSinceCount = 0
      let invocations = 0
      for (const known of young.values()) invocations += known.invocations.size
      if (young.size <= runsMax && invocations <= invocationsMax) return
      old = young
      young = new PassingMap()
    },
  }
}
