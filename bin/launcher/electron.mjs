/**
 * Finds the Electron binary, or brings it. The npm package has no binary inside; it downloads one on
 * first use, which fails behind some firewalls, so it runs here under a time limit and its failure is
 * an ordinary answer. `electron` itself is never imported: that alone would start the download.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { at } from './paths.mjs'
import { runCaptured, toolEnv } from './run.mjs'
import { say } from './say.mjs'

const downloadMaxMs = 60_000
const packageDir = at('node_modules/electron')

/** @returns {string | undefined} the binary named by environment or already downloaded */
function installed() {
  const named = process.env['ELECTRON_EXEC_PATH']
  if (named && existsSync(named)) return named
  const pathFile = join(packageDir, 'path.txt')
  if (!existsSync(pathFile)) return undefined
  const dist = process.env['ELECTRON_OVERRIDE_DIST_PATH'] || join(packageDir, 'dist')
  const binary = join(dist, readFileSync(pathFile, 'utf8').trim())
  return existsSync(binary) ? binary : undefined
}

/**
 * The Electron binary, or the reason why there is none.
 * @param {string} node
 * @returns {Promise<{ binary: string } | { reason: string }>}
 */
export async function ensureElectron(node) {
  const found = installed()
  if (found !== undefined) return { binary: found }
  if (!existsSync(join(packageDir, 'install.js')))
    return { reason: 'Electron is not part of this installation' }
  say('bringing Electron (once; at most a minute) …')
  const done = await runCaptured(node, [join(packageDir, 'install.js')], {
    env: toolEnv(node),
    timeoutMs: downloadMaxMs,
  })
  const binary = installed()
  if (binary !== undefined) return { binary }
  const why = done.signal === null ? firstError(done.text) : 'no answer within a minute'
  return { reason: `Electron could not be downloaded: ${why}` }
}

/** @param {string} text */
function firstError(text) {
  const lines = text.split('\n').map((line) => line.trim())
  return lines.find((line) => /error/i.test(line)) ?? 'unknown reason'
}
