/** Everything about triggers that a store accepted, in its order: what is judged, whatever was pruned since. */

import type { Checkpoint, CommitAnswer } from '../../../src-engine/model/checkpoint.ts'
import type { RunId } from '../../../src-engine/model/ids.ts'
import type { JsonValue } from '../../../src-engine/model/json.ts'
import type { RunRecord } from '../../../src-engine/model/run.ts'
import { runMachine } from '../../../src-engine/model/run-status.ts'
import type { Instant } from '../../../src-engine/model/time.ts'
import type { FiringRecord, TriggerRecord } from '../../../src-engine/model/trigger.ts'
import { firingPrefix, readFiring, readTrigger, triggerPrefix } from '../../../src-engine/model/trigger.ts'
import type { Store } from '../../../src-engine/store/store.ts'

export interface FiringLine {
  readonly firing: FiringRecord
  /** When it was accepted. */
  readonly at: Instant
  /** Counts checkpoints. */
  readonly place: number
}

export interface TriggerLine {
  readonly key: string
  /** Null where it was removed. */
  readonly trigger: TriggerRecord | null
  readonly at: Instant
  readonly place: number
}

export interface RunLine {
  readonly run: RunRecord
  readonly place: number
  /** How often a run of this id began. */
  begun: number
  /** When it was seen to be at work first, and when it ended. */
  runningAt: Instant | null
  runningPlace: number | null
  endedAt: Instant | null
  endedPlace: number | null
}

export class Ledger {
  readonly firings: FiringLine[] = []
  readonly triggers: TriggerLine[] = []
  readonly runs = new Map<RunId, RunLine>()
  readonly #now: () => Instant
  #place = 0

  constructor(now: () => Instant) {
    this.#now = now
  }

  /** The same store, whose accepted checkpoints are noted. */
  noting<Noted extends Pick<Store, 'commit'>>(store: Noted): Noted {
    const commit = async (
      partition: number,
      checkpoints: readonly Checkpoint[],
    ): Promise<readonly CommitAnswer[]> => {
      const answers = await store.commit(partition, checkpoints)
      for (const [index, checkpoint] of checkpoints.entries())
        if (answers[index]?.kind === 'accepted') this.#note(checkpoint)
      return answers
    }
    return { ...store, commit }
  }

  #note({ expect, writes }: Checkpoint): void {
    this.#place += 1
    const [at, place] = [this.#now(), this.#place]
    for (const { key, value } of writes.registers) this.#noteRegister(key, value)
    const { run } = writes
    if (run === null) return
    const known = this.runs.get(run.id)
    if (expect.run?.version === 0) {
      if (known !== undefined) known.begun += 1
      else this.runs.set(run.id, { run, place, begun: 1, ...notYet })
    }
    const line = this.runs.get(run.id)
    if (line === undefined) return
    if (run.status === 'RUNNING' && line.runningAt === null)
      Object.assign(line, { runningAt: at, runningPlace: place })
    if (runMachine.final.has(run.status) && line.endedAt === null)
      Object.assign(line, { endedAt: at, endedPlace: place })
  }

  #noteRegister(key: string, value: JsonValue | null): void {
    const [at, place] = [this.#now(), this.#place]
    if (key.startsWith(triggerPrefix))
      this.triggers.push({ key, trigger: value === null ? null : readTrigger(value), at, place })
    const firing = key.startsWith(firingPrefix) && value !== null ? readFiring(value) : null
    // A condition's record gets another word when it is used: the first one counts.
    const isUsed = firing?.conditionOf.some(({ firingId }) => firingId !== null) ?? false
    if (firing !== null && !isUsed) this.firings.push({ firing, at, place })
  }
}

const notYet = { runningAt: null, runningPlace: null, endedAt: null, endedPlace: null }

/** The engine's own chores are no concern of a month. */
export const isTriggered = ({ cause, workflowId }: Pick<RunRecord, 'cause' | 'workflowId'>): boolean =>
  cause.kind.startsWith('trigger:') && !workflowId.startsWith('core.')
