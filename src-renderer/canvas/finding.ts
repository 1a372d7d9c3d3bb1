/** Finding on the canvas, step by step: the hit that is looked at is selected and in view. */

import { edgeId, nodeId } from '../../src-engine/model/ids.ts'
import type { Designer } from '../state/designer.ts'
import { shownDocument } from '../state/selectors.ts'
import type { Finding, Selection } from '../state/view-store.ts'
import { findOnCanvas } from './find-on-canvas.ts'
import { noteFlowId } from './flow-ids.ts'

/** Looks for a text; the first hit is looked at. */
export function findText(designer: Designer, query: string): void {
  const hits = findOnCanvas(shownDocument(designer), query, designer.specs)
  const nodes = new Set(hits.flatMap(({ kind, id }) => (kind === 'nodes' ? [id] : [])))
  const finding = { query, hits, nodes, index: 0 }
  designer.view.getState().setFinding(finding)
  look(designer, finding)
}

/** Goes on to the next hit, or back; around at the ends. */
export function stepFinding(designer: Designer, by: 1 | -1): void {
  const { finding, setFinding } = designer.view.getState()
  if (finding === null || finding.hits.length === 0) return
  const next = { ...finding, index: (finding.index + by + finding.hits.length) % finding.hits.length }
  setFinding(next)
  look(designer, next)
}

/** Ends it; the keyboard goes to what was looked at last. */
export function endFinding(designer: Designer): void {
  const { finding, setFinding } = designer.view.getState()
  const hit = finding?.hits[finding.index]
  setFinding(null)
  if (hit?.kind === 'nodes') designer.canvas.current?.focusNode(hit.id)
  else designer.canvas.current?.focus()
}

function look(designer: Designer, { hits, index }: Finding): void {
  const hit = hits[index]
  const { select, announce } = designer.view.getState()
  if (hit === undefined) return
  select(selectionOf(hit))
  const { edges } = shownDocument(designer)
  const place =
    hit.kind === 'edges'
      ? (edges[edgeId(hit.id)]?.from.node ?? '')
      : hit.kind === 'notes'
        ? noteFlowId(hit.id)
        : hit.id
  designer.canvas.current?.reveal(place)
  announce(`${index + 1} of ${hits.length}`)
}

function selectionOf({ kind, id }: Finding['hits'][number]): Partial<Selection> {
  if (kind === 'nodes') return { nodes: [nodeId(id)] }
  return kind === 'edges' ? { edges: [edgeId(id)] } : { [kind]: [id] }
}
