/** Opens a session for a command, and closes it whatever happens. */

import type { EngineHostOptions } from '../engine-host.ts'
import type { Session } from '../session.ts'
import { createSession, openSession } from '../session.ts'
import type { CommandContext, ExitCode } from './command.ts'

/** A session on the cluster that `--cluster` (or `--store`) means, else on the data directory. */
export async function sessionOf(
  { settings, flags }: CommandContext,
  how: Pick<EngineHostOptions, 'role' | 'mode'>,
): Promise<Session> {
  const meant = flags['cluster'] ?? flags['store']
  if (typeof meant !== 'string') return openSession({ dataDir: settings.values.data, settings, ...how })
  const { connectCluster } = await import('../clusters/cluster-connection.ts')
  return createSession(() => connectCluster(meant, settings))
}

/** `look` for commands that only read: they execute nothing just because they were called. */
export async function withSession<T extends ExitCode | object>(
  context: CommandContext,
  mode: EngineHostOptions['mode'],
  act: (session: Session) => Promise<T>,
): Promise<T> {
  const session = await sessionOf(context, { role: 'runs', mode })
  try {
    return await act(session)
  } finally {
    await session.close()
  }
}
