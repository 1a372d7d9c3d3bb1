/** TypeScript without its types, in the process of a sandbox: what reads the text may be ended like what runs it. */

// Not by name: where it isn’t there, the sandbox would not even start.
import nodeModule from 'node:module'
import type { SandboxMessage } from '../javascript/sandbox-message.ts'

/** The code, every token where it was; or what is wrong with it and where. */
export function takeTypesOff(text: string): { readonly code: string } | SandboxMessage {
  try {
    return { code: nodeModule.stripTypeScriptTypes(text, { mode: 'strip' }) }
  } catch (thrown) {
    if (isWithoutTypeScript(thrown)) return withoutTypeScript
    const { message, stack = '' } = thrown instanceof Error ? thrown : new Error(String(thrown))
    // `:LINE`, a line or two up to it, and a mark below the place.
    const [, line, mark] = /^:(\d+)\n(?:.*\n){1,3}?( *)\^+\n/.exec(stack) ?? []
    const place =
      line === undefined ? { line: null } : { line: Number(line), column: (mark ?? '').length + 1 }
    return { kind: 'threw', name: 'SyntaxError', message, ...place }
  }
}

/** Some programs that embed Node are built without it. */
const isWithoutTypeScript = (thrown: unknown): boolean =>
  typeof nodeModule.stripTypeScriptTypes !== 'function' ||
  (thrown instanceof Error && 'code' in thrown && thrown.code === 'ERR_NO_TYPESCRIPT')

const withoutTypeScript: SandboxMessage = {
  kind: 'threw',
  name: 'Error',
  message: 'This program can’t read TypeScript: name the file .task.js and leave the types out.',
  line: 1,
}
