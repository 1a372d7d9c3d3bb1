/** A command's connection to an engine that keeps nothing. */

import { quietOpening } from './clusters/cluster-connection.ts'
import { createClusterDesk } from './clusters/cluster-desk.ts'
import { loadSettings } from './config.ts'
import type { Connection } from './connection.ts'
import type { InProcessOptions } from './in-memory.ts'
import { besideWorkflow, openInProcess } from './in-memory.ts'
import { connectComposed } from './in-process-connection.ts'

/** The same as a command's connection; nothing but runs can be asked for. */
export async function connectInProcess(options: InProcessOptions): Promise<Connection> {
  const { folder } = options
  const settings = options.settings ?? loadSettings({ flags: {}, environment: {} })
  const composed = await openInProcess({ ...options, settings })
  const opening = quietOpening(settings)
  const clusters = createClusterDesk(opening)
  return connectComposed({ ...opening, directory: besideWorkflow(folder, settings), composed, clusters })
}
