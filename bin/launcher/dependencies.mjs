/**
 * Makes node_modules match package-lock.json. The usual answer, "nothing to do", costs one hash and one
 * small file; npm is called only when something is missing.
 */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { withLock } from './lock.mjs'
import { runNpm } from './npm.mjs'
import { at, root } from './paths.mjs'
import { LauncherError, say, shorten } from './say.mjs'

const lockFile = at('package-lock.json')
/** What npm writes last: the tree that is really installed. */
const installedFile = at('node_modules/.package-lock.json')
const stampFile = at('node_modules/.sagasmith-install')

/** The lock's content and the moment npm last touched node_modules: either changing asks for a new look. */
function currentStamp() {
  const hash = createHash('sha256').update(readFileSync(lockFile)).digest('hex')
  return `${hash} ${statSync(installedFile).mtimeMs}`
}

/** @typedef {{ version?: string, optional?: boolean, devOptional?: boolean }} LockedPackage */

/** @param {string} file @returns {Record<string, LockedPackage>} */
function readPackages(file) {
  return JSON.parse(readFileSync(file, 'utf8')).packages ?? {}
}

/** Whether every locked package that isn't optional is there in its locked version. */
function installedTreeMatches() {
  const installed = readPackages(installedFile)
  return Object.entries(readPackages(lockFile)).every(([path, wanted]) => {
    if (path === '' || (wanted.optional === true && installed[path] === undefined)) return true
    if (wanted.devOptional === true && installed[path] === undefined) return true
    return installed[path]?.version === wanted.version
  })
}

function isInstalled() {
  if (!existsSync(installedFile)) return false
  const stamp = currentStamp()
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return true
  if (!installedTreeMatches()) return false
  writeFileSync(stampFile, stamp)
  return true
}

function install() {
  say('installing dependencies (npm ci; once, about half a minute) …')
  const { code, text } = runNpm(['ci', '--include=dev', '--ignore-scripts'], root)
  if (code === 127) {
    throw new LauncherError(
      'npm was not found, so dependencies cannot be installed',
      'install Node.js with npm: https://nodejs.org',
    )
  }
  if (code !== 0) {
    throw new LauncherError(
      `npm ci failed (exit code ${code}):\n${shorten(text, 30)}`,
      'check the network and the lines above, then run the same command again',
    )
  }
  writeFileSync(stampFile, currentStamp())
}

/** Installs dependencies where they are missing or not what the lock names. */
export async function ensureDependencies() {
  // An installed build has neither a lock nor anything to install.
  if (!existsSync(lockFile) || isInstalled()) return
  await withLock('install', () => {
    if (!isInstalled()) install()
  })
}
