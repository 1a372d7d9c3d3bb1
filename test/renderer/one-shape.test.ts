/** Icons as one path: each kind of piece, and all icons that steps can have. */

import type { LucideIcon } from 'lucide-react'
import type { ReactElement } from 'react'
import { describe, expect, test } from 'vitest'
import type { IconPiece } from '../../src-renderer/ui/one-shape.ts'
import { oneShape } from '../../src-renderer/ui/one-shape.ts'
import { taskIcon, taskIconNames } from '../../src-renderer/ui/task-icon.ts'

describe('the outline of a piece', () => {
  const outlines: Readonly<Record<string, readonly [piece: IconPiece, outline: string]>> = {
    'a path is what it is': [['path', { d: 'M5 12h14', key: 'k' }], 'M5 12h14'],
    'a circle goes around and comes back': [
      ['circle', { cx: '12', cy: '12', r: '10' }],
      'M22 12a10 10 0 1 1 -20 0a10 10 0 1 1 20 0Z',
    ],
    'an ellipse has two radii': [
      ['ellipse', { cx: '12', cy: '5', rx: '9', ry: '3' }],
      'M21 5a9 3 0 1 1 -18 0a9 3 0 1 1 18 0Z',
    ],
    'a rectangle has corners': [['rect', { width: '8', height: '4', x: '2', y: '3' }], 'M2 3h8v4h-8Z'],
    'a rectangle has round corners by one radius': [
      ['rect', { width: '20', height: '14', x: '2', y: '3', rx: '2' }],
      'M4 3h16a2 2 0 0 1 2 2v10a2 2 0 0 1 -2 2h-16a2 2 0 0 1 -2 -2v-10a2 2 0 0 1 2 -2Z',
    ],
    'a line goes from here to there': [['line', { x1: '1', x2: '3', y1: '2', y2: '4' }], 'M1 2L3 4'],
    'a polyline is open': [['polyline', { points: '1 2 3 4 5 6' }], 'M1 2 3 4 5 6'],
    'a polygon is closed': [['polygon', { points: '1 2 3 4 5 6' }], 'M1 2 3 4 5 6Z'],
  }

  test.for(Object.entries(outlines))('%s', ([, [piece, outline]]) => {
    expect(oneShape([piece])).toBe(outline)
  })
})

test('a piece that begins from where it is begins from the corner after another one, too', () => {
  expect(
    oneShape([
      ['path', { d: 'M5 12h14' }],
      ['path', { d: 'm9 18 6-6-6-6' }],
    ]),
  ).toBe('M5 12h14M0 0m9 18 6-6-6-6')
})

test('a piece with a look of its own, or one that isn’t known, is no part of an outline', () => {
  expect(oneShape([['path', { d: 'M5 12h14', fill: 'currentColor' }]])).toBeNull()
  expect(oneShape([['text', {}]])).toBeNull()
})

/** The pieces of an icon, from what it gives to lucide's own component. */
function piecesOf(icon: LucideIcon): readonly IconPiece[] {
  const { render } = icon as unknown as {
    readonly render: (props: object, ref: null) => ReactElement<{ readonly icon: { node: IconPiece[] } }>
  }
  return render({}, null).props.icon.node
}

test('each icon that a step can have is one shape', () => {
  const inPieces = taskIconNames.filter((name) => oneShape(piecesOf(taskIcon(name))) === null)
  expect(inPieces).toEqual([])
  expect(taskIconNames.length).toBeGreaterThan(70)
})
