/** The keys that commands have now, followed. */

import type { AppCommand } from '../commands/app/app-command.ts'
import { chordsOf } from '../commands/key-map.ts'
import { chordWords } from '../commands/keys.ts'
import { useView } from '../state/context.ts'
import { isMac } from './platform.ts'

/** The first chord of a command in words; undefined for a command without keys. */
export function useKeyWords(command: Pick<AppCommand, 'id' | 'keys'>): string | undefined {
  const chord = useView((state) => chordsOf(state.keyMap, command)[0])
  return chord === undefined ? undefined : chordWords(chord, isMac)
}
