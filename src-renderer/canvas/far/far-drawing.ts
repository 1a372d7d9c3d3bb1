/** What is drawn from far away: the cards and lines of the canvas with what the shown run says of them. Pure. */

import { errorPort } from '../../../src-engine/model/workflow.ts'
import type { NodeRun } from '../../state/run-model.ts'
import { frameIdOf, isNodeId, noteIdOf } from '../flow-ids.ts'
import { inkOf, lookOf } from '../node-look.ts'
import type { FlowEdge, FlowNode } from '../to-flow.ts'
import type { FarCard, FarLine, FarTone } from './far-picture.ts'

export interface FarInput {
  readonly nodes: readonly FlowNode[]
  readonly edges: readonly FlowEdge[]
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

/** Cards and lines, what lies below first. */
export function farDrawing(input: FarInput): {
  readonly cards: readonly FarCard[]
  readonly lines: readonly FarLine[]
} {
  const cards = input.nodes.map((node) => cardOf(node, input))
  const byId = new Map(cards.map((card) => [card.id, card]))
  const lines = input.edges.flatMap((edge): readonly FarLine[] => {
    const [from, to] = [byId.get(edge.source), byId.get(edge.target)]
    return from === undefined || to === undefined ? [] : [{ from, to, isInked: isInked(edge, input) }]
  })
  return { cards: cards.toSorted((left, right) => layer(left) - layer(right)), lines }
}

const layer = ({ what, width }: FarCard): number => (what === 'card' ? 0 : -width)

function isInked(edge: FlowEdge, { runs }: FarInput): boolean {
  if (runs === null || edge.type !== 'flow' || edge.data === undefined) return false
  const run = runs.get(edge.data.from)
  if (run === undefined || runs.get(edge.data.to)?.isSkipped === true) return false
  const ink = inkOf(run, edge.data.fromPort)
  return ink === 'taken' || (ink === 'failed' && edge.data.fromPort === errorPort)
}

function cardOf(node: FlowNode, { runs, found }: FarInput): FarCard {
  const { id, position, width = 0, height = 0 } = node
  const common = {
    id,
    ...position,
    width,
    height,
    isSelected: node.selected === true,
    isFound: found.has(id),
  }
  if (node.type === 'task') {
    const { spec, body } = node.data
    const title = node.data.node.title ?? spec?.title ?? node.data.node.kind
    return { ...common, what: body === null ? 'card' : 'box', title, tone: toneOf(runs?.get(id)) }
  }
  const isCollapsed = node.type === 'frame' && node.data.isCollapsed
  const title = node.type === 'note' ? '' : node.data.title
  const what = noteIdOf(id) !== null ? 'note' : isCollapsed ? 'card' : 'box'
  return { ...common, what, title, tone: null }
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
