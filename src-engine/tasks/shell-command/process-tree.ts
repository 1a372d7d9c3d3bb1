/**
 * Ending a program together with everything it started. On POSIX the program leads a process group of its
 * own, and the group gets the signals. On Windows there are no groups: `taskkill /T` walks the tree.
 */

import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import type { Clock } from '../../model/ports.ts'
import type { Millis } from '../../model/time.ts'

const isWindows = process.platform === 'win32'

/** How a program must be spawned so that its tree can be ended. */
export const ownGroup = { detached: !isWindows, windowsHide: true } as const

/** Asks the tree to end, and ends it by force after the grace time. Returns the way to call that off. */
export function endTree(child: ChildProcess, clock: Clock, graceMs: Millis): () => void {
  signalTree(child, 'SIGTERM')
  return clock.after(graceMs, () => signalTree(child, 'SIGKILL'))
}

/** Has the program and all it started stand still; false where the platform can't, or nobody is left. */
export function pauseTree(child: ChildProcess): boolean {
  return !isWindows && signalGroup(child, 'SIGSTOP')
}

/** Lets a tree that stands still go on. */
export function resumeTree(child: ChildProcess): void {
  if (!isWindows) signalGroup(child, 'SIGCONT')
}

function signalGroup(child: ChildProcess, signal: 'SIGSTOP' | 'SIGCONT'): boolean {
  const { pid } = child
  if (pid === undefined || child.exitCode !== null || child.signalCode !== null) return false
  try {
    return process.kill(-pid, signal)
  } catch {
    // ESRCH: nobody is left in the group.
    return false
  }
}

/** Sends the signal to the program and all it started; those that have ended already don't mind. */
export function signalTree(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): void {
  const { pid } = child
  if (pid === undefined) return
  if (isWindows) {
    // Without a console a program can't be asked to end, so both signals end it.
    spawn('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true })
    return
  }
  try {
    process.kill(-pid, signal)
    // Who stands still hears of it only when it goes on.
    process.kill(-pid, 'SIGCONT')
  } catch {
    // ESRCH: nobody is left in the group, which is what was wanted.
  }
}
