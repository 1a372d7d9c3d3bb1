/** Starts a worker that is to crash, as a plain Node process. */

import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { entryFile } from '../../tasks/entry-file.ts'
import type { GuardedHost } from '../../tasks/guarded-process.ts'
import { talkedTo } from '../../tasks/guarded-process.ts'

/** It does what any worker does, with the rights of the engine that starts it. */
export function createNodeCrashHost(): GuardedHost {
  const entry = fileURLToPath(
    entryFile({ from: import.meta.url, source: './crash-worker.ts', bundled: 'crash-worker' }),
  )
  return {
    start() {
      const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', entry], {
        stdio: ['pipe', 'pipe', 'ignore'],
        windowsHide: true,
      })
      return talkedTo(child)
    },
  }
}
