/** The folder of shipped resources: beside the bundle, inside the packaged app, or in the checkout. */

import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** The path of a resource (`samples`, `icons`), or of the built designer (`renderer`); null when it isn't there. */
export function findResource(name: 'samples' | 'icons' | 'renderer'): string | null {
  // Both src-engine/shell and out/main lie two levels below the root.
  const root = join(import.meta.dirname, '..', '..')
  const packaged = 'resourcesPath' in process ? [join(String(process.resourcesPath), name)] : []
  const places = {
    samples: [join(root, 'resources', 'samples'), ...packaged],
    icons: [join(root, 'resources', 'icons'), ...packaged],
    renderer: [join(root, 'out', 'renderer'), ...packaged],
  }
  return places[name].find((path) => existsSync(path)) ?? null
}
