/** The command line itself: TypeScript sources in a checkout, the bundle in an installed build. */
import { existsSync } from 'node:fs'
import { at } from './paths.mjs'
import { LauncherError } from './say.mjs'

/**
 * For Node: V8 begins with a megabyte for new objects, and a start makes ten times as many. With more room, as the
 * desktop's engine has it, a tenth of a start is saved. And what outlives two collections in one place isn't taken for old
 * from then on: steps under way do, and are gone a moment later.
 */
export const nodeFlags = ['--min-semi-space-size=4', '--no-allocation-site-pretenuring']

/**
 * For a process that only executes steps, many at a time: what is under way lives from one collection to the next, and each
 * moves all of it. With twice V8's room they are half as many.
 */
export const runnerFlags = ['--max-semi-space-size=32']

/**
 * What Node is started with for a command line.
 * @param {readonly string[]} args
 */
export function cliArguments(args) {
  return [...nodeFlags, ...(args[0] === 'runner' ? runnerFlags : []), cliEntry(), ...args]
}

/** The file that Node runs for every command that isn't the launcher's own. */
function cliEntry() {
  const entry = [at('src-engine/shell/cli.ts'), at('out/main/cli.js')].find((path) => existsSync(path))
  if (entry !== undefined) return entry
  throw new LauncherError(
    'this copy of Sagasmith has no command line (src-engine/shell/cli.ts)',
    'get a complete copy',
  )
}
