/** Where everything of a workflow stands in a picture: as on the canvas, from the document alone. */

import { isContainerKind } from '../containers.ts'
import type { TaskSpec } from '../task-spec.ts'
import type { Point, WorkflowDocument, WorkflowNode } from '../workflow.ts'
import { errorPort, outputPort } from '../workflow.ts'

export interface PictureBox extends Point {
  readonly width: number
  readonly height: number
}

export interface PicturePort {
  readonly id: string
  readonly title: string
  /** From the top of the card. */
  readonly y: number
}

export interface PictureCard extends PictureBox {
  readonly id: string
  readonly node: WorkflowNode
  readonly spec: TaskSpec | undefined
  /** True for a map or loop that is drawn around its body. */
  readonly isContainer: boolean
  /** How many containers are around it. */
  readonly depth: number
  readonly ports: readonly PicturePort[]
  /** Whether an edge leaves by the error port. */
  readonly hasError: boolean
}

export type Specs = ReadonlyMap<string, TaskSpec>

const cardWidth = 240
/** Where the ports of a card's head are. */
export const headMiddle = 32
const headHeight = 64
const portRow = 24
const portsPadding = 8
const bodyPadding = { side: 32, top: 88, bottom: 54 } as const
const emptyBody = { width: 576, height: 224 } as const
/** The error port is below the card. */
export const errorInset = 22

/** The cards, containers first, each after those that are around it. */
export function pictureCards(document: WorkflowDocument, specs: Specs): readonly PictureCard[] {
  const ids = Object.keys(document.nodes)
  const byId = new Map(Object.entries(document.nodes))
  const leaving = new Map<string, Set<string>>()
  for (const { from } of Object.values(document.edges)) {
    const ports = leaving.get(from.node) ?? new Set()
    leaving.set(from.node, ports.add(from.port))
  }
  const children = Map.groupBy(ids, (id) => byId.get(id)?.parent ?? '')
  const boxes = createBoxes({
    document,
    byId,
    children,
    portsOf: (id) => portsOf(byId.get(id), specs, leaving.get(id)),
  })
  const cards = ids.flatMap((id): readonly PictureCard[] => {
    const node = byId.get(id)
    if (node === undefined) return []
    const spec = specs.get(node.kind)
    const used = leaving.get(id)
    return [
      {
        ...boxes(id),
        id,
        node,
        spec,
        isContainer: isContainerKind(node.kind),
        depth: depthOf(byId, id),
        ports: placedPorts(portsOf(node, specs, used)),
        hasError: used?.has(errorPort) === true,
      },
    ]
  })
  return cards.toSorted((a, b) => Number(b.isContainer) - Number(a.isContainer) || a.depth - b.depth)
}

type Port = Pick<PicturePort, 'id' | 'title'>

function portsOf(
  node: WorkflowNode | undefined,
  specs: Specs,
  used: ReadonlySet<string> | undefined,
): readonly Port[] {
  const spec = node === undefined ? undefined : specs.get(node.kind)
  if (spec !== undefined) return spec.outputs(node?.parameters ?? {})
  const ids = [...(used ?? [])].filter((port) => port !== errorPort)
  return (ids.length === 0 ? [outputPort] : ids).map((id) => ({ id, title: id }))
}

function placedPorts(ports: readonly Port[]): readonly PicturePort[] {
  if (ports.length <= 1) return ports.map((port) => ({ ...port, y: headMiddle }))
  return ports.map((port, index) => ({ ...port, y: headHeight + portsPadding / 2 + (index + 0.5) * portRow }))
}

interface Family {
  readonly document: WorkflowDocument
  readonly byId: ReadonlyMap<string, WorkflowNode>
  readonly children: ReadonlyMap<string, readonly string[]>
  readonly portsOf: (id: string) => readonly Port[]
}

/** The box of each node; a container's is around its body, at any depth, made once. */
function createBoxes({ document, byId, children, portsOf: portsAt }: Family): (id: string) => PictureBox {
  const order = new Map(Object.keys(document.nodes).map((id, index) => [id, index]))
  const made = new Map<string, PictureBox>()
  const open = new Set<string>()
  const boxOf = (id: string): PictureBox => {
    const known = made.get(id)
    if (known !== undefined) return known
    const count = portsAt(id).length
    const size = { width: cardWidth, height: headHeight + (count > 1 ? portsPadding + count * portRow : 0) }
    const place = placeOf(document, id, order.get(id) ?? 0)
    let box: PictureBox = { ...place, ...size }
    if (isContainerKind(byId.get(id)?.kind ?? '')) {
      open.add(id)
      // A document from elsewhere may have a circle.
      const inner = (children.get(id) ?? []).filter((child) => !open.has(child)).map(boxOf)
      open.delete(id)
      box =
        inner.length === 0
          ? { ...place, ...emptyBody }
          : inner.reduce((all, one) => union(all, padded(one)), box)
    }
    made.set(id, box)
    return box
  }
  return boxOf
}

/** Nodes without a place queue up in rows below the others, as on the canvas. */
function placeOf(document: WorkflowDocument, id: string, index: number): Point {
  const known = Object.entries(document.layout?.nodes ?? {}).length > 0 ? document.layout?.nodes : undefined
  const place = known !== undefined && Object.hasOwn(known, id) ? known[id] : undefined
  if (isPoint(place)) return { x: place.x, y: place.y }
  return { x: (index % 5) * (cardWidth + 64), y: 400 + Math.floor(index / 5) * 140 }
}

/** What is written in a document may have any form. */
export const isPoint = (value: Partial<Point> | undefined): value is Point =>
  typeof value?.x === 'number' && typeof value.y === 'number'

const padded = ({ x, y, width, height }: PictureBox): PictureBox => ({
  x: x - bodyPadding.side,
  y: y - bodyPadding.top,
  width: width + 2 * bodyPadding.side,
  height: height + bodyPadding.top + bodyPadding.bottom,
})

/** The smallest box around both. */
export function union(left: PictureBox, right: PictureBox): PictureBox {
  const x = Math.min(left.x, right.x)
  const y = Math.min(left.y, right.y)
  return {
    x,
    y,
    width: Math.max(left.x + left.width, right.x + right.width) - x,
    height: Math.max(left.y + left.height, right.y + right.height) - y,
  }
}

function depthOf(byId: ReadonlyMap<string, WorkflowNode>, id: string): number {
  const seen = new Set<string>()
  let parent: string | undefined = byId.get(id)?.parent
  while (parent !== undefined && byId.has(parent) && !seen.has(parent)) {
    seen.add(parent)
    parent = byId.get(parent)?.parent
  }
  return seen.size
}
