/** What people ask and say about triggers, by method. */

import type { TriggerDeskApi } from '../../protocol/trigger-views.ts'

export type TriggerDesk = {
  readonly [Name in keyof TriggerDeskApi]: (
    input: TriggerDeskApi[Name]['input'],
  ) => Promise<TriggerDeskApi[Name]['output']>
}
