/** What a move of a dragged card costs: as much as is in the hand, however large the workflow is. */

import type { InternalNode, ReactFlowState } from '@xyflow/react'
import { describe, expect, test } from 'vitest'
import { nodeId } from '../../src-engine/model/ids.ts'
import type { WorkflowDocument } from '../../src-engine/model/workflow.ts'
import { taskSpecsByKind } from '../../src-engine/tasks/specs.ts'
import { createDragDrawing } from '../../src-renderer/canvas/drag-flow.ts'
import type { Box } from '../../src-renderer/canvas/fit.ts'
import { snapOf } from '../../src-renderer/canvas/guides.ts'
import { draggedScopes } from '../../src-renderer/canvas/saga-flow.ts'
import type { Strips } from '../../src-renderer/canvas/strips.ts'
import { stripsOf } from '../../src-renderer/canvas/strips.ts'
import { createRandomSource } from '../support/random-source.ts'
import { chain } from './factories.ts'

type Lookup = ReactFlowState['nodeLookup']

/** A map that notes which of its entries are touched, and whether all of them are walked over. */
class Noted extends Map<string, InternalNode> {
  readonly touched = new Set<string>()
  override get(id: string) {
    this.touched.add(id)
    return super.get(id)
  }
  override set(id: string, card: InternalNode) {
    this.touched.add(id)
    return super.set(id, card)
  }
  override values(): MapIterator<InternalNode> {
    this.touched.add('all')
    return super.values()
  }
}

const card = (id: string, x: number): InternalNode => {
  const user = { id, position: { x, y: 0 }, width: 10, height: 10, data: {} }
  const internals = { positionAbsolute: user.position, z: 0, userNode: user }
  return { ...user, measured: { width: 10, height: 10 }, internals }
}

function flowOf(count: number) {
  const nodeLookup = new Noted()
  for (let at = 0; at < count; at += 1) nodeLookup.set(`n${at}`, card(`n${at}`, at * 20))
  nodeLookup.touched.clear()
  const told = { count: 0 }
  const flow = {
    getState: () => ({ nodeLookup }),
    setState: () => {
      told.count += 1
    },
  }
  return { flow, nodeLookup, told, draw: createDragDrawing(flow) }
}

const to = (x: number, id = 'n3') => ({
  dragged: new Map([[id, { x, y: 4 }]]),
  scopes: new Map<string, Box>(),
})
const nothing = { dragged: new Map(), scopes: new Map<string, Box>() }

describe('a move of a dragged card', () => {
  test('touches that card alone among thousands, and tells of it once', () => {
    const { draw, nodeLookup, told } = flowOf(5_000)
    const before: Lookup = new Map([...nodeLookup.entries()])
    draw(to(70))
    expect([...nodeLookup.touched]).toEqual(['n3'])
    expect(told.count).toBe(1)
    expect(nodeLookup.get('n3')).toMatchObject({
      ...{ position: { x: 70, y: 4 }, internals: { positionAbsolute: { x: 70, y: 4 } } },
    })
    for (const [id, one] of before) if (id !== 'n3') expect(nodeLookup.get(id)).toBe(one)
    draw(to(70))
    expect(told.count).toBe(1)
  })

  test('is taken back when it is let go of, to what it was made as last', () => {
    const { draw, nodeLookup } = flowOf(5)
    const was = nodeLookup.get('n3')
    draw(to(70))
    // Measured meanwhile, as React Flow does it.
    const measured = { source: [], target: [] }
    const shown = nodeLookup.get('n3') ?? card('n3', 0)
    nodeLookup.set('n3', { ...shown, internals: { ...shown.internals, handleBounds: measured } })
    draw(to(90))
    draw(nothing)
    expect(nodeLookup.get('n3')).toEqual({ ...was, internals: { ...was?.internals, handleBounds: measured } })
    expect(nodeLookup.get('n3')?.internals.userNode).toBe(was?.internals.userNode)
    draw(to(70))
    const made = card('n3', 500)
    nodeLookup.set('n3', made)
    draw(nothing)
    expect(nodeLookup.get('n3')).toBe(made)
  })

  test('leaves a card alone that is gone meanwhile', () => {
    const { draw, nodeLookup, told } = flowOf(5)
    draw(to(70, 'gone'))
    draw(to(70))
    nodeLookup.delete('n3')
    draw(nothing)
    expect(nodeLookup.has('n3')).toBe(false)
    expect(told.count).toBe(2)
  })

  test('stretches the frame of its group, and goes past every other group', () => {
    const document: WorkflowDocument = {
      ...chain('a', 'b', 'c'),
      sagaScopes: { own: { nodes: [nodeId('a'), nodeId('b')] }, other: { nodes: [nodeId('c')] } },
    }
    const dragged = new Map([['b', { x: 2_000, y: 0 }]])
    const scopes = draggedScopes({ document, specs: taskSpecsByKind, dragged })
    expect([...scopes.keys()]).toEqual(['scope:own'])
    expect(scopes.get('scope:own')?.width).toBeGreaterThan(2_000)
    const { draw, nodeLookup } = flowOf(1)
    const was = card('scope:own', 0)
    nodeLookup.set('scope:own', was)
    draw({ dragged, scopes })
    const { x, y, width, height } = scopes.get('scope:own') ?? { x: 0, y: 0, width: 0, height: 0 }
    expect(nodeLookup.get('scope:own')).toMatchObject({
      position: { x, y },
      width,
      height,
      measured: { width, height },
    })
    draw(nothing)
    expect(nodeLookup.get('scope:own')).toEqual(was)
  })
})

describe('what a dragged card lines up with', () => {
  const random = createRandomSource('what lines up')
  const any = random.below
  const boxes = Array.from({ length: 400 }, () => ({
    ...{ x: any(300) * 10 - 900, y: any(200) * 10 - 700 },
    ...{ width: any(20) === 0 ? 900 : 240, height: any(20) === 0 ? 700 : 64 },
  }))
  const all: Strips = { along: () => boxes }

  test('is the same by strips as by a look at all of them', () => {
    const strips = stripsOf(boxes)
    for (let turn = 0; turn < 500; turn += 1) {
      const moved = { x: any(3_000) - 900, y: any(2_000) - 700, width: 240, height: 64 }
      const reach = 1 + any(40)
      expect(snapOf(moved, strips, reach)).toEqual(snapOf(moved, all, reach))
    }
  })

  test('is found among those of its row and column', () => {
    const grid = Array.from({ length: 10_000 }, (_, at) => ({
      ...{ x: (at % 100) * 320, y: Math.floor(at / 100) * 140 },
      ...{ width: 240, height: 64 },
    }))
    const strips = stripsOf(grid)
    let looked = 0
    const counted: Strips = {
      along: (axis, from, end) => {
        const found = strips.along(axis, from, end)
        looked += found.length
        return found
      },
    }
    snapOf({ x: 3_203, y: 1_404, width: 240, height: 64 }, counted, 8)
    expect(looked).toBeGreaterThan(100)
    expect(looked).toBeLessThan(2_000)
  })
})
