/** QuickJS in a memory that ends where its limit says. */

import type { QuickJSWASMModule } from 'quickjs-emscripten'
import { newQuickJSWASMModule, newVariant, RELEASE_SYNC } from 'quickjs-emscripten'

interface WasmMemory {
  readonly buffer: ArrayBuffer
  grow: (pages: number) => number
}

/** Node has it, and its types don't. */
declare const WebAssembly: {
  readonly Memory: new (size: { readonly initial: number; readonly maximum: number }) => WasmMemory
}

const pageBytes = 65_536
/** As QuickJS's WebAssembly declares its memory: what it begins with, and the most that it may have. */
const firstPages = 256
const pagesMax = 32_768

/**
 * A new QuickJS; `setMemoryLimit` of its runtime also bounds the WebAssembly memory. In there QuickJS can't ask how large a
 * block is, so that its own limit counts blocks and not their bytes: arrays went on to the 2 GB. Code has at least
 * its limit, and at most that and the 16 MB that there are from the start.
 */
export async function newLimitedQuickJs(): Promise<QuickJSWASMModule> {
  const memory = new WebAssembly.Memory({ initial: firstPages, maximum: pagesMax })
  let bytesMax = pagesMax * pageBytes
  const grow = memory.grow.bind(memory)
  // Emscripten takes what is thrown for "there is no more", and QuickJS then says that it is out of memory.
  memory.grow = (pages) => {
    if (memory.buffer.byteLength + pages * pageBytes > bytesMax) throw new RangeError('beyond the limit')
    return grow(pages)
  }
  const module = await newQuickJSWASMModule(newVariant(RELEASE_SYNC, { wasmMemory: memory }))
  const newRuntime = module.newRuntime.bind(module)
  module.newRuntime = (...options) => {
    const runtime = newRuntime(...options)
    const setMemoryLimit = runtime.setMemoryLimit.bind(runtime)
    runtime.setMemoryLimit = (bytes) => {
      setMemoryLimit(bytes)
      bytesMax = firstPages * pageBytes + bytes
    }
    return runtime
  }
  return module
}
