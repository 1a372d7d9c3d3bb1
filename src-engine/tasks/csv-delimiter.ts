/** Delimiters as people type them. */

/** The delimiter meant by a parameter: `\t` is a tab. */
export function csvDelimiter(text: string): string {
  return text === '\\t' ? '\t' : text
}
