/** The user's code as what the guest runs: a function of what it is handed, with its imports in front. */

/**
 * The imports at its beginning, which stand outside of the function, and the rest, which may return. Both have all
 * lines of the code, so that errors name the user's own.
 */
export function splitImports(code: string): { readonly imports: string; readonly body: string } {
  const [imports = ''] = leadingImports.exec(code) ?? []
  if (!/\bimport\b/.test(imports)) return { imports: '', body: code }
  return { imports, body: imports.replaceAll(/[^\n]/g, '') + code.slice(imports.length) }
}

/** Spaces, comments and imports; one that is called (`import(…)`) is no statement of its own. */
const leadingImports =
  /^(?:\s+|\/\/[^\n]*(?:\n|$)|\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\/|import\b(?!\s*[(.])[^;'"]*(?:'[^'\n]*'|"[^"\n]*")[ \t]*;?)*/

/**
 * On the lines of the code. What it declares may have the names of what it is handed: they are those of a function
 * around it.
 */
export const functionOf = (body: string): string =>
  `(function (input, run, vars, ctx) {"use strict"; return (async () => {"use strict"; ${body}\n})()})`

/** With imports: a module that gives the function. The imports keep their lines, and the body goes on in the last of them. */
export const moduleOf = (imports: string, body: string): string =>
  `${imports};export default ${functionOf(body.slice(imports.split('\n').length - 1))}`
