/**
 * Telling whether a process that wrote a record still lives. A pid alone is not enough: it is given to
 * another process sooner or later, so the start time and the boot id go with it.
 */

import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import type { ProcessIdentity } from '../model/runner.ts'

/** The identity of this process. */
export function ownProcess(): ProcessIdentity {
  return { host: hostname(), pid: process.pid, startTime: startTimeOf(process.pid), bootId: bootId() }
}

/** True only when the process is certainly gone: same host, and dead, restarted or from an earlier boot. */
export function isProvenGone(identity: ProcessIdentity): boolean {
  if (identity.host !== hostname()) return false
  const boot = bootId()
  if (boot !== null && identity.bootId !== null && boot !== identity.bootId) return true
  if (!pidExists(identity.pid)) return true
  const startTime = startTimeOf(identity.pid)
  return startTime !== null && identity.startTime !== null && startTime !== identity.startTime
}

/** True only when the process certainly runs: same host and boot, and started when it says. */
export function isProvenAlive(identity: ProcessIdentity): boolean {
  if (identity.host !== hostname() || identity.bootId === null || identity.bootId !== bootId()) return false
  const startTime = startTimeOf(identity.pid)
  return startTime !== null && startTime === identity.startTime && pidExists(identity.pid)
}

function pidExists(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !isZombie(pid)
  } catch (thrown) {
    // EPERM: it lives, but belongs to somebody else.
    return (thrown as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** A killed child that nobody has waited for keeps its pid but runs nothing any more. */
function isZombie(pid: number): boolean {
  return statFields(pid)?.[0] === 'Z'
}

/** Ticks since boot at which the process started: field 22 of its stat line; null where there is no /proc. */
function startTimeOf(pid: number): string | null {
  return statFields(pid)?.[19] ?? null
}

/** The fields after the command name, which may itself hold spaces and parentheses. */
function statFields(pid: number): readonly string[] | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  } catch {
    // Not Linux, or gone: the caller decides what that means.
    return null
  }
}

function bootId(): string | null {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  } catch {
    // Other systems don't tell; pid and host have to do.
    return null
  }
}
