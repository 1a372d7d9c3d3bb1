/**
 * Programs that tests start as processes of their own, bundled as the product ships: a process would spend more
 * time with reading hundreds of source files than with what its test is about.
 */

import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { build } from 'vite'
import { engineEntries, engineFiles, engineOutput } from '../../bin/engine-bundle.mjs'

const root = resolve(import.meta.dirname, '../..')
/** As deep below the root as the app's own bundle: code finds its files by its distance from there. */
const out = join(root, 'out')
/** No run of the tests takes so long. */
const leftoverMs = 12 * 3_600_000
const bundles = new Map<string, Promise<string>>()

/** The file to run for an entry (its path from the root): made once per worker, and gone with it. */
export function programOf(entry: string): Promise<string> {
  const known = bundles.get(entry)
  if (known !== undefined) return known
  const made = bundle(entry)
  bundles.set(entry, made)
  return made
}

/** The command line of the product. */
export const commandLine = (): Promise<string> => programOf('src-engine/shell/cli.ts')

async function bundle(entry: string): Promise<string> {
  mkdirSync(out, { recursive: true })
  removeLeftovers()
  // Workers may be threads of one process: each has a folder that nobody else takes for its own.
  const outDir = mkdtempSync(join(out, `test-${process.pid}-`))
  process.on('exit', () => rmSync(outDir, { recursive: true, force: true }))
  const name = basename(entry, '.ts')
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
  return join(outDir, `${name}.js`)
}

/**
 * Whoever was killed left theirs behind. By their age: who lives in a namespace of its own doesn't see whose process
 * is alive.
 */
function removeLeftovers(): void {
  const oldest = Date.now() - leftoverMs
  for (const name of readdirSync(out)) {
    const path = join(out, name)
    const isOld = (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? oldest) < oldest
    if (name.startsWith('test-') && isOld) rmSync(path, { recursive: true, force: true })
  }
}
