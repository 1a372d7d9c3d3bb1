/** Commands whose first word says what to do: `clusters add NAME ADDRESS`, `dlq show ID`. */

import { usageError } from './command.ts'

/** What one of the first words does; `args` words must follow it. */
export interface CommandAction {
  readonly args: number
}

/** The action that was meant, with the words behind it. Throws `usage` for an unknown or misused one. */
export function actionOf<Action extends CommandAction>(
  usage: string,
  actions: Readonly<Record<string, Action>>,
  [word = '', ...args]: readonly string[],
): { readonly word: string; readonly action: Action; readonly args: readonly string[] } {
  const action = Object.hasOwn(actions, word) ? actions[word] : undefined
  if (action === undefined || args.length !== action.args) {
    const [command = ''] = usage.split(' ')
    throw usageError(`That is no use of “${command} ${word}”.`, `Usage: sagasmith ${usage}`)
  }
  return { word, action, args }
}
