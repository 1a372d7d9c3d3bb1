/**
 * A process in namespaces of its own: network and processes. Nothing in it can reach the machine's network, or be
 * reached from there, and when it ends, however it ends, everything that it started ends, and its network is gone.
 * Root is not needed where the kernel lets everybody have namespaces of their own.
 */

import type { ChildProcess } from 'node:child_process'
import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const asRoot = ['--net', '--pid', '--fork', '--mount-proc', '--kill-child']
/** Not everybody's path has what administrators use. */
const env = { ...process.env, PATH: `${process.env['PATH'] ?? ''}:/usr/sbin:/sbin` }
const asAnyone = ['--user', '--map-root-user', ...asRoot]

/** How `unshare` is asked here; or why this machine's kernel lets nobody have such namespaces. */
export type Nesting =
  | { readonly kind: 'possible'; readonly flags: readonly string[] }
  | { readonly kind: 'refused'; readonly why: string }

/**
 * Tries it. Throws, saying what to install, where the kernel is not to blame: a program that is missing is no
 * reason to leave anything out.
 */
export function nesting(): Nesting {
  if (process.platform !== 'linux') {
    return { kind: 'refused', why: `${process.platform} has no network namespaces` }
  }
  for (const program of ['unshare', 'nsenter', 'ip']) {
    const isThere = env.PATH.split(':').some((path) => existsSync(join(path, program)))
    if (!isThere) throw new Error(`“${program}” is missing: install util-linux and iproute2, then try again.`)
  }
  const tries = [asRoot, asAnyone].map((flags) => ({
    flags,
    // A pair of linked interfaces is what all of it needs.
    made: spawnSync(
      'unshare',
      [...flags, 'ip', 'link', 'add', 'near', 'type', 'veth', 'peer', 'name', 'far'],
      {
        encoding: 'utf8',
        env,
      },
    ),
  }))
  const fit = tries.find(({ made }) => made.status === 0)
  if (fit !== undefined) return { kind: 'possible', flags: fit.flags }
  return { kind: 'refused', why: tries.map(({ made }) => made.stderr.trim()).join('; ') }
}

/**
 * Starts a script of ours in a nest. It has to end itself when its standard input ends: that is how it learns
 * that whoever started it is gone.
 */
export function spawnInNest(flags: readonly string[], script: string, args: readonly string[]): ChildProcess {
  return spawn('unshare', [...flags, process.execPath, script, ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env,
  })
}
