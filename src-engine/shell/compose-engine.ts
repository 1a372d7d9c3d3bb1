/** Puts the engine together: SQLite in the data directory, the task kinds, the expressions. */

import type { Clock, Logger } from '../model/ports.ts'
import type { Engine } from '../runtime/engine.ts'
import type { DataDirectory } from './data-directory.ts'

export interface ComposeInput {
  readonly directory: DataDirectory
  readonly clock: Clock
  readonly log: Logger
}

/** Opens the store and makes an engine on it that isn't started yet. */
export type ComposeEngine = (input: ComposeInput) => Promise<Engine>
