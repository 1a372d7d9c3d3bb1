/**
 * Entry of the sandbox process: takes one request, runs its code in QuickJS, answers, and ends. It talks
 * through Electron's parent port where there is one, else through its standard streams.
 */

import { setFlagsFromString } from 'node:v8'
import { openParentLine } from '../parent-line.ts'
import { newLimitedQuickJs } from './limited-quickjs.ts'
import type { SandboxLine } from './sandbox-session.ts'
import { serveSandbox } from './sandbox-session.ts'

/**
 * V8 makes better machine code of WebAssembly that runs often, on threads of its own. By default QuickJS's start is often
 * enough: that was 40 ms of a core for each step, of 110, and little code runs for so long that it is worth it.
 */
const workBeforeOptimizing = 60_000_000

setFlagsFromString(`--wasm-tiering-budget=${workBeforeOptimizing}`)
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
