/** The picture that a drawn QR code is, for a reader: its path has one rectangle for each run of dark modules. */

/** How many pixels a module is wide. */
const scale = 4
const border = 4

export function bitsOfPath(path: string): {
  readonly width: number
  readonly height: number
  readonly data: Uint8Array
} {
  const strokes = [...path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g)].map(([, x, y, length]) => ({
    x: Number(x),
    y: Number(y),
    length: Number(length),
  }))
  const size = Math.max(...strokes.map(({ x, length }) => x + length)) + border
  const width = size * scale
  const data = new Uint8Array(width * width * 4).fill(255)
  for (const { x, y, length } of strokes) {
    for (let row = y * scale; row < (y + 1) * scale; row += 1) {
      for (let column = x * scale; column < (x + length) * scale; column += 1) {
        data.fill(0, (row * width + column) * 4, (row * width + column) * 4 + 3)
      }
    }
  }
  return { width, height: width, data }
}
