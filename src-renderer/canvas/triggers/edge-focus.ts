/** Where the keyboard is among the cards at the canvas' edge. */

import type { Designer } from '../../state/designer.ts'

const edgeSelector = '[data-testid="trigger-edge"]'
const stopSelector = `${edgeSelector} [data-stop]`

/** Whether an element belongs to the cards at the edge. */
export const isAtEdge = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest(edgeSelector) !== null

/** Gives the keyboard to the card of a trigger; nothing happens while it has none. */
export function focusTrigger(id: string): void {
  document.querySelector<HTMLElement>(`${edgeSelector} [data-stop="${CSS.escape(id)}"]`)?.focus()
}

/** Gives the keyboard to the first card, and selects it; or to the way to add one. */
export function enterEdge({ view }: Pick<Designer, 'view'>): void {
  const first = document.querySelector<HTMLElement>(stopSelector)
  if (first === null) return
  first.focus()
  const id = first.dataset['stop'] ?? ''
  view.getState().select(id === '' ? {} : { triggers: [id] })
}

/** Goes on among the cards; gives the trigger that has the keyboard then, null for the way to add one. */
export function walkEdge(from: EventTarget | null, by: 1 | -1): string | null {
  const stops = [...document.querySelectorAll<HTMLElement>(stopSelector)]
  const card = from instanceof Element ? from.closest('[data-trigger]') : null
  const at = stops.findIndex((stop) => stop === from || (card !== null && card.contains(stop)))
  const next = stops[at + by] ?? stops[at]
  next?.focus()
  const id = next?.dataset['stop'] ?? ''
  return id === '' ? null : id
}
