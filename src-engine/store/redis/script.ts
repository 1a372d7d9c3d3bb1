/** Scripts as they are called: by their digest, and by their text where the node has forgotten it. */

import { createHash } from 'node:crypto'
import { verdictOf } from './redis-failure.ts'
import type { Ask, Router } from './router.ts'
import type { RedisCommand } from './wire-command.ts'

export interface Script {
  readonly text: string
  readonly digest: string
}

/** A script of its text; `#!lua` makes the server refuse a key that wasn't declared on another slot. */
export const scriptOf = (text: string): Script => ({
  text,
  digest: createHash('sha1').update(text).digest('hex'),
})

/** A script, its keys (all of one slot) and what it is told. */
export interface ScriptCall {
  readonly script: Script
  readonly keys: readonly string[]
  readonly args: readonly (string | number)[]
  /** Its first argument is the server's line; what an answer says of that. */
  readonly lineOf?: (answer: unknown) => string
}

/** Runs a script on the node of the slot. */
export async function runScript(
  router: Pick<Router, 'ask'>,
  slot: number,
  { script, keys, args, lineOf, ...rest }: ScriptCall & Omit<Ask, 'line'>,
): Promise<unknown> {
  const how = lineOf === undefined ? rest : { ...rest, line: { place: 3 + keys.length, of: lineOf } }
  try {
    return await router.ask(slot, commandOf('EVALSHA', script.digest, { keys, args }), how)
  } catch (thrown) {
    if (verdictOf(thrown).kind !== 'no-script') throw thrown
    return router.ask(slot, commandOf('EVAL', script.text, { keys, args }), how)
  }
}

/** Joined in one go: spread, hundreds of arguments would be asked for one by one. */
function commandOf(
  name: string,
  script: string,
  { keys, args }: Pick<ScriptCall, 'keys' | 'args'>,
): RedisCommand {
  const start: readonly (string | number)[] = [script, keys.length]
  const command: readonly [string, ...(string | number)[]] = [name]
  return command.concat(start, keys, args) as unknown as RedisCommand
}
