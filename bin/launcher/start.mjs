/** `npm start`: the designer in Electron where that can be had, else the same designer in a browser window. */
import { hasDisplay, openUrl } from './browser.mjs'
import { ensureBuild } from './build.mjs'
import { cliArguments } from './cli.mjs'
import { ensureElectron } from './electron.mjs'
import { root } from './paths.mjs'
import { nodeEnv, runThrough } from './run.mjs'
import { say } from './say.mjs'

/** An Electron that ends with an error this early never showed a window (a missing library, a sandbox rule). */
const failedStartMs = 5_000
const urlPattern = /https?:\/\/(?:127\.0\.0\.1|localhost|\[::1\]):\d+\/[^\s"'<>]*/

/**
 * Serves the designer on loopback and opens it in a window once it answers.
 * @param {string} node
 * @param {readonly string[]} args further arguments of `serve`
 */
async function serveAndOpen(node, args) {
  let text = ''
  let opened = false
  const onStdout = (/** @type {string} */ chunk) => {
    if (opened) return
    text += chunk
    const url = urlPattern.exec(text)?.[0]
    // Only a whole line holds the whole URL with its token.
    if (url === undefined || !text.slice(text.indexOf(url) + url.length).match(/\s/)) return
    opened = true
    openUrl(url)
  }
  return runThrough(node, cliArguments(['serve', ...args]), { env: nodeEnv(), onStdout })
}

/**
 * `sagasmith serve`: the command itself, over a fresh renderer; `--open` also shows a window.
 * @param {string} node
 * @param {readonly string[]} args
 */
export async function serve(node, args) {
  await ensureBuild(node)
  const rest = args.filter((arg) => arg !== '--open')
  if (rest.length < args.length) return serveAndOpen(node, rest)
  return runThrough(node, cliArguments(['serve', ...args]), { env: nodeEnv() })
}

/**
 * @param {string} node
 * @param {readonly string[]} args
 * @returns {Promise<import('./run.mjs').Exit | string>} how Electron ended, or why it never started
 */
async function startElectron(node, args) {
  if (!hasDisplay()) return 'there is no display (DISPLAY and WAYLAND_DISPLAY are not set)'
  const electron = await ensureElectron(node)
  if ('reason' in electron) return electron.reason
  const sandbox = process.platform === 'linux' && process.getuid?.() === 0 ? ['--no-sandbox'] : []
  const exit = await runThrough(electron.binary, [root, ...sandbox, ...args])
  if (exit.code === 0 || exit.signal !== null || exit.ms > failedStartMs) return exit
  return (
    `Electron ended at once with exit code ${exit.code} (often a missing library such as libnss3 or libgbm1, ` +
    'or a rule against user namespaces)'
  )
}

/**
 * @param {string} node
 * @param {readonly string[]} args
 */
export async function start(node, args) {
  const rest = args.filter((arg) => arg !== '--web')
  await ensureBuild(node)
  if (rest.length === args.length) {
    const outcome = await startElectron(node, rest)
    if (typeof outcome !== 'string') return outcome
    say(`${outcome}; opening the designer in a browser window instead`)
  }
  return serveAndOpen(node, rest)
}
