/** Which command a key press means, given where the keyboard is. Pure. */

import type { AppCommand } from './app/app-command.ts'
import type { KeyPress } from './keys.ts'
import { matches } from './keys.ts'

export interface KeyPlace {
  /** Whether a text is being written. */
  readonly isWriting: boolean
  /** Whether the canvas, or nothing in particular, has the keyboard. */
  readonly isCanvas: boolean
  readonly isMac: boolean
}

/** The command for a press; null when the key is somebody else's. */
export function commandForKey(
  commands: readonly AppCommand[],
  press: KeyPress,
  place: KeyPlace,
): AppCommand | null {
  const isPlain = !press.ctrlKey && !press.metaKey && !/^(F\d+|Page(Up|Down))$/.test(press.key)
  // While writing, letters are letters; what the field does with Ctrl+A, C, X, V stays the field's.
  if (place.isWriting && isPlain) return null
  // A letter that a person gave to a command is a key of the canvas only, wherever else the command works.
  if (isPlain && !press.altKey && !place.isCanvas && /^[a-z0-9]$/i.test(press.key)) return null
  return (
    commands.find((command) => {
      if (command.scope === 'canvas' && !place.isCanvas) return false
      return command.keys.some((chord) => matches(chord, press, place.isMac))
    }) ?? null
  )
}
