/** The pieces of an icon as one path: with each by itself a quarter of all elements of the page would be such pieces. */

/** A piece as lucide has it: name of its element, attributes. */
export type IconPiece = readonly [name: string, attributes: Readonly<Record<string, string>>]

/** The outline of all of them; null where one has a look of its own or isn't known here. */
export function oneShape(pieces: readonly IconPiece[]): string | null {
  const outlines = pieces.map(outlineOf)
  return outlines.includes(null) ? null : outlines.join('')
}

/** `key` is React's. */
const geometry: Readonly<Record<string, readonly string[]>> = {
  path: ['d', 'key'],
  circle: ['cx', 'cy', 'r', 'key'],
  ellipse: ['cx', 'cy', 'rx', 'ry', 'key'],
  rect: ['x', 'y', 'width', 'height', 'rx', 'ry', 'key'],
  line: ['x1', 'y1', 'x2', 'y2', 'key'],
  polyline: ['points', 'key'],
  polygon: ['points', 'key'],
}

function outlineOf([name, attributes]: IconPiece): string | null {
  const known = geometry[name]
  if (known === undefined || Object.keys(attributes).some((key) => !known.includes(key))) return null
  const at = (key: string): number => Number(attributes[key] ?? 0)
  switch (name) {
    case 'path': {
      const outline = attributes['d'] ?? ''
      // The first one of a path is from the corner, whatever stands before it here.
      return outline.startsWith('m') ? `M0 0${outline}` : outline
    }
    case 'circle':
      return ellipse(at('cx'), at('cy'), [at('r'), at('r')])
    case 'ellipse':
      return ellipse(at('cx'), at('cy'), [at('rx'), at('ry')])
    case 'rect':
      return rectangle(attributes)
    case 'line':
      return `M${at('x1')} ${at('y1')}L${at('x2')} ${at('y2')}`
    case 'polyline':
      return `M${attributes['points'] ?? ''}`
    default:
      return `M${attributes['points'] ?? ''}Z`
  }
}

const ellipse = (x: number, y: number, [rx, ry]: readonly [number, number]): string =>
  `M${x + rx} ${y}a${rx} ${ry} 0 1 1 ${-2 * rx} 0a${rx} ${ry} 0 1 1 ${2 * rx} 0Z`

/** From the upper left corner in the hands of a clock, as a browser goes along it. */
function rectangle(attributes: Readonly<Record<string, string>>): string {
  const [x, y, width, height] = ['x', 'y', 'width', 'height'].map((key) => Number(attributes[key] ?? 0)) as [
    number,
    number,
    number,
    number,
  ]
  const rx = Number(attributes['rx'] ?? attributes['ry'] ?? 0)
  const ry = Number(attributes['ry'] ?? attributes['rx'] ?? 0)
  if (rx === 0) return `M${x} ${y}h${width}v${height}h${-width}Z`
  const [across, down] = [width - 2 * rx, height - 2 * ry]
  const corner = (dx: number, dy: number): string => `a${rx} ${ry} 0 0 1 ${dx} ${dy}`
  return (
    `M${x + rx} ${y}h${across}${corner(rx, ry)}v${down}${corner(-rx, ry)}` +
    `h${-across}${corner(-rx, -ry)}v${-down}${corner(rx, -ry)}Z`
  )
}
