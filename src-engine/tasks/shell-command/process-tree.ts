/**
 * Ending a program together with everything it started. On POSIX the program leads a process group of its
 * own, and the group gets the signals. On Windows there are no groups: `taskkill /T` walks the tree.
 */

import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { killGraceMs } from '../../model/limits.ts'
import type { Clock } from '../../model/ports.ts'

const isWindows = process.platform === 'win32'

/** How a program must be spawned so that its tree can be ended. */
export const ownGroup = { detached: !isWindows, windowsHide: true } as const

/** Asks the tree to end, and ends it by force after the grace time. Returns the way to call that off. */
export function endTree(child: ChildProcess, clock: Clock): () => void {
  signalTree(child, 'SIGTERM')
  return clock.after(killGraceMs, () => signalTree(child, 'SIGKILL'))
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
  } catch {
    // ESRCH: nobody is left in the group, which is what was wanted.
  }
}
