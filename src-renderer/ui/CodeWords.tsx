/** A sentence in which what stands between backticks is shown as code: commands, names, what is written into a field. */

export function CodeWords({ text }: { readonly text: string }) {
  if (!text.includes('`')) return text
  return text.split(/(`[^`]+`)/).map((part, index) =>
    // Parts have no identity but their place.
    part.startsWith('`') && part.length > 2 ? <code key={index}>{part.slice(1, -1)}</code> : part,
  )
}
