/**
 * Where the ports of cards are, told to React Flow beforehand: it makes every card of which it doesn't know that, whether
 * anybody sees it or not, to measure it. What is on the screen is measured all the same.
 */

import type { NodeHandle } from '@xyflow/react'
import { Position } from '@xyflow/react'
import type { PortSpec, TaskSpec } from '../../src-engine/model/task-spec.ts'
import type { Point } from '../../src-engine/model/workflow.ts'
import { errorPort, inputPort } from '../../src-engine/model/workflow.ts'
import { undoPort } from '../rules/compensation.ts'
import type { Size } from './geometry.ts'
import { portTops } from './geometry.ts'

/** For what no edge leads to. */
export const noHandles: NodeHandle[] = []

const side = 11
const errorSide = 9
const undoSize = { width: 20, height: 18 }
const frameSide = 6
/** Cards have a line around them that their ports stand on. */
const border = 1

/** The ports of a step's card. */
export function taskHandles(card: {
  readonly spec: TaskSpec | null
  readonly ports: readonly PortSpec[]
  readonly size: Size
  readonly canBeUndone: boolean
}): NodeHandle[] {
  const { width, height } = card.size
  const head = (portTops(1)[0] ?? 0) + border
  const tops = card.ports.length <= 1 ? [head] : portTops(card.ports.length)
  const [left, right, low] = [border, width - border, height - border]
  const into = handle({ id: inputPort, type: 'target', position: Position.Left }, { x: left, y: head }, side)
  const undo = { id: undoPort, type: 'source', position: Position.Bottom } as const
  return [
    ...(card.spec?.hasInput === false ? [] : [into]),
    ...card.ports.map(({ id }, index) =>
      handle({ id, type: 'source', position: Position.Right }, { x: right, y: tops[index] ?? head }, side),
    ),
    handle({ ...undo, id: errorPort }, { x: right - 22 - errorSide / 2, y: low }, errorSide),
    ...(card.canBeUndone ? [handle(undo, { x: left + 22, y: low }, undoSize)] : []),
  ]
}

/** One on each side, as a collapsed frame has them. */
export const sideHandles = ({ width, height }: Size): NodeHandle[] => [
  handle({ id: 'in', type: 'target', position: Position.Left }, { x: 0, y: height / 2 }, frameSide),
  handle({ id: 'out', type: 'source', position: Position.Right }, { x: width, y: height / 2 }, frameSide),
]

/** Around a place of the card. */
function handle(
  of: Pick<NodeHandle, 'id' | 'type' | 'position'>,
  at: Point,
  size: number | Size,
): NodeHandle {
  const { width, height } = typeof size === 'number' ? { width: size, height: size } : size
  return { ...of, x: at.x - width / 2, y: at.y - height / 2, width, height }
}
