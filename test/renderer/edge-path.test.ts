/** The line of an edge: the same however its ports were measured. */

import { Position } from '@xyflow/react'
import { expect, test } from 'vitest'
import { edgePath } from '../../src-renderer/canvas/edge-path.ts'

const sides = { sourcePosition: Position.Right, targetPosition: Position.Left }

test('ports that are measured again a thousandth further on have the same line', () => {
  const told = { ...sides, sourceX: 884.5, sourceY: 453, targetX: 955.5, targetY: 453 }
  // As React Flow measured them at a zoom of 0.9.
  const measured = { ...sides, sourceX: 884.4999336101255, sourceY: 453.00003871920615 }
  const [path, x, y] = edgePath(told)
  expect(edgePath({ ...measured, targetX: 955.4999712442074, targetY: 452.9999616507225 })).toEqual([
    path,
    x,
    y,
  ])
  expect([path, x, y]).toEqual(['M884.5,453 C920,453 920,453 955.5,453', 920, 453])
})

test('a card that is moved by a pixel takes its line along', () => {
  const at = (targetY: number) => edgePath({ ...sides, sourceX: 0, sourceY: 0, targetX: 100, targetY })[0]
  expect(new Set([0, 0.5, 1, 2].map(at)).size).toBe(4)
})
