/** The command line itself: TypeScript sources in a checkout, the bundle in an installed build. */
import { existsSync } from 'node:fs'
import { at } from './paths.mjs'
import { LauncherError } from './say.mjs'

/** The file that Node runs for every command that isn't the launcher's own. */
export function cliEntry() {
  const entry = [at('src-engine/shell/cli.ts'), at('out/main/cli.js')].find((path) => existsSync(path))
  if (entry !== undefined) return entry
  throw new LauncherError(
    'this copy of Sagasmith has no command line (src-engine/shell/cli.ts)',
    'get a complete copy',
  )
}
