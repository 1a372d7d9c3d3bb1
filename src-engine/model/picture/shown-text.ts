/** Texts that fit into a width, for pictures that are drawn without measuring anything. */

/** Widths of Inter's letters as shares of the font size, a little generous. */
const widths: readonly (readonly [RegExp, number])[] = [
  [/[iljI.,:;'|!]/, 0.29],
  [/[ftr()[\]{}"/\\ -]/, 0.37],
  [/[mwMW@%]/, 0.9],
  [/[A-Z0-9_+=<>&#]/, 0.67],
  [/[ -\u024f\u0370-\u04ff]/u, 0.57],
]

/** About how wide a text is drawn. */
export function textWidth(text: string, size: number): number {
  let width = 0
  for (const character of text)
    width += (widths.find(([pattern]) => pattern.test(character))?.[1] ?? 1.05) * size
  return width
}

/** The text, cut with an ellipsis where it would be wider. Line breaks become spaces. */
export function fitting(text: string, size: number, room: number): string {
  const line = text.replaceAll(/\s+/g, ' ').trim().slice(0, 400)
  if (textWidth(line, size) <= room) return line
  let kept = ''
  let left = room - textWidth('…', size)
  for (const character of line) {
    left -= textWidth(character, size)
    if (left < 0) break
    kept += character
  }
  return `${kept.trimEnd()}…`
}

/** Lines of a longer text, broken at spaces; what doesn't fit into them is cut. */
export function wrapped(
  text: string,
  { size, room, linesMax }: { readonly size: number; readonly room: number; readonly linesMax: number },
): readonly string[] {
  const lines: string[] = []
  for (const paragraph of text.slice(0, 4_000).split('\n')) {
    let line = ''
    for (const word of paragraph.split(/\s+/)) {
      const longer = line === '' ? word : `${line} ${word}`
      if (line !== '' && textWidth(longer, size) > room) {
        lines.push(line)
        line = word
      } else line = longer
    }
    lines.push(line)
    if (lines.length >= linesMax) break
  }
  return lines.slice(0, linesMax).map((line) => fitting(line, size, room))
}
