/**
 * What a text imports, read off its words and not its grammar: more than it really does at times, since it may stand in
 * a comment. What is read too much is only looked for.
 */

const forms = [
  /\bfrom\s*["']([^"'\n]{1,300})["']/g,
  /\bimport\s*["']([^"'\n]{1,300})["']/g,
  /\bimport\s*\(\s*["']([^"'\n]{1,300})["']\s*\)/g,
  /\brequire\s*\(\s*["']([^"'\n]{1,300})["']\s*\)/g,
]

/** What stands behind `from`, in `import` and in `require`, each once. */
export function specifiersIn(text: string): readonly string[] {
  const found = forms.flatMap((form) => [...text.matchAll(form)].map(([, specifier = '']) => specifier))
  return [...new Set(found)]
}

/** `import a, { b as c } from 'x'`, `export { b } from 'x'`, and `const { b: c } = await import('x')`. */
const named = [
  /\{([^{}]{0,4000})\}\s*from\s*["']([^"'\n]{1,300})["']/g,
  /\{([^{}]{0,4000})\}\s*=\s*await\s+import\s*\(\s*["']([^"'\n]{1,300})["']\s*\)/g,
]

/** The names that a text takes of its imports. */
export function namesTaken(
  text: string,
): readonly { readonly specifier: string; readonly names: readonly string[] }[] {
  return named.flatMap((form) =>
    [...text.matchAll(form)].map(([, list = '', specifier = '']) => ({
      specifier,
      names: list
        .split(',')
        .map((item) => /^\s*([A-Za-z_$][\w$]*)/.exec(item)?.[1] ?? '')
        .filter((name) => name !== '' && name !== 'default'),
    })),
  )
}
