/**
 * Starts the process in which JavaScript code runs. It is used once and thrown away, so that code which
 * hangs or eats memory can be ended without touching the engine.
 */

import { fileURLToPath } from 'node:url'
import { entryFile } from '../entry-file.ts'
import type { GuardedHost, GuardedProcess } from '../guarded-process.ts'
import { createNodeGuardedHost } from '../guarded-process.ts'

/** A sandbox process that has been started; its messages are in `sandbox-message.ts`. */
export type SandboxProcess = GuardedProcess

export type SandboxHost = GuardedHost

/** The sandbox's entry: a source file in a checkout, `javascript-sandbox.js` in a bundle. */
function sandboxEntry(): string {
  return fileURLToPath(
    entryFile({ from: import.meta.url, source: './sandbox.ts', bundled: 'javascript-sandbox' }),
  )
}

/** More than QuickJS ever needs outside of its WebAssembly memory. */
const hostHeapMb = 96

/** The host for a plain Node process. */
export function createNodeSandboxHost(): SandboxHost {
  return createNodeGuardedHost({ entry: sandboxEntry(), root: '../../..', heapMb: hostHeapMb })
}
