/** Says below a list of a cluster what it can't have, for partitions of the store don't answer. */

import { missingText } from '../../model/missing-partition.ts'
import type { Session } from '../session.ts'
import { instantText } from '../terminal.ts'
import type { CommandContext } from './command.ts'

/** After the list was asked for; a line of its own in `--json`. */
export async function tellMissing(context: CommandContext, session: Session): Promise<void> {
  const { flags, json, terminal } = context
  // A data file is all there, or not there.
  if (flags['cluster'] === undefined && flags['store'] === undefined) return
  const { reach } = await session.call('engine.info', {})
  const words = reach === null ? null : missingText(reach, instantText)
  if (reach === null || words === null) return
  if (json)
    context.emit({ type: 'store.missing', ...reach, missing: reach.missing.map((one) => ({ ...one })) })
  else terminal.errorLine(terminal.colors.yellow(words))
}
