/**
 * V8 shares what it compiled of the same WebAssembly, but only as long as somebody has it. A process of the product has
 * one QuickJS; tests have hundreds, one after the other, and many were compiled and optimized anew: a seventh of what the
 * escapes took.
 */

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

/** Node has it, and its types don't. */
declare const WebAssembly: { readonly compile: (bytes: Uint8Array) => Promise<unknown> }

let compiled: Promise<unknown> | null = null

/** QuickJS as it was compiled, held for as long as this process lives. */
export function keepQuickJs(): Promise<unknown> {
  const file = createRequire(import.meta.url).resolve('@jitl/quickjs-wasmfile-release-sync/wasm')
  compiled ??= WebAssembly.compile(readFileSync(file))
  return compiled
}
