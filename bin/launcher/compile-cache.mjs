/** What Node has compiled: it keeps all of it for ever, also of files that are long gone. */
import { readdirSync, rmSync } from 'node:fs'
import { cacheDir } from './paths.mjs'

/** Of the command line, of tools and of the bundles of tests; it halves their start. */
export const compileCache = `${cacheDir}/compile`
/** Some runs of all the tests, with changes in between; what is used is soon there again. */
const filesMax = 15_000

/**
 * Begins anew once there are too many files; Node never removes one.
 * @param {string} [folder]
 * @param {number} [most]
 */
export function boundCompileCache(folder = compileCache, most = filesMax) {
  if (filesIn(folder) > most) rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
}

/** @param {string} folder */
function filesIn(folder) {
  try {
    return readdirSync(folder, { recursive: true }).length
  } catch {
    // Nobody has compiled anything yet.
    return 0
  }
}
