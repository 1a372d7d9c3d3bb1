/** What a limit is called. Pure. */

import { explain } from '../../text/live-words.ts'
import { fill } from '../../text/messages.ts'

/** Keys of the engine's own making begin with what they limit. */
export function limitWords(key: string): string {
  const [kind = '', ...rest] = key.split(':')
  const { other, ...known } = explain.limits
  const words = new Map(Object.entries(known)).get(kind)
  return fill(words ?? other, { name: words === undefined ? key : rest.join(':') })
}
