/** Which checkpoint wrote a run last, for a store that keeps nothing else of a run to note it at. */

import type { Checkpoint } from '../model/checkpoint.ts'
import type { OpId, RunId } from '../model/ids.ts'
import type { Actor } from '../model/invocation-status.ts'
import { runMachine } from '../model/run-status.ts'

/** Runs beyond this are forgotten: whoever builds on one of them is refused, and decides anew. */
const runsMax = 10_000

export interface LastOps {
  /** Whether this very checkpoint wrote the run last; two actors may decide the same by the same op-id. */
  readonly isLast: (id: RunId, opId: OpId, actor: Actor) => boolean
  /** Call for every checkpoint that was accepted. */
  readonly note: (checkpoint: Checkpoint) => void
  /** Forgets all: what was accepted may be gone. */
  readonly clear: () => void
}

/** Knows of no checkpoint yet. */
export function createLastOps(): LastOps {
  const writeByRun = new Map<RunId, string>()
  return {
    clear: () => writeByRun.clear(),
    isLast: (id, opId, actor) => writeByRun.get(id) === nameOf(opId, actor),
    note({ writes: { run }, opId, actor }) {
      if (run === null) return
      if (runMachine.final.has(run.status)) writeByRun.delete(run.id)
      else {
        if (writeByRun.size >= runsMax) writeByRun.clear()
        writeByRun.set(run.id, nameOf(opId, actor))
      }
    },
  }
}

const nameOf = (opId: OpId, { id }: Actor): string => `${opId} ${id ?? ''}`
