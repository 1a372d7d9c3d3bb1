/**
 * What V8 has compiled of the engine's code, kept from one start to the next: to compile it takes a third of a start. Node
 * writes it, finds it by the file and its content, and never removes any.
 */

import { readdirSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** Several times of what one version has; a checkout is built again and again under the same. */
const filesMax = 1_000

/** The folder for this version of the app, once those of others are gone. It may be missing. */
export function compiledFolder(userData: string, version: string): string {
  const folder = join(userData, 'compiled', version)
  for (const name of namesIn(dirname(folder))) {
    if (name !== basename(folder)) remove(join(dirname(folder), name))
  }
  if (namesIn(folder, { recursive: true }).length > filesMax) remove(folder)
  return folder
}

function namesIn(folder: string, { recursive = false } = {}): readonly string[] {
  try {
    return readdirSync(folder, { recursive, encoding: 'utf8' })
  } catch {
    // Nothing was compiled yet, or it can't be read: then it isn't used either.
    return []
  }
}

function remove(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true })
  } catch {
    // What can't be removed costs room and nothing else.
  }
}
