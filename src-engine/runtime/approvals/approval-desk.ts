/** What can be done with what waits for people. */

import type { InputOf, OutputOf } from '../../protocol/api.ts'

/** What can be done with approvals; the protocol's `approvals.*` say more of each. */
export interface ApprovalDesk {
  readonly list: (request: InputOf<'approvals.list'>) => Promise<OutputOf<'approvals.list'>>
  readonly show: (request: InputOf<'approvals.show'>) => Promise<OutputOf<'approvals.show'>>
  /** Somebody's name stands for whoever sits at the machine. */
  readonly decide: (
    request: InputOf<'approvals.decide'> & { readonly by: string },
  ) => Promise<OutputOf<'approvals.decide'>>
  readonly watch: (request: InputOf<'approvals.watch'>) => Promise<OutputOf<'approvals.watch'>>
}
