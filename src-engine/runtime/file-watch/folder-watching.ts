/** The watched folders of an engine, as others see them. */

import type { SourceProblem } from '../../model/trigger.ts'

export interface FileWatcher {
  readonly start: () => void
  /** Resolves once nothing is being looked at any more. */
  readonly stop: () => Promise<void>
  /** Triggers may have changed: looks at which there are. */
  readonly changed: () => void
  /** Why a folder can't be watched, by its trigger's key; those that can aren't in it. */
  readonly problems: () => ReadonlyMap<string, SourceProblem>
}
