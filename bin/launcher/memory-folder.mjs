/**
 * Where tests keep their files: in memory where there is a file system for that. They open thousands of databases, and
 * wait for a disk to have what each of them commits.
 */
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'

const gib = 1024 ** 3
/** All tests together have a fraction of that at a time. */
const freeBytesMin = 4 * gib
/** Chromium, servers and V8 need theirs, too. */
const memoryBytesMin = 8 * gib
const inMemory = '/dev/shm'
const prefix = 'sagasmith-tests-'
/** Nobody is at work in a folder that is so old. */
const leftoverMs = 3_600_000

/**
 * Whether programs can be started from the folder, and it is one in memory: what containers have there often is
 * small, or may hold no programs, and tests start some that they write.
 * @param {string} mounts as Linux tells them
 * @param {string} folder
 */
export function holdsPrograms(mounts, folder) {
  const fields = mounts.split('\n').map((line) => line.split(' '))
  const [, , kind, options = ''] = fields.findLast(([, place]) => place === folder) ?? []
  return kind === 'tmpfs' && !options.split(',').includes('noexec')
}

/** @param {string} folder */
function isRoomy(folder) {
  try {
    if (!holdsPrograms(readFileSync('/proc/self/mounts', 'utf8'), folder)) return false
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize >= freeBytesMin && process.availableMemory() >= memoryBytesMin
  } catch {
    // Not Linux, or not a usual one.
    return false
  }
}

/**
 * What somebody left who was killed: tests make something in there all the time.
 * @param {string} parent
 */
function removeLeftovers(parent) {
  for (const name of readdirSync(parent)) {
    const path = join(parent, name)
    const { mtimeMs = Date.now() } = statSync(path, { throwIfNoEntry: false }) ?? {}
    if (name.startsWith(prefix) && mtimeMs < Date.now() - leftoverMs)
      rmSync(path, { recursive: true, force: true })
  }
}

/**
 * Runs `work` with the environment of programs that keep their temporary files in memory; with none where there is no
 * such place. Its name is short: sockets in there have a hundred characters in all.
 * @template T
 * @param {(env: NodeJS.ProcessEnv) => Promise<T>} work
 * @param {{ readonly parent?: string, readonly fits?: (folder: string) => boolean }} [place]
 * @returns {Promise<T>}
 */
export async function withMemoryFolder(work, { parent = inMemory, fits = isRoomy } = {}) {
  if (!fits(parent)) return await work({})
  removeLeftovers(parent)
  const folder = mkdtempSync(join(parent, prefix))
  // Everybody's, as that of the system: tests start servers as somebody else, which keep files of their own there.
  chmodSync(folder, 0o1777)
  try {
    return await work({ TMPDIR: folder })
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}
