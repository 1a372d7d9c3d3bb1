/**
 * Entry of the sandbox process: takes one request, runs its code in QuickJS, answers, and ends. It talks
 * through Electron's parent port where there is one, else through its standard streams.
 */

import { openParentLine } from '../parent-line.ts'
import { newLimitedQuickJs } from './limited-quickjs.ts'
import type { SandboxLine } from './sandbox-session.ts'
import { serveSandbox } from './sandbox-session.ts'

const line = openParentLine()

const toEngine: SandboxLine = {
  ...line,
  close() {
    // On POSIX a pipe is written before this returns; a broken QuickJS must not get the chance to run on.
    process.exitCode = 0
    line.close()
  },
}
serveSandbox(await newLimitedQuickJs(), toEngine, () => performance.now())
