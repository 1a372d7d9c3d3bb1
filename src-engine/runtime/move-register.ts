/**
 * Moves a register from what it is to what it is to be, however many others do the same: read, decide, compare and
 * set, and again where somebody was first. What was read counts only in the epoch in which it was: a partition whose
 * server failed over gives lost versions anew, and an old value must not pass for a new one of the same number.
 */

import type { Checkpoint, Register } from '../model/checkpoint.ts'
import { SagasmithError } from '../model/errors.ts'
import type { Store } from '../store/store.ts'

/** What a move comes to, and the checkpoint that makes it; null where nothing is to be written. */
export interface RegisterMove<Answer> {
  readonly answer: Answer
  readonly checkpoint: Checkpoint | null
}

/** Others may move it in between; more often in a row than this they don't. */
const triesMax = 50

/** Throws `lost_race` with the message where others are first all the time. */
export async function moveRegister<Answer>(
  { store, partition }: { readonly store: Store; readonly partition: number },
  { key, lost }: { readonly key: string; readonly lost: string },
  decide: (register: Register | null) => RegisterMove<Answer> | Promise<RegisterMove<Answer>>,
): Promise<Answer> {
  for (let tries = 0; tries < triesMax; tries += 1) {
    // Before the look: a failover in between has the write refused.
    const epoch = store.info.epochs[partition] ?? 0
    const { answer, checkpoint } = await decide(await store.load(partition, 'register', { key }))
    if (checkpoint === null) return answer
    const bound = { ...checkpoint, expect: { ...checkpoint.expect, epoch } }
    const [told] = await store.commit(partition, [bound])
    if (told?.kind === 'accepted') return answer
  }
  throw new SagasmithError('lost_race', { message: lost })
}
