/** The keys of a list of runs that can be marked. */

import type { KeyboardEvent } from 'react'

/** Arrows go from run to run, the usual chord marks all; Space is the row's own. */
export function onListKey(event: KeyboardEvent<HTMLElement>, markAll: () => void): void {
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-run]')]
  const at = rows.findIndex((row) => row === document.activeElement)
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
  if (step !== 0) rows[Math.max(0, Math.min(at + step, rows.length - 1))]?.focus()
  else if (event.key === 'a' && (event.ctrlKey || event.metaKey)) markAll()
  else return
  event.preventDefault()
}
