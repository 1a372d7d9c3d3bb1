/**
 * Keeps out/ as new as the sources. Freshness is a fingerprint of every source file's path, size and
 * time: a few milliseconds, where asking the bundler would take a second.
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { withLock } from './lock.mjs'
import { at } from './paths.mjs'
import { runCaptured, toolEnv } from './run.mjs'
import { LauncherError, say, shorten } from './say.mjs'

const sources = ['src-engine', 'src-main', 'src-renderer', 'resources']
const files = ['electron.vite.config.ts', 'package.json', 'package-lock.json', 'tsconfig.json']
/** What the samples write when they run. */
const written = join('resources', 'samples', 'out')
const stampFile = at('out/.stamp')

/** @param {string} folder @returns {string[]} files below, in a stable order, as paths relative to the root */
function filesBelow(folder) {
  if (!existsSync(at(folder))) return []
  const entries = readdirSync(at(folder), { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name)
    if (path === written) return []
    if (entry.isDirectory()) return filesBelow(path)
    return entry.isFile() ? [path] : []
  })
}

/** When any source, test or bench was last written, as an instant of the file system. */
export function newestSourceMs() {
  const all = [...sources, 'test', 'bench', 'bin'].flatMap(filesBelow)
  return Math.max(...all.map((file) => statSync(at(file)).mtimeMs))
}

function fingerprint() {
  const hash = createHash('sha256')
  for (const file of [...files, ...sources.flatMap(filesBelow)]) {
    if (!existsSync(at(file))) continue
    const { mtimeMs, size } = statSync(at(file))
    hash.update(`${file} ${mtimeMs} ${size}\n`)
  }
  return hash.digest('hex')
}

function isFresh() {
  return existsSync(stampFile) && readFileSync(stampFile, 'utf8') === fingerprint()
}

/**
 * Builds main, preload and renderer. Returns what the bundler did and said.
 * @param {string} node
 */
export async function build(node) {
  const before = fingerprint()
  const done = await runCaptured(node, [at('node_modules/electron-vite/bin/electron-vite.js'), 'build'], {
    env: toolEnv(node),
  })
  if (done.code === 0) {
    mkdirSync(at('out'), { recursive: true })
    writeFileSync(stampFile, before)
  }
  return done
}

/**
 * Builds where the sources are newer than the last build.
 * @param {string} node
 */
export async function ensureBuild(node) {
  // An installed build has no sources to be newer.
  if (!existsSync(at('electron.vite.config.ts')) || isFresh()) return
  await withLock('build', async () => {
    if (isFresh()) return
    say('building the app …')
    const { code, text } = await build(node)
    if (code !== 0) {
      throw new LauncherError(
        `the build failed:\n${shorten(text, 30)}`,
        'mend the sources named above, then start again',
      )
    }
  })
}
