/**
 * One list of everything a person can tell the app to do. Buttons, keys, the native menu, the command
 * palette and the cheat sheet are all made from it.
 */

import type { Designer } from '../state/designer.ts'
import { arrangeCommands } from './app/arrange-commands.ts'
import { bodyCommands } from './app/body-commands.ts'
import { canvasCommands } from './app/canvas-commands.ts'
import { debugCommands } from './app/debug-commands.ts'
import { editCommands } from './app/edit-commands.ts'
import { extractCommands } from './app/extract-commands.ts'
import { fileCommands } from './app/file-commands.ts'
import { frameCommands } from './app/frame-commands.ts'
import { runCommands } from './app/run-commands.ts'
import { sagaCommands } from './app/saga-commands.ts'
import { selectCommands } from './app/select-commands.ts'
import { tabCommands } from './app/tab-commands.ts'
import { triggerCommands } from './app/trigger-commands.ts'
import { viewCommands } from './app/view-commands.ts'

export type { AppCommand } from './app/app-command.ts'

import type { AppCommand } from './app/app-command.ts'

export const appCommands: readonly AppCommand[] = [
  ...fileCommands,
  ...tabCommands,
  ...editCommands,
  ...bodyCommands,
  ...sagaCommands,
  ...frameCommands,
  ...extractCommands,
  ...selectCommands,
  ...arrangeCommands,
  ...runCommands,
  ...debugCommands,
  ...canvasCommands,
  ...triggerCommands,
  ...viewCommands,
]

const commandById = new Map(appCommands.map((command) => [command.id, command]))

/** The command of that id; throws for an id nobody registered, which is a bug. */
export function commandOf(id: string): AppCommand {
  const command = commandById.get(id)
  if (command === undefined) throw new Error(`No command has the id ${id}.`)
  return command
}

/** Runs a command if it may run now; false for an unknown id or one that may not. */
export function runCommand(designer: Designer, id: string): boolean {
  const command = commandById.get(id)
  if (command === undefined || !command.isEnabled(designer)) return false
  command.run(designer)
  return true
}
