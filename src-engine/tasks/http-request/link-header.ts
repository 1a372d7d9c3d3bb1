/** The Link header of an answer: `<https://example.com/?page=2>; rel="next", <…>; rel="last"`. */

/** The address that the header calls the next page, as it stands there; null when it names none. */
export function nextLink(header: string): string | null {
  let rest = header
  while (rest !== '') {
    const start = rest.indexOf('<')
    const end = rest.indexOf('>', start)
    if (start === -1 || end === -1) return null
    const target = rest.slice(start + 1, end)
    const { text, after } = parametersAt(rest, end + 1)
    if (isNext(text)) return target.trim()
    rest = rest.slice(after)
  }
  return null
}

/** What stands up to the next comma that is outside of quotes. */
function parametersAt(text: string, from: number): { readonly text: string; readonly after: number } {
  let isQuoted = false
  let index = from
  for (; index < text.length; index += 1) {
    const char = text[index]
    if (char === '\\' && isQuoted) index += 1
    else if (char === '"') isQuoted = !isQuoted
    else if (char === ',' && !isQuoted) break
  }
  return { text: text.slice(from, index), after: index + 1 }
}

/** One link may have several relations: `rel="next last"`. */
function isNext(parameters: string): boolean {
  for (const part of parameters.split(';')) {
    const [name = '', value = ''] = part.split('=')
    if (name.trim().toLowerCase() !== 'rel') continue
    return value.replaceAll('"', '').trim().toLowerCase().split(/\s+/).includes('next')
  }
  return false
}
