/**
 * What lucide draws each of its icons by; the build has this one in the place of lucide's own (`electron.vite.config.ts`).
 * Icons and their pieces were half of the page's elements. Here each icon has one path, made once, and isn't drawn again with
 * what is around it while it looks the same.
 */

import type { ReactElement, ReactNode, SVGProps } from 'react'
import { createElement, memo } from 'react'
import type { IconPiece } from './one-shape.ts'
import { oneShape } from './one-shape.ts'

interface IconData {
  readonly name: string
  readonly node: readonly IconPiece[]
  readonly aliases?: readonly string[]
}

interface Props extends SVGProps<SVGSVGElement> {
  readonly icon: IconData
  readonly size?: number | string
}

/** What icons without other wishes look like. */
const usual = {
  xmlns: 'http://www.w3.org/2000/svg',
  viewBox: '0 0 24 24',
  fill: 'none',
  strokeLinecap: 'round',
  strokeLinejoin: 'round',
} as const

export const PlainIcon = memo(function PlainIcon({
  icon,
  size = 24,
  color,
  strokeWidth = 2,
  className,
  children,
  ...rest
}: Props) {
  const { pieces, names } = drawingOf(icon)
  // Filled, pieces that lie over each other aren't what their outlines are together.
  const isFilled = rest.fill !== undefined && rest.fill !== 'none'
  const isNamed = children !== undefined || Object.keys(rest).some(isName)
  return createElement(
    'svg',
    {
      ...usual,
      ...{ width: size, height: size, stroke: color ?? 'currentColor', strokeWidth },
      ...(isNamed ? {} : { 'aria-hidden': 'true' }),
      ...rest,
      className: className === undefined || className === '' ? names : `${names} ${className}`,
    },
    isFilled ? icon.node.map(element) : pieces,
    children,
  )
})

const isName = (attribute: string): boolean =>
  attribute === 'role' || attribute === 'title' || attribute.startsWith('aria-')

interface Drawing {
  readonly pieces: ReactNode
  readonly names: string
}

const drawings = new WeakMap<IconData, Drawing>()

/** The same elements each time: React finds at once that nothing of them is new. */
function drawingOf(icon: IconData): Drawing {
  const known = drawings.get(icon)
  if (known !== undefined) return known
  const outline = oneShape(icon.node)
  const pieces = outline === null ? icon.node.map(element) : createElement('path', { d: outline })
  const names = ['lucide', ...[icon.name, ...(icon.aliases ?? [])].map((name) => `lucide-${name}`)].join(' ')
  const drawing = { pieces, names }
  drawings.set(icon, drawing)
  return drawing
}

const element = ([name, attributes]: IconPiece): ReactElement => createElement(name, attributes)
