/** The tree as the layout engine takes it. Pure. */

import type { ElkNode } from 'elkjs/lib/elk-api.js'
import { stateHeight } from '../geometry.ts'
import type { LayoutItem, LayoutTree } from './layout-tree.ts'

/** Between layers there is room for an edge to bend, and for its label. */
const layerGap = 72
const rowGap = 32
/** Up to so many cards are placed so that edges are as straight as can be: it takes long for more. */
const straightMax = 150

/** The graph with the options of its layout. What was put somewhere by hand keeps its order in its layer. */
export function toElk({ items, edges }: LayoutTree): ElkNode {
  return {
    id: '$root',
    children: items.map(nodeOf),
    edges: edges.map(({ id, from, to }) => ({
      id,
      sources: [portId(from.item, from.port)],
      targets: [portId(to.item, to.port)],
    })),
    layoutOptions: {
      'elk.algorithm': 'layered',
      'elk.direction': 'RIGHT',
      'elk.hierarchyHandling': 'INCLUDE_CHILDREN',
      'elk.edgeRouting': 'POLYLINE',
      'elk.spacing.nodeNode': String(rowGap),
      'elk.spacing.edgeNode': String(rowGap / 2),
      'elk.spacing.componentComponent': String(layerGap),
      'elk.layered.spacing.nodeNodeBetweenLayers': String(layerGap),
      'elk.layered.spacing.edgeNodeBetweenLayers': String(rowGap / 2),
      'elk.layered.considerModelOrder.strategy': 'PREFER_EDGES',
      'elk.layered.crossingMinimization.semiInteractive': 'true',
      'elk.layered.nodePlacement.strategy':
        countOf(items) > straightMax ? 'BRANDES_KOEPF' : 'NETWORK_SIMPLEX',
    },
  }
}

const countOf = (items: readonly LayoutItem[]): number =>
  items.reduce((sum, { inside }) => sum + 1 + countOf(inside ?? []), 0)

const portId = (item: string, port: string): string => `${item} ${port}`

function nodeOf({ id, box, isHeld, ports, inside, padding }: LayoutItem): ElkNode {
  const held = isHeld ? { 'elk.position': `(${box.x},${box.y})` } : {}
  const elkPorts = ports.map((port, index) => ({
    id: portId(id, port.id),
    x: port.x,
    // The room for the state of a card counts as a part of it.
    y: port.side === 'SOUTH' ? port.y + stateHeight : port.y,
    layoutOptions: { 'elk.port.side': port.side, 'elk.port.index': String(indexOf(port.side, index)) },
  }))
  if (inside === null) {
    return {
      id,
      width: box.width,
      height: box.height + stateHeight,
      ports: elkPorts,
      layoutOptions: { 'elk.portConstraints': 'FIXED_POS', ...held },
    }
  }
  const { side, top, bottom } = padding
  return {
    id,
    ports: elkPorts,
    children: inside.map(nodeOf),
    layoutOptions: {
      // How large it becomes is not known yet: of its ports only the order is.
      'elk.portConstraints': 'FIXED_ORDER',
      'elk.padding': `[top=${top},left=${side},bottom=${bottom},right=${side}]`,
      ...held,
    },
  }
}

/** Clockwise from the upper left, as the engine counts; what leaves below goes from right to left. */
const indexOf = (side: 'WEST' | 'EAST' | 'SOUTH', index: number): number =>
  side === 'SOUTH' ? 10_000 - index : side === 'WEST' ? 20_000 : index
