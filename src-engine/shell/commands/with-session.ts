/** Opens a session for a command, and closes it whatever happens. */

import type { EngineHostOptions } from '../engine-host.ts'
import type { Session } from '../session.ts'
import { openSession } from '../session.ts'
import type { CommandContext, ExitCode } from './command.ts'

/** `look` for commands that only read: they execute nothing just because they were called. */
export async function withSession<T extends ExitCode | object>(
  context: CommandContext,
  mode: EngineHostOptions['mode'],
  act: (session: Session) => Promise<T>,
): Promise<T> {
  const { settings } = context
  const session = await openSession({ dataDir: settings.values.data, role: 'runs', mode, settings })
  try {
    return await act(session)
  } finally {
    await session.close()
  }
}
