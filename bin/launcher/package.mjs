/**
 * `npm run package`: installers for this system in `release/`. Where Electron can't be had, an unpacked app
 * without it is made and checked instead: it can't be started, but everything of ours is in its place.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { ensureBuild } from './build.mjs'
import { findingsOfPackage } from './check-package.mjs'
import { ensureElectron } from './electron.mjs'
import { makeUpElectron } from './made-up-electron.mjs'
import { at, root } from './paths.mjs'
import { runThrough, toolEnv } from './run.mjs'
import { LauncherError, say } from './say.mjs'

const builder = at('node_modules/electron-builder/cli.js')
const isLinux = process.platform === 'linux'

/**
 * @param {string} node
 * @param {readonly string[]} args further arguments of electron-builder, such as `--dir` or `--publish never`
 */
export async function packageApp(node, args) {
  await ensureBuild(node)
  const electron = await ensureElectron(node)
  const scratch = await mkdtemp(join(tmpdir(), 'sagasmith-package-'))
  try {
    if ('binary' in electron) return await packReal(node, { binary: electron.binary, args, scratch })
    say(`${electron.reason}.`)
    if (!isLinux)
      throw new LauncherError('a package needs Electron', 'see the troubleshooting part of the README')
    say('packing without it instead: what comes out can be looked at, not started.')
    return await packMadeUp(node, { args, scratch })
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

/** @param {string} node @param {{ binary: string, args: readonly string[], scratch: string }} options */
async function packReal(node, { binary, args, scratch }) {
  const exit = await build(node, [`-c.electronDist=${dirname(binary)}`, ...args])
  return exit.code === 0 && isLinux ? check(node, scratch, exit) : exit
}

/** @param {string} node @param {{ args: readonly string[], scratch: string }} options */
async function packMadeUp(node, { args, scratch }) {
  const distribution = join(scratch, 'electron')
  await makeUpElectron(distribution)
  const exit = await build(node, ['--linux', 'dir', `-c.electronDist=${distribution}`, ...args])
  return exit.code === 0 ? check(node, scratch, exit) : exit
}

/** @param {string} node @param {readonly string[]} args */
const build = (node, args) => runThrough(node, [builder, ...args], { cwd: root, env: toolEnv(node) })

/**
 * @param {string} node
 * @param {string} scratch
 * @param {import('./run.mjs').Exit} exit
 */
async function check(node, scratch, exit) {
  const unpacked = at('release/linux-unpacked')
  const findings = await findingsOfPackage(node, { unpacked, extracted: join(scratch, 'app') })
  for (const finding of findings) say(finding)
  if (findings.length > 0)
    throw new LauncherError(
      'the package is not as it should be',
      'mend what is named above in the build of package.json',
    )
  say(`checked: ${unpacked}`)
  return exit
}
