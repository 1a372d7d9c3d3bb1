/** What a command of the app is. */

import { keysOf } from '../../../src-engine/protocol/command-keys.ts'
import type { Designer } from '../../state/designer.ts'

export type CommandGroup = 'File' | 'Edit' | 'Select' | 'Arrange' | 'Run' | 'Canvas' | 'View'

export interface AppCommand {
  /** Stable; the native menu speaks it. */
  readonly id: string
  readonly title: string
  readonly group: CommandGroup
  /** Chords such as `Mod+Shift+Z`; `Mod` is Ctrl, on a Mac Cmd. The first is shown. */
  readonly keys: readonly string[]
  /** `canvas`: its keys count only while the canvas has the keyboard. */
  readonly scope: 'global' | 'canvas'
  readonly isEnabled: (designer: Designer) => boolean
  readonly run: (designer: Designer) => void
}

type Parts = Pick<AppCommand, 'id' | 'title' | 'run'> & Partial<Pick<AppCommand, 'scope' | 'isEnabled'>>

/** Makes commands of one group; enabled always and global unless they say otherwise. */
export function commandsOf(group: CommandGroup, list: readonly Parts[]): readonly AppCommand[] {
  return list.map((parts) => ({
    group,
    keys: keysOf(parts.id),
    scope: 'global',
    isEnabled: () => true,
    ...parts,
  }))
}
