/** What is drawn from far away: the cards and lines of the canvas with what the shown run says of them. Pure. */

import { errorPort } from '../../../src-engine/model/workflow.ts'
import type { NodeRun } from '../../state/run-model.ts'
import { frameIdOf, isNodeId, noteIdOf } from '../flow-ids.ts'
import { inkOf, lookOf } from '../node-look.ts'
import type { FlowEdge, FlowNode } from '../to-flow.ts'
import type { FarCard, FarDrawing, FarPlace, FarTone, FarWay } from './far-picture.ts'

/** A line, and the edge that it is. */
interface EdgeLine extends FarWay {
  readonly edge: FlowEdge
}

/** Cards and lines of a canvas, what lies below first. */
export type FarPlan = Pick<FarDrawing<EdgeLine>, 'cards' | 'lines'>

/** How they are at a moment. */
export interface FarMoment {
  /** What the shown run says, by node; null when none is shown. */
  readonly runs: ReadonlyMap<string, NodeRun> | null
  /** Nodes that fit what is looked for. */
  readonly found: ReadonlySet<string>
}

/** The same node of a run looks the same: most of them don't change from one frame to the next. */
const toneByRun = new WeakMap<NodeRun, FarTone>()

function toneOf(run: NodeRun | undefined): FarTone | null {
  if (run === undefined) return null
  let tone = toneByRun.get(run)
  if (tone === undefined) {
    tone = lookOf(run).style.tone
    toneByRun.set(run, tone)
  }
  return tone
}

/** Where everything is: made once for what is on the canvas, however many moments of a run are shown on it. */
export function farPlan({
  nodes,
  edges,
}: {
  readonly nodes: readonly FlowNode[]
  readonly edges: readonly FlowEdge[]
}): FarPlan {
  const cards = nodes.map(placeOf)
  const byId = new Map(cards.map((card) => [card.id, card]))
  const lines = edges.flatMap((edge): readonly EdgeLine[] => {
    const [from, to] = [byId.get(edge.source), byId.get(edge.target)]
    return from === undefined || to === undefined ? [] : [{ from, to, edge }]
  })
  return { cards: cards.toSorted((left, right) => layer(left) - layer(right)), lines }
}

/** The plan at a moment. What isn't in sight is never asked of the run, and what is only once. */
export function farDrawing(plan: FarPlan, moment: FarMoment): FarDrawing<EdgeLine> {
  return {
    ...plan,
    cardOf: onceEach((place): FarCard => {
      const { id, what } = place
      const tone = what === 'note' || frameIdOf(id) !== null ? null : toneOf(moment.runs?.get(id))
      return { ...place, tone, isFound: moment.found.has(id) }
    }),
    isInked: onceEach(({ edge }) => isInked(edge, moment)),
  }
}

function onceEach<Key extends object, Value>(find: (key: Key) => Value): (key: Key) => Value {
  const known = new Map<Key, Value>()
  return (key) => {
    let value = known.get(key)
    if (value === undefined) {
      value = find(key)
      known.set(key, value)
    }
    return value
  }
}

const layer = ({ what, width }: FarPlace): number => (what === 'card' ? 0 : -width)

function isInked(edge: FlowEdge, { runs }: FarMoment): boolean {
  if (runs === null || edge.type !== 'flow' || edge.data === undefined) return false
  const run = runs.get(edge.data.from)
  if (run === undefined || runs.get(edge.data.to)?.isSkipped === true) return false
  const ink = inkOf(run, edge.data.fromPort)
  return ink === 'taken' || (ink === 'failed' && edge.data.fromPort === errorPort)
}

function placeOf(node: FlowNode): FarPlace {
  const { id, position, width = 0, height = 0 } = node
  const common = { id, ...position, width, height, isSelected: node.selected === true }
  if (node.type === 'task') {
    const { spec, body } = node.data
    const title = node.data.node.title ?? spec?.title ?? node.data.node.kind
    return { ...common, what: body === null ? 'card' : 'box', title }
  }
  const isCollapsed = node.type === 'frame' && node.data.isCollapsed
  const title = node.type === 'note' ? '' : node.data.title
  const what = noteIdOf(id) !== null ? 'note' : isCollapsed ? 'card' : 'box'
  return { ...common, what, title }
}

/** The node, or collapsed frame, at a place of the canvas; null for none. What lies on top counts. */
export function farHit(
  nodes: readonly FlowNode[],
  { x, y }: { readonly x: number; readonly y: number },
): string | null {
  const at = nodes.filter(({ id, position, width = 0, height = 0 }) => {
    const isIn = x >= position.x && x <= position.x + width && y >= position.y && y <= position.y + height
    return isIn && (isNodeId(id) || frameIdOf(id) !== null)
  })
  return at.toSorted((left, right) => (left.width ?? 0) - (right.width ?? 0))[0]?.id ?? null
}
