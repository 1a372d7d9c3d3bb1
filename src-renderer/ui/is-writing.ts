/** Whether the keyboard is in a text. */

/** True for fields that take text, editors inside shadow roots included. */
export function isWriting(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target.isContentEditable || target.dataset['writes'] === 'text') return true
  if (target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) return true
  return target instanceof HTMLInputElement && !['checkbox', 'radio', 'button', 'range'].includes(target.type)
}

/** The canvas has the keyboard, or what works like it, or nothing in particular has. */
export function isOnCanvas(): boolean {
  const isLike = document.activeElement?.closest('[data-keys="canvas"]') instanceof Element
  return isOnDrawing() || isLike
}

/** The drawing itself has the keyboard, or nothing in particular has. */
export function isOnDrawing(): boolean {
  const active = document.activeElement
  return active === null || active === document.body || active.closest('[data-testid="canvas"]') !== null
}
