/**
 * A process learns of a workspace that begins to seal within a second. Until then the store says it: where sealed values
 * were written it takes no others. What is refused so is sealed and written again, or nothing is written without the key.
 */

import type { Checkpoint, CommitAnswer } from '../../model/checkpoint.ts'
import { SagasmithError } from '../../model/errors.ts'
import type { Store } from '../../store/store.ts'
import type { SealDesk, SealState } from './seal-state.ts'
import { sealedCheckpoint } from './sealed-records.ts'

/** Throws `seal_key_missing` where the store takes sealed values only and the key isn't here. */
export async function commitInPlain(
  store: Pick<Store, 'commit'>,
  desk: SealDesk,
  { partition, checkpoints }: { readonly partition: number; readonly checkpoints: readonly Checkpoint[] },
): Promise<readonly CommitAnswer[]> {
  const answers = await store.commit(partition, checkpoints)
  if (!answers.some(isUnsealed)) return answers
  const { sealing } = (await sealingBy(desk)).values
  const refused = checkpoints.filter((_, index) => isUnsealed(answers[index]))
  const again = await store.commit(
    partition,
    refused.map((checkpoint) => sealedCheckpoint(checkpoint, sealing)),
  )
  let next = 0
  return answers.map((answer) => (isUnsealed(answer) ? (again[next++] ?? answer) : answer))
}

async function sealingBy(desk: SealDesk): Promise<Extract<SealState, { kind: 'sealing' }>> {
  await desk.refresh()
  const state = desk.state()
  if (state.kind === 'sealing') return state
  throw state.kind === 'reading' ? state.problem : new SagasmithError('seal_key_missing')
}

const isUnsealed = (answer: CommitAnswer | undefined): boolean =>
  answer?.kind === 'refused' && answer.refusal.kind === 'unsealed'
