/** Showing a URL: a Chromium window without tabs, the default browser, or nothing but the URL. */
import { spawn } from 'node:child_process'
import { accessSync, constants, existsSync, mkdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { cacheDir } from './paths.mjs'
import { say } from './say.mjs'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'microsoft-edge']
const fixedPlaces = [
  '/usr/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
]

/** @param {string} name a program @returns {string | undefined} its path, when it is on PATH */
export function findOnPath(name) {
  return (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, name))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK)
        return true
      } catch {
        return false
      }
    })
}

/** The Chromium to use: SAGASMITH_CHROMIUM, else the first of the usual ones. */
export function findChromium() {
  const named = process.env['SAGASMITH_CHROMIUM']
  if (named !== undefined && named !== '') return existsSync(named) ? named : undefined
  return (
    fixedPlaces.find((path) => existsSync(path)) ?? names.map(findOnPath).find((path) => path !== undefined)
  )
}

/** Whether a window could be shown at all. */
export function hasDisplay() {
  if (process.platform !== 'linux') return true
  return Boolean(process.env['DISPLAY'] || process.env['WAYLAND_DISPLAY'])
}

/** @returns {readonly [string, ...string[]]} the system's own way to open a URL */
function defaultOpener() {
  if (process.platform === 'darwin') return ['open']
  return process.platform === 'win32' ? ['cmd', '/c', 'start', ''] : ['xdg-open']
}

/** @param {string} url @returns {readonly string[] | undefined} */
function openCommand(url) {
  const chromium = findChromium()
  if (chromium === undefined) {
    const [opener, ...rest] = defaultOpener()
    return process.platform === 'linux' && findOnPath(opener) === undefined
      ? undefined
      : [opener, ...rest, url]
  }
  // A profile of its own: an app window, whatever else the person's browser is doing.
  const profile = join(cacheDir, 'chromium')
  mkdirSync(profile, { recursive: true })
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  return [
    chromium,
    `--app=${url}`,
    `--user-data-dir=${profile}`,
    '--no-first-run',
    '--no-default-browser-check',
    ...sandbox,
  ]
}

/**
 * Opens the URL in a window where one can be shown; else says that the URL is to be opened by hand.
 * @param {string} url
 */
export function openUrl(url) {
  const command = hasDisplay() ? openCommand(url) : undefined
  if (command === undefined) {
    say('no display or browser found here: open the URL above in a browser on this machine')
    return
  }
  const [program = '', ...args] = command
  const child = spawn(program, args, { stdio: 'ignore', detached: true })
  child.once('error', (error) =>
    say(`the browser did not start (${error.message}): open the URL above by hand`),
  )
  child.unref()
}
