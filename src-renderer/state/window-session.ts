/** What a window leaves for its next start: each window of the desktop app its own, a browser one for all. */

import { answered } from '../bridge/desktop.ts'
import type { Designer } from './designer.ts'

const key = 'sagasmith.open'

/** What was left; empty for nothing. */
export async function readSession({ desktop, memory, isAside }: Designer): Promise<string> {
  if (isAside) return ''
  return desktop === null ? (memory.read(key) ?? '') : answered(desktop.windowSession())
}

/** Leaves the text. */
export function writeSession({ desktop, memory, isAside }: Designer, text: string): void {
  if (isAside) return
  if (desktop === null) memory.write(key, text)
  else void desktop.setWindowSession(text)
}

/**
 * Says which documents this window has; false when another window of the app has one of them, which then
 * comes to the front with it. A document's key is its path, or its draft's id where it has none.
 */
export async function claimDocuments({ desktop }: Designer, keys: readonly string[]): Promise<boolean> {
  return desktop === null || answered(desktop.claimDocuments(keys))
}
