/** Fields that a command opens for writing. */

import type { Designer } from '../../state/designer.ts'

/**
 * Gives a field the keyboard once the page draws it, before the next key: what is typed right after the one that opened
 * it is meant for the field, and a busy page's next frame is late.
 */
export function enterField(designer: Designer, selector: string): void {
  const enter = (): void => {
    const field = globalThis.document.querySelector<HTMLInputElement>(selector)
    if (field === null || globalThis.document.activeElement === field) return
    field.focus()
    field.select()
  }
  // React draws what a key changed in a microtask that was there before this one.
  queueMicrotask(enter)
  // Menus and dialogs give the keyboard back when they close, and panels may take a frame.
  designer.ambient.onFrame(enter)
}
