/** The keyboard's way from the canvas into the inspector, and back. */

/** Where one begins: what can be written or chosen, else the tab that is shown, else whatever there is. */
const beginnings = [
  // Below what a run gave stand only the mocks of other runs.
  '[role="tabpanel"]:not([data-testid="inspector-run"]) :is(input, select, textarea, [data-writes="text"]):not(:disabled, [readonly])',
  '[role="tab"][aria-selected="true"]',
  ':is(input, select, textarea, [role="textbox"], button):not(:disabled)',
] as const

/** Gives the keyboard to where work in the inspector begins. */
export function enterInspector(inspector: ParentNode | null): void {
  const found = beginnings.map((selector) => inspector?.querySelector<HTMLElement>(selector) ?? null)
  found.find((element) => element !== null)?.focus()
}

/** What of a press in the inspector tells whether it leads back to the canvas. */
export interface PressInInspector {
  readonly key: string
  readonly isTaken: boolean
  readonly isComposing: boolean
  readonly target: EventTarget
}

/** Escape does, unless somebody before has a use for it: a dialog, an editor in which it frees Tab, a search. */
export function leavesInspector({ key, isTaken, isComposing, target }: PressInInspector): boolean {
  if (key !== 'Escape' || isTaken || isComposing || !(target instanceof Element)) return false
  if (target instanceof HTMLInputElement && target.type === 'search' && target.value !== '') return false
  return target.closest('dialog, [role="menu"], [data-frees-tab]') === null
}
