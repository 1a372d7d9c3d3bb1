/** Which edge lies under the pointer: for dropping a node on it. */

import type { Point } from '../../src-engine/model/workflow.ts'

const markClass = 'splice-target'

/** The id of the edge at that place of the window, below whatever card covers it. */
export function edgeUnder(at: Point): string | null {
  for (const element of document.elementsFromPoint(at.x, at.y)) {
    const edge = element.closest<SVGElement>('.react-flow__edge')
    if (edge !== null) return edge.dataset['id'] ?? null
  }
  return null
}

/** Marks the edge that a drop would go into; null clears the mark. */
export function markSplice(id: string | null): void {
  for (const marked of document.querySelectorAll(`.${markClass}`)) {
    if (!(marked instanceof SVGElement) || marked.dataset['id'] !== id) marked.classList.remove(markClass)
  }
  if (id === null) return
  document.querySelector(`.react-flow__edge[data-id="${CSS.escape(id)}"]`)?.classList.add(markClass)
}
