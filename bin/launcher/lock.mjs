/**
 * A lock between launchers started at the same time in one checkout (say a test run and `npm start`):
 * a folder, because creating one is atomic everywhere, holding the owner's pid so that a dead owner's
 * lock can be broken.
 */
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cacheDir } from './paths.mjs'
import { LauncherError, say } from './say.mjs'

/** Longer than the slowest install on a slow line. */
const waitMaxMs = 15 * 60_000
const pollMs = 200
/** Time an owner has between making the folder and writing its pid. */
const graceMs = 5_000

/** @param {string} folder */
function tryTake(folder) {
  try {
    mkdirSync(folder)
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'EEXIST') return false
    throw error
  }
  writeFileSync(join(folder, 'pid'), String(process.pid))
  return true
}

/** @param {string} folder */
function ownerIsGone(folder) {
  let pid = 0
  try {
    pid = Number(readFileSync(join(folder, 'pid'), 'utf8'))
  } catch {
    // No pid yet: the owner is about to write it, or died before it could.
  }
  try {
    if (!(pid > 0)) return Date.now() - statSync(folder).mtimeMs > graceMs
    process.kill(pid, 0)
    return false
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'ESRCH'
  }
}

/**
 * Runs `work` while no other launcher runs work under the same name.
 * @template T
 * @param {string} name
 * @param {() => T | Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLock(name, work) {
  const folder = join(cacheDir, `${name}.lock`)
  mkdirSync(cacheDir, { recursive: true })
  const startedAt = Date.now()
  let told = false
  while (!tryTake(folder)) {
    if (ownerIsGone(folder)) {
      rmSync(folder, { recursive: true, force: true })
      continue
    }
    if (Date.now() - startedAt > waitMaxMs) {
      throw new LauncherError(
        `another Sagasmith has held ${folder} for too long`,
        `end it, or delete ${folder}`,
      )
    }
    if (!told) say(`waiting for another Sagasmith that is busy with the same step (${name})`)
    told = true
    await new Promise((wake) => setTimeout(wake, pollMs))
  }
  try {
    return await work()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
