/**
 * Programs the tests need that npm doesn't carry: Chromium for the end-to-end tests, redis-server for
 * the cluster tests, ip for the networks between them, PostgreSQL and MariaDB for the SQL steps. They are brought through apt where that needs no password; anywhere else the
 * message names the packages. Nothing is ever skipped because a program is missing.
 */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { findChromium, findOnPath } from './browser.mjs'
import { runCaptured } from './run.mjs'
import { say, shorten } from './say.mjs'

const installMaxMs = 10 * 60_000

/** Debian keeps each version's programs in a folder of its own, which no PATH names. */
function postgresFolders() {
  const root = '/usr/lib/postgresql'
  return existsSync(root) ? readdirSync(root).map((version) => join(root, version, 'bin')) : []
}

/** @param {string} program @param {readonly string[]} folders beside those where servers usually are */
const isInFolders = (program, folders) =>
  [...folders, '/usr/sbin', '/usr/bin', '/usr/local/bin', '/opt/homebrew/bin'].some((folder) =>
    existsSync(join(folder, program)),
  )

const wanted = [
  { title: 'Chromium', aptPackage: 'chromium', isThere: () => findChromium() !== undefined },
  {
    title: 'redis-server',
    aptPackage: 'redis-server',
    isThere: () => findOnPath('redis-server') !== undefined,
  },
  { title: 'PostgreSQL', aptPackage: 'postgresql', isThere: () => isInFolders('initdb', postgresFolders()) },
  { title: 'MariaDB', aptPackage: 'mariadb-server', isThere: () => isInFolders('mariadbd', []) },
  {
    title: 'ip (iproute2)',
    aptPackage: 'iproute2',
    // For networks that break; elsewhere the tests say that they can't break one.
    isThere: () =>
      process.platform !== 'linux' || ['/sbin/ip', '/usr/sbin/ip', '/bin/ip', '/usr/bin/ip'].some(existsSync),
  },
]

const missing = () => wanted.filter((program) => !program.isThere())

/** @returns {Promise<readonly string[] | undefined>} what to put before apt-get, if it may be used at all */
async function aptPrefix() {
  if (findOnPath('apt-get') === undefined) return undefined
  if (process.getuid?.() === 0) return []
  if (findOnPath('sudo') === undefined) return undefined
  const { code } = await runCaptured('sudo', ['-n', 'true'])
  return code === 0 ? ['sudo', '-n'] : undefined
}

/** @param {readonly string[]} prefix @param {readonly string[]} packages */
async function aptInstall(prefix, packages) {
  // RUNLEVEL=1: installing redis-server must not start a server on the person's machine.
  const apt = [...prefix, 'env', 'RUNLEVEL=1', 'DEBIAN_FRONTEND=noninteractive', 'apt-get']
  const run = (/** @type {readonly string[]} */ args) => {
    const [program = '', ...all] = [...apt, ...args]
    return runCaptured(program, all, { timeoutMs: installMaxMs })
  }
  await run(['update', '-qq'])
  return run(['install', '-y', '-qq', '--no-install-recommends', ...packages])
}

function howToInstall() {
  const names = missing()
    .map((program) => program.aptPackage)
    .join(' ')
  return (
    `missing: ${missing()
      .map((program) => program.title)
      .join(', ')}. ` +
    `Debian: sudo apt-get install ${names}. Fedora: sudo dnf install chromium redis iproute postgresql-server mariadb-server. macOS: brew install --cask ` +
    'chromium && brew install redis postgresql mariadb. A Chromium elsewhere: set SAGASMITH_CHROMIUM to its path.\n'
  )
}

/**
 * Brings what is missing.
 * @returns {Promise<{ code: number, ms: number, text: string }>} text says what to install by hand
 */
export async function ensureSystemPrograms() {
  const startedAt = performance.now()
  let words = ''
  const packages = missing().map((program) => program.aptPackage)
  const named = process.env['SAGASMITH_CHROMIUM']
  if (named && findChromium() === undefined) {
    const text = `SAGASMITH_CHROMIUM names ${named}, which does not exist: correct it or unset it.\n`
    return { code: 1, ms: performance.now() - startedAt, text }
  }
  const prefix = packages.length > 0 ? await aptPrefix() : undefined
  if (prefix !== undefined) {
    say(`installing ${packages.join(', ')} through apt …`)
    const done = await aptInstall(prefix, packages)
    if (done.code !== 0) words = `apt-get failed:\n${shorten(done.text, 10)}\n`
  }
  const ok = missing().length === 0
  return { code: ok ? 0 : 1, ms: performance.now() - startedAt, text: ok ? '' : words + howToInstall() }
}
