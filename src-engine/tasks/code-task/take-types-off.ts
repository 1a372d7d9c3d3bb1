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

const [opening, closing] = ['async function code() {', '\n}']

/** As `takeTypesOff`, for the body of a function: it may return. */
export function takeTypesOffBody(text: string): { readonly code: string } | SandboxMessage {
  const read = takeTypesOff(`${opening}${text}${closing}`)
  // Every token is where it was, so what stands around it is cut off by its length.
  return 'kind' in read ? read : { code: read.code.slice(opening.length, -closing.length) }
}

/** Some programs that embed Node are built without it. */
const isWithoutTypeScript = (thrown: unknown): boolean =>
  typeof nodeModule.stripTypeScriptTypes !== 'function' ||
  (thrown instanceof Error && 'code' in thrown && thrown.code === 'ERR_NO_TYPESCRIPT')

const withoutTypeScript: SandboxMessage = {
  kind: 'threw',
  name: 'Error',
  message: 'This program can’t read TypeScript: leave the types out, and say that it is JavaScript.',
  line: 1,
}
