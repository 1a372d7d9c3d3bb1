/** The folder of shipped resources: beside the bundle, inside the packaged app, or in the checkout. */

import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** The checkout, or the folder of the installed program. */
export const programRoot = (): string =>
  // Both src-engine/shell and out/main lie two levels below it.
  join(import.meta.dirname, '..', '..')

/** The path of a resource (`samples`, `icons`), or of the built designer (`renderer`); null when it isn't there. */
export function findResource(name: 'samples' | 'icons' | 'renderer'): string | null {
  const root = programRoot()
  const packaged = 'resourcesPath' in process ? [join(String(process.resourcesPath), name)] : []
  const places = {
    samples: [join(root, 'resources', 'samples'), ...packaged],
    icons: [join(root, 'resources', 'icons'), ...packaged],
    renderer: [join(root, 'out', 'renderer'), ...packaged],
  }
  return places[name].find((path) => existsSync(path)) ?? null
}
