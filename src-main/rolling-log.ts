/** A log file that cannot grow without end: at its limit it becomes `<name>.1` and a new one begins. */

import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

const logBytesMax = 5_000_000

function sizeOf(path: string): number {
  try {
    return statSync(path).size
  } catch {
    // There is no log yet.
    return 0
  }
}

/** Opens the log; writing never throws, since a full disk must not take the app down. */
export function openRollingLog(path: string): (text: string) => void {
  mkdirSync(dirname(path), { recursive: true })
  let bytes = sizeOf(path)
  return (text) => {
    try {
      if (bytes > logBytesMax) {
        renameSync(path, `${path}.1`)
        bytes = 0
      }
      appendFileSync(path, text)
      bytes += Buffer.byteLength(text)
    } catch {
      // There is nowhere left to say so.
    }
  }
}
