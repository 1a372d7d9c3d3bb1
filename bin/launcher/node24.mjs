/**
 * Finds a Node that can run Sagasmith: 24 or newer, because it runs TypeScript as it is and because the
 * SQLite binding crashes on Node 20. Where the system's Node is older, npm carries the binary itself
 * (no install script, integrity-checked); it lands in .cache and nothing outside is touched.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { withLock } from './lock.mjs'
import { runNpm } from './npm.mjs'
import { cacheDir } from './paths.mjs'
import { LauncherError, say, shorten } from './say.mjs'

const majorMin = 24
const version = '24.21.0'
/** The platforms whose binary npm has in this version. */
const published = ['linux-x64', 'linux-arm64', 'win-x64']

const system = process.platform === 'win32' ? 'win' : process.platform
const platform = `${system}-${process.arch}`
const packageName = `node-${platform}`
const home = join(cacheDir, 'node24')
const packageDir = join(home, 'node_modules', packageName)
const binary = join(packageDir, 'bin', system === 'win' ? 'node.exe' : 'node')

const byHand = `install Node.js ${majorMin} or newer (https://nodejs.org, or your package manager) and put it first on PATH`

function isThere() {
  if (!existsSync(binary)) return false
  try {
    return JSON.parse(readFileSync(join(packageDir, 'package.json'), 'utf8')).version === version
  } catch {
    // Half an installation: bring it again.
    return false
  }
}

function bring() {
  say(`Node ${process.versions.node} is too old; bringing Node ${version} into .cache/node24 (once) …`)
  mkdirSync(home, { recursive: true })
  writeFileSync(join(home, 'package.json'), '{ "private": true }\n')
  const args = ['install', '--prefix', home, '--save-exact', '--ignore-scripts', '--include=optional']
  const { code, text } = runNpm([...args, `${packageName}@${version}`], home)
  if (code !== 0) {
    throw new LauncherError(
      `npm could not bring ${packageName}@${version}:\n${shorten(text, 20)}`,
      `check the network, or ${byHand}`,
    )
  }
  const probe = spawnSync(binary, ['--version'], { encoding: 'utf8' })
  if (probe.stdout?.trim() !== `v${version}`) {
    const reason = probe.error?.message ?? shorten(probe.stderr ?? '', 3)
    throw new LauncherError(
      `the Node ${version} that npm has for ${platform} does not run here: ${reason}`,
      byHand,
    )
  }
}

/** The path of a Node that is new enough, brought from npm where the running one is older. */
export async function ensureNode() {
  if (Number.parseInt(process.versions.node, 10) >= majorMin) return process.execPath
  if (isThere()) return binary
  if (!published.includes(platform)) {
    throw new LauncherError(
      `Sagasmith needs Node ${majorMin} or newer, this is ${process.versions.node}, and npm has no Node binary for ${platform}`,
      byHand,
    )
  }
  await withLock('node24', () => {
    if (!isThere()) bring()
  })
  return binary
}
