/** The text of an option. */

import type { CommandContext } from './command.ts'

/** Null for one that wasn't given. */
export function flagText({ flags }: Pick<CommandContext, 'flags'>, name: string): string | null {
  const value = flags[name]
  return typeof value === 'string' ? value : null
}
