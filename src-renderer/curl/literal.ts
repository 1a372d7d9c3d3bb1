/** Texts of a command as texts of a step. Pure. */

/** Braces that mean nothing to curl mean nothing here. */
export const asLiteral = (text: string): string => text.replaceAll('{{', '{{ "{{" }}')

/** A name with its text. */
export const literalEntry = ([name, value]: readonly [string, string]): [string, string] => [
  name,
  asLiteral(value),
]
