/** Room for a node in the middle of an edge: what comes after it moves on to the right. */

import type { NodeId } from '../../src-engine/model/ids.ts'
import { cardWidth } from '../canvas/geometry.ts'
import { asIs, placeNode } from './draft-parts.ts'
import type { DocumentDraft } from './edit.ts'

/** Between two cards; an edge and its plus are seen in it. */
const gap = 48

/** Moves a node, and all that follows it, so that neither it nor its next one is covered. */
export function makeRoom(
  draft: DocumentDraft,
  between: { readonly from: NodeId; readonly id: NodeId; readonly to: NodeId },
): void {
  const places = draft.layout?.nodes ?? {}
  const [before, own, after] = [places[between.from], places[between.id], places[between.to]]
  if (before === undefined || own === undefined || after === undefined) return
  // Wires that run backwards or straight down need no room to the side.
  if (after.x < before.x + cardWidth) return
  placeNode(draft, between.id, { x: Math.max(own.x, before.x + cardWidth + gap), y: own.y })
  const shift = (draft.layout?.nodes?.[between.id]?.x ?? own.x) + cardWidth + gap - after.x
  if (shift <= 0) return
  for (const id of following(draft, between.to)) {
    const place = draft.layout?.nodes?.[id]
    if (place !== undefined) placeNode(draft, id, { x: place.x + shift, y: place.y })
  }
}

/** A node and everything that its edges lead to. */
function following(draft: DocumentDraft, first: NodeId): ReadonlySet<NodeId> {
  const found = new Set([first])
  const next = Map.groupBy(Object.values(asIs(draft.edges)), ({ from }) => from.node)
  // A set gives what is added while it is walked.
  for (const id of found) for (const { to } of next.get(id) ?? []) found.add(to.node)
  return found
}
