/**
 * Programs that tests start as processes of their own, bundled as the product ships: a process would spend more
 * time with reading hundreds of source files than with what its test is about.
 */

import { existsSync, readdirSync, rmSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { build } from 'vite'
import { engineEntries, engineFiles, engineOutput } from '../../bin/engine-bundle.mjs'

const root = resolve(import.meta.dirname, '../..')
/** As deep below the root as the app's own bundle: code finds its files by its distance from there. */
const out = join(root, 'out')
const mine = `test-${process.pid}-`
const bundles = new Map<string, Promise<string>>()

/** The file to run for an entry (its path from the root): made once per process, and gone with it. */
export function programOf(entry: string): Promise<string> {
  const known = bundles.get(entry)
  if (known !== undefined) return known
  if (bundles.size === 0) process.on('exit', () => removeFolders((name) => name.startsWith(mine)))
  const made = bundle(entry, join(out, `${mine}${bundles.size}`))
  bundles.set(entry, made)
  return made
}

/** The command line of the product. */
export const commandLine = (): Promise<string> => programOf('src-engine/shell/cli.ts')

async function bundle(entry: string, outDir: string): Promise<string> {
  // Whoever was killed left theirs behind.
  removeFolders(isLeftover)
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
      sourcemap: 'inline',
      rolldownOptions: { input: { ...engineEntries, [name]: join(root, entry) }, output: engineOutput },
    },
  })
  return join(outDir, `${name}.js`)
}

function removeFolders(isOne: (name: string) => boolean): void {
  for (const name of existsSync(out) ? readdirSync(out) : [])
    if (isOne(name)) rmSync(join(out, name), { recursive: true, force: true })
}

function isLeftover(name: string): boolean {
  const pid = /^test-(\d+)-/.exec(name)?.[1]
  return pid !== undefined && !isAlive(Number(pid))
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
