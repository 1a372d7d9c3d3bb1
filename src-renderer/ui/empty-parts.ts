/** The two parts of what is said where nothing is: what is so, and how that changes. Pure. */

export interface EmptyParts {
  readonly what: string
  /** Empty where nothing else is to be said. */
  readonly how: string
}

/** The first sentence, and what follows. */
export function emptyParts(text: string): EmptyParts {
  const end = /[.?!:] /.exec(text)
  if (end === null) return { what: text, how: '' }
  const what = text.slice(0, end.index + 1).replace(/:$/, '.')
  const rest = text.slice(end.index + 2)
  return { what, how: rest.charAt(0).toUpperCase() + rest.slice(1) }
}
