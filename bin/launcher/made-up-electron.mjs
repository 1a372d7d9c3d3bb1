/**
 * A folder that looks like Electron to electron-builder, for machines that can't have the real one: what it
 * packs can be looked at, and its fuses are really set, but nothing in it can be started.
 */
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** By this text the tools find the fuses in Electron's binary: version 1, nine of them, all off. */
const fuseWire = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX\u0001\u0009000000000'
const files = ['LICENSE', 'LICENSES.chromium.html', 'chrome-sandbox', 'version']
const locales = ['en-US', 'de', 'fr']

/** @param {string} folder an empty or missing one */
export async function makeUpElectron(folder) {
  await mkdir(join(folder, 'locales'), { recursive: true })
  await mkdir(join(folder, 'resources'), { recursive: true })
  const names = [...files, ...locales.map((name) => join('locales', `${name}.pak`))]
  for (const name of names) await writeFile(join(folder, name), 'made up')
  await writeFile(join(folder, 'electron'), fuseWire, 'latin1')
  await chmod(join(folder, 'electron'), 0o755)
}
