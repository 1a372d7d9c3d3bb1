/** The session of a `teleport` command: on the data directory, or on the place that `--into` names. */

import type { Session } from '../session.ts'
import { openSession } from '../session.ts'
import type { CommandContext, ExitCode } from './command.ts'
import { usageError } from './command.ts'

const folderPrefix = 'sqlite:'

/** The clusters are those of the data directory, wherever the pulled runs are. */
export async function withTeleport<T extends ExitCode>(
  context: CommandContext,
  act: (session: Session) => Promise<T>,
): Promise<T> {
  const { settings } = context
  const folder = folderOf(context.flags['into'])
  const session = await openSession({
    dataDir: folder ?? settings.values.data,
    settings,
    role: 'teleport',
    mode: 'look',
    ...(folder === null ? {} : { clustersOf: settings.values.data }),
  })
  try {
    return await act(session)
  } finally {
    await session.close()
  }
}

function folderOf(into: string | boolean | undefined): string | null {
  if (into === undefined || into === 'workspace') return null
  if (typeof into === 'string' && into.startsWith(folderPrefix) && into.length > folderPrefix.length)
    return into.slice(folderPrefix.length)
  throw usageError(`“${String(into)}” is no place for pulled runs.`, 'Use --into sqlite:FOLDER or workspace.')
}
