/**
 * Moves a register from what it is to what it is to be, however many others do the same: read, decide, compare and
 * set, and again where somebody was first, or where a failover may have taken back what was read.
 */

import type { Checkpoint, Register } from '../model/checkpoint.ts'
import { SagasmithError } from '../model/errors.ts'
import type { Store } from '../store/store.ts'
import { lookAtRegister } from './register-look.ts'

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
    const { epoch, register } = await lookAtRegister({ store, partition }, key)
    const { answer, checkpoint } = await decide(register)
    if (checkpoint === null) return answer
    const bound = { ...checkpoint, expect: { ...checkpoint.expect, epoch } }
    const [told] = await store.commit(partition, [bound])
    if (told?.kind === 'accepted') return answer
  }
  throw new SagasmithError('lost_race', { message: lost })
}
