/** The canvas from far away: what is drawn of a run, and what a press there means. */

import { describe, expect, test } from 'vitest'
import { taskSpecsByKind } from '../../src-engine/tasks/specs.ts'
import { farDrawing, farHit, farPlan } from '../../src-renderer/canvas/far/far-drawing.ts'
import { isFarAt } from '../../src-renderer/canvas/far/far-level.ts'
import type {
  FarCard,
  FarColors,
  FarDrawing,
  FarWay,
  Pen,
} from '../../src-renderer/canvas/far/far-picture.ts'
import { drawFar } from '../../src-renderer/canvas/far/far-picture.ts'
import { createFlowCache } from '../../src-renderer/canvas/to-flow.ts'
import type { NodeRun } from '../../src-renderer/state/run-model.ts'
import { noSelection } from '../../src-renderer/state/view-store.ts'
import { chain, invocationRecord } from './factories.ts'

const flowOf = (document = chain('a', 'b', 'c')) => {
  const made = createFlowCache()
  const shown = { document, selection: noSelection, isReadOnly: false }
  const rest = { problemsByNode: new Map(), specs: taskSpecsByKind, dragged: new Map() }
  return { nodes: made.nodes({ ...shown, ...rest }), edges: made.edges(shown) }
}

const run = (node: string, status: 'SUCCESS' | 'FAILED' | 'RUNNING'): NodeRun => ({
  invocation: invocationRecord(node, {
    status,
    finishedAt: status === 'RUNNING' ? null : 5,
    ports: status === 'SUCCESS' ? ['out'] : null,
  }),
  attempts: [],
  isSkipped: false,
  turns: null,
  strip: null,
  undo: null,
})

/** A pen that notes what it does. */
function recorder() {
  const calls: string[] = []
  const note =
    (name: string) =>
    (...given: readonly unknown[]): void => {
      calls.push(`${name} ${given.join(' ')}`)
    }
  const names =
    'setTransform clearRect fillRect strokeRect setLineDash beginPath moveTo lineTo bezierCurveTo stroke fill arc fillText'
  const pen = Object.fromEntries(names.split(' ').map((name) => [name, note(name)]))
  return {
    calls,
    pen: { ...pen, fillStyle: '', strokeStyle: '', lineWidth: 1, globalAlpha: 1, font: '' } as unknown as Pen,
  }
}

const colors = new Proxy({}, { get: (_none, key) => String(key) }) as FarColors
const sight = { x: 0, y: 0, zoom: 0.1, width: 800, height: 600, density: 2 }
const card: FarCard = {
  ...{ id: 'a', what: 'card', title: 'A', tone: null, isSelected: false, isFound: false },
  ...{ x: 0, y: 0, width: 240, height: 64 },
}

interface Line extends FarWay {
  readonly isInked: boolean
}

const drawingOf = (cards: readonly FarCard[], lines: readonly Line[] = []): FarDrawing<Line> => {
  const byId = new Map(cards.map((one) => [one.id, one]))
  return { cards, lines, cardOf: ({ id }) => byId.get(id) ?? card, isInked: (line) => line.isInked }
}

test('is drawn as one picture only when cards are many and small', () => {
  expect(isFarAt(0.29, 2_000)).toBe(true)
  expect(isFarAt(0.3, 2_000)).toBe(false)
  expect(isFarAt(0.1, 400)).toBe(false)
})

describe('what is drawn', () => {
  test('has the state of each step, and the ways that the run went', () => {
    const runs = new Map([
      ['a', run('a', 'SUCCESS')],
      ['b', run('b', 'FAILED')],
    ])
    const { cards, lines, cardOf, isInked } = farDrawing(farPlan(flowOf()), { runs, found: new Set(['c']) })
    expect(cards.map(cardOf).map(({ id, tone, isFound }) => [id, tone, isFound])).toEqual([
      ['a', 'good', false],
      ['b', 'bad', false],
      ['c', null, true],
    ])
    expect(lines.map(isInked)).toEqual([true, false])
  })

  test('has boxes below what is in them, outer ones first', () => {
    const document = chain('a', 'b', 'c')
    const nodes = {
      ...document.nodes,
      a: { kind: 'map' },
      b: { kind: 'loop', parent: 'a' },
      c: { kind: 'noop', parent: 'b' },
    }
    const flow = flowOf({ ...document, nodes, edges: {} })
    const { cards } = farPlan(flow)
    expect(cards.map(({ id, what }) => `${id} ${what}`)).toEqual(['a box', 'b box', 'c card'])
    const inner = flow.nodes.find(({ id }) => id === 'c')
    expect(farHit(flow.nodes, { x: (inner?.position.x ?? 0) + 5, y: (inner?.position.y ?? 0) + 5 })).toBe('c')
    expect(farHit(flow.nodes, { x: -9_000, y: 0 })).toBeNull()
  })
})

describe('the picture', () => {
  test('draws nothing that is out of sight, and says how much it drew', () => {
    const { pen } = recorder()
    const cards = [card, { ...card, id: 'far away', x: 9_000 }]
    expect(drawFar(pen, drawingOf(cards), { sight, colors })).toBe(1)
  })

  test('asks a run only of what is in sight, and once for each moment, however it is moved', () => {
    const asked: string[] = []
    class Runs extends Map<string, NodeRun> {
      override get(id: string): NodeRun | undefined {
        asked.push(id)
        return super.get(id)
      }
    }
    const names = Array.from({ length: 200 }, (_, index) => `n${index}`)
    const flow = flowOf(chain(...names))
    const nodes = flow.nodes.map((node, index) => ({ ...node, position: { x: index * 1_000, y: 0 } }))
    const plan = farPlan({ ...flow, nodes })
    const runs = new Runs(names.map((name) => [name, run(name, 'SUCCESS')]))
    const drawing = farDrawing(plan, { runs, found: new Set() })
    const { pen } = recorder()
    // 8,000 wide: eight cards, and the lines between them and to the next.
    expect(drawFar(pen, drawing, { sight, colors })).toBe(8)
    const first = asked.length
    expect(new Set(asked)).toEqual(new Set(names.slice(0, 9)))
    drawFar(pen, drawing, { sight: { ...sight, x: 1 }, colors })
    expect(asked.length).toBe(first)
    drawFar(pen, drawing, { sight: { ...sight, x: -100 }, colors })
    expect([...new Set(asked.slice(first))]).toEqual(expect.arrayContaining(['n8', 'n9']))
    expect(asked.slice(first)).not.toContain('n3')
  })

  test('tells the pen its font once for all titles', () => {
    let fonts = 0
    const { calls, pen } = recorder()
    const set = (): void => {
      fonts += 1
    }
    const counting = Object.defineProperty({ ...pen }, 'font', { set }) as Pen
    const cards = [card, { ...card, id: 'b', x: 300 }, { ...card, id: 'c', x: 600 }]
    drawFar(counting, drawingOf(cards), { sight: { ...sight, zoom: 0.25 }, colors })
    expect([calls.filter((call) => call.startsWith('fillText')).length, fonts]).toEqual([3, 1])
  })

  test('strokes all lines of a kind at once', () => {
    const { calls, pen } = recorder()
    const line = { from: card, to: { ...card, x: 400 }, isInked: false }
    drawFar(pen, drawingOf([], [line, line, { ...line, isInked: true }]), { sight, colors })
    expect(calls.filter((call) => call.startsWith('bezierCurveTo'))).toHaveLength(3)
    expect(calls.filter((call) => call.startsWith('stroke '))).toHaveLength(2)
  })

  test.for(['neutral', 'active', 'good', 'wait', 'bad', 'muted', 'repair', 'violet'] as const)(
    'tells %s from every other state without its colour',
    (tone) => {
      const shapeOf = (one: FarCard['tone']): string => {
        const { calls, pen } = recorder()
        drawFar(pen, drawingOf([{ ...card, tone: one }]), { sight, colors })
        return calls.join('\n')
      }
      const others = (
        ['neutral', 'active', 'good', 'wait', 'bad', 'muted', 'repair', 'violet', null] as const
      ).filter((one) => one !== tone)
      expect(others.map(shapeOf)).not.toContain(shapeOf(tone))
    },
  )
})
