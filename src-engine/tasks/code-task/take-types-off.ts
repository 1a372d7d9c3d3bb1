/** TypeScript without its types, in the process of a sandbox: what reads the text may be ended like what runs it. */

import { stripTypeScriptTypes } from 'node:module'
import type { SandboxMessage } from '../javascript/sandbox-message.ts'

/** The code, every token where it was; or what is wrong with it and where. */
export function takeTypesOff(text: string): { readonly code: string } | SandboxMessage {
  // Some programs that embed Node are built without it.
  if (typeof stripTypeScriptTypes !== 'function') {
    const message = 'This program can’t read TypeScript: name the file .task.js and leave the types out.'
    return { kind: 'threw', name: 'Error', message, line: 1 }
  }
  try {
    return { code: stripTypeScriptTypes(text, { mode: 'strip' }) }
  } catch (thrown) {
    const { message, stack = '' } = thrown instanceof Error ? thrown : new Error(String(thrown))
    // `:LINE`, a line or two up to it, and a mark below the place.
    const [, line, mark] = /^:(\d+)\n(?:.*\n){1,3}?( *)\^+\n/.exec(stack) ?? []
    const place =
      line === undefined ? { line: null } : { line: Number(line), column: (mark ?? '').length + 1 }
    return { kind: 'threw', name: 'SyntaxError', message, ...place }
  }
}
