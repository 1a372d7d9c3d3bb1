/** What a window leaves for its next start: each window of the desktop app its own, a browser one for all. */

import { answered } from '../bridge/desktop.ts'
import type { Designer } from './designer.ts'

const key = 'sagasmith.open'

/** What was left; empty for nothing. */
export async function readSession({ desktop, memory }: Designer): Promise<string> {
  return desktop === null ? (memory.read(key) ?? '') : answered(desktop.windowSession())
}

/** Leaves the text. */
export function writeSession({ desktop, memory }: Designer, text: string): void {
  if (desktop === null) memory.write(key, text)
  else void desktop.setWindowSession(text)
}

/**
 * Takes a document for this window; false when another window of the app has it, which then comes to the
 * front. `key` is its path, or its draft's id where it has none; null gives back what this one had.
 */
export async function claimDocument({ desktop }: Designer, documentKey: string | null): Promise<boolean> {
  return desktop === null || answered(desktop.claimDocument(documentKey))
}
