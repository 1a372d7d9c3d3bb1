/**
 * Programs that tests start as processes of their own, bundled as the product ships: a process would spend more
 * time with reading hundreds of source files than with what its test is about.
 */

import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { engineEntries, engineFiles, engineOutput } from '../../bin/engine-bundle.mjs'
import { withLock } from '../../bin/launcher/lock.mjs'

const root = resolve(import.meta.dirname, '../..')
/** As deep below the root as the app's own bundle: code finds its files by its distance from there. */
const out = join(root, 'out')
/** No run of the tests takes so long. */
const leftoverMs = 12 * 3_600_000
/** Whatever a bundle is made from. */
const sources = ['src-engine', 'test', 'bin', 'package-lock.json'].map((path) => join(root, path))
const bundles = new Map<string, Promise<string>>()

/** The file to run for an entry (its path from the root): made by whoever needs it first, and kept until sources change. */
export function programOf(entry: string): Promise<string> {
  const known = bundles.get(entry)
  if (known !== undefined) return known
  const made = bundle(entry)
  bundles.set(entry, made)
  return made
}

/** The command line of the product. */
export const commandLine = (): Promise<string> => programOf('src-engine/shell/cli.ts')

/** Another text once any of the files, or of those in the folders, is another one. */
export function markOf(paths: readonly string[]): string {
  const hash = createHash('sha256')
  const note = (path: string): void => {
    const file = statSync(path)
    if (file.isFile()) hash.update(`${path} ${file.mtimeMs} ${file.size}\n`)
  }
  for (const path of paths) {
    const isFolder = statSync(path).isDirectory()
    if (!isFolder) note(path)
    for (const name of isFolder ? readdirSync(path, { recursive: true, encoding: 'utf8' }).toSorted() : [])
      note(join(path, name))
  }
  return hash.digest('hex').slice(0, 12)
}

/** Always in the same place, where Node finds again what it has compiled of it. */
function bundle(entry: string): Promise<string> {
  const name = basename(entry, '.ts')
  const folder = join(out, `test-${name}-${markOf([...sources, join(root, entry)])}`)
  mkdirSync(out, { recursive: true })
  return withLock(`program-${name}`, async () => {
    removeLeftovers(folder)
    if (statSync(folder, { throwIfNoEntry: false }) === undefined) await make(entry, { name, folder })
    return join(folder, `${name}.js`)
  })
}

async function make(
  entry: string,
  { name, folder }: { readonly name: string; readonly folder: string },
): Promise<void> {
  // Who is killed meanwhile leaves no half of one behind under its name.
  const outDir = mkdtempSync(join(out, 'test-making-'))
  // Whoever finds it made needs none of that.
  const { build } = await import('vite')
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    plugins: engineFiles(),
    ssr: { noExternal: true, external: ['better-sqlite3'] },
    build: {
      ssr: true,
      outDir,
      target: 'node24',
      minify: false,
      // Nobody reads them, and each process would have to: they are two thirds of a bundle.
      sourcemap: false,
      rolldownOptions: { input: { ...engineEntries, [name]: join(root, entry) }, output: engineOutput },
    },
  })
  try {
    renameSync(outDir, folder)
  } catch (error) {
    // Who lives in a namespace of its own sees no other's process, and takes its lock for one of the dead.
    if (statSync(folder, { throwIfNoEntry: false }) === undefined) throw error
    rmSync(outDir, { recursive: true, force: true })
  }
}

/** By their age: somebody else may still run what was made of other sources. */
function removeLeftovers(own: string): void {
  const now = Date.now()
  if (statSync(own, { throwIfNoEntry: false }) !== undefined) utimesSync(own, now / 1_000, now / 1_000)
  for (const name of readdirSync(out)) {
    const path = join(out, name)
    const isOld = (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? now) < now - leftoverMs
    if (name.startsWith('test-') && isOld) rmSync(path, { recursive: true, force: true })
  }
}
