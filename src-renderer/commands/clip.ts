/** Copy and paste as JSON text: what is on the clipboard can be mailed, kept in a file and read. */

import { z } from 'zod'
import type { NodeId } from '../../src-engine/model/ids.ts'
import { nodeId } from '../../src-engine/model/ids.ts'
import type { Point, WorkflowDocument, WorkflowEdge, WorkflowNode } from '../../src-engine/model/workflow.ts'
import { insideOf } from '../rules/bodies.ts'
import { placeNode, putEdge, putNode } from './draft-parts.ts'
import type { Edit } from './edit.ts'
import { singleEdit } from './edit.ts'
import { freeNodeId } from './new-ids.ts'

/** What a clip says about itself, so that other text on the clipboard is left alone. */
export const clipFormat = 'sagasmith.clip'

export interface Clip {
  readonly format: typeof clipFormat
  readonly version: 1
  readonly nodes: Readonly<Record<string, WorkflowNode>>
  /** Only edges between the nodes of the clip. */
  readonly edges: readonly WorkflowEdge[]
  readonly positions: Readonly<Record<string, Point>>
}

const end = z.object({ node: z.string(), port: z.string() })
const clipSchema = z.object({
  format: z.literal(clipFormat),
  version: z.literal(1),
  nodes: z.record(z.string(), z.looseObject({ kind: z.string() })),
  edges: z.array(z.looseObject({ from: end, to: end })),
  positions: z.record(z.string(), z.object({ x: z.number(), y: z.number() })),
})

/** The chosen nodes with the edges between them; null when there is nothing to copy. */
export function makeClip(document: WorkflowDocument, ids: readonly NodeId[]): Clip | null {
  const known = ids.filter((id) => document.nodes[id] !== undefined)
  // A map or loop comes with its body.
  const chosen = new Set<string>(known.flatMap((id) => [id, ...insideOf(document, id)]))
  if (chosen.size === 0) return null
  const entries = Object.entries(document.nodes).filter(([id]) => chosen.has(id))
  const edges = Object.values(document.edges).filter(
    ({ from, to }) => chosen.has(from.node) && chosen.has(to.node),
  )
  const positions = [...chosen].map((id) => [id, document.layout?.nodes?.[id] ?? { x: 0, y: 0 }])
  return {
    format: clipFormat,
    version: 1,
    nodes: Object.fromEntries(entries),
    edges,
    positions: Object.fromEntries(positions),
  }
}

/** The clip as text for the clipboard. */
export function clipToText(clip: Clip): string {
  return JSON.stringify(clip, null, 2)
}

/** The clip in a text; null when the text is something else. */
export function textToClip(text: string): Clip | null {
  if (!text.includes(clipFormat)) return null
  try {
    const parsed = clipSchema.safeParse(JSON.parse(text))
    // The schema keeps unknown fields, and node contents are validated with the document.
    return parsed.success ? (parsed.data as unknown as Clip) : null
  } catch {
    // Text that merely mentions the format is not ours to paste.
    return null
  }
}

/** Whether a text is a whole workflow, or was to be one: JSON, or code that defines it. */
export const isMeantAsWorkflow = (text: string): boolean =>
  /^\ufeff?\s*[[{]/.test(text) || /\bdefineWorkflow\s*\(/.test(text)

export interface PastePlan {
  readonly edit: Edit
  /** The ids of the pasted nodes, to be selected. */
  readonly ids: readonly NodeId[]
}

/** Pastes a clip so that its top left corner comes to `at`; ids already taken are replaced. */
export function paste(document: WorkflowDocument, clip: Clip, at: Point): PastePlan {
  const taken = new Set(Object.keys(document.nodes))
  const idByOld = new Map<string, NodeId>()
  for (const [old, node] of Object.entries(clip.nodes)) {
    const id = taken.has(old) ? freeNodeId(node.kind, taken) : nodeId(old)
    taken.add(id)
    idByOld.set(old, id)
  }
  const corner = cornerOf(clip)
  const ids = [...idByOld.values()]
  const edit = singleEdit(ids.length === 1 ? 'Paste node' : `Paste ${ids.length} nodes`, (draft) => {
    for (const [old, id] of idByOld) {
      const node = clip.nodes[old]
      const place = clip.positions[old] ?? corner
      if (node === undefined) continue
      putNode(draft, id, inBody(structuredClone(node), { idByOld, document }))
      placeNode(draft, id, { x: at.x + place.x - corner.x, y: at.y + place.y - corner.y })
    }
    for (const edge of clip.edges) {
      const from = idByOld.get(edge.from.node)
      const to = idByOld.get(edge.to.node)
      if (from === undefined || to === undefined) continue
      putEdge(draft, { ...edge, from: { ...edge.from, node: from }, to: { ...edge.to, node: to } })
    }
  })
  return { edit, ids }
}

/** The copy belongs to the copied body; alone, it stays beside the node that it was copied from. */
function inBody(
  node: WorkflowNode,
  known: { readonly idByOld: ReadonlyMap<string, NodeId>; readonly document: WorkflowDocument },
): WorkflowNode {
  const { parent: old, ...rest } = node
  if (old === undefined) return node
  const parent = known.idByOld.get(old) ?? (known.document.nodes[old] === undefined ? null : old)
  return parent === null ? rest : { ...rest, parent }
}

/** The top left corner of the clip's nodes. */
export function cornerOf(clip: Clip): Point {
  const places = Object.values(clip.positions)
  if (places.length === 0) return { x: 0, y: 0 }
  return { x: Math.min(...places.map(({ x }) => x)), y: Math.min(...places.map(({ y }) => y)) }
}
