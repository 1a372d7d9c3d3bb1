/** The version of this installation, from its package.json. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Two levels above both src-engine/shell and out/main. */
export function productVersion(): string {
  const text = readFileSync(join(import.meta.dirname, '..', '..', 'package.json'), 'utf8')
  // Our own package.json always has it.
  return (JSON.parse(text) as { readonly version: string }).version
}
