/** What must hold where people decide and policies say what may be: I37 to I40. */

import type { Store } from '../../src-engine/store/store.ts'
import type { Said } from './approval-invariants.ts'
import { checkApprovals } from './approval-invariants.ts'
import type { Effect } from './effect-sink.ts'
import type { History } from './history.ts'
import type { Judged } from './output-invariants.ts'
import { checkOutputs } from './output-invariants.ts'
import type { Governed } from './policy-invariants.ts'
import { checkPolicy } from './policy-invariants.ts'

export interface Overseen {
  readonly said: readonly Said[]
  /** Null where no policy counted. */
  readonly governed: Governed | null
  /** Null where nobody judged results. */
  readonly judged: Judged | null
}

/** All of it. */
export async function checkOverseen(
  store: Store,
  history: History,
  { effects, overseen }: { readonly effects: readonly Effect[]; readonly overseen: Overseen },
): Promise<readonly string[]> {
  const { said, governed, judged } = overseen
  return [
    ...checkApprovals(history.runs, said),
    ...(governed === null ? [] : checkPolicy(history, effects, governed)),
    ...(judged === null ? [] : await checkOutputs(store, history, { effects, judged })),
  ]
}
