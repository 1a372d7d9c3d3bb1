/** The help: of the program, or of one command. */

import type { Terminal } from '../terminal.ts'
import { tableText } from '../terminal.ts'
import { commandLoaders } from './catalogue.ts'
import type { Command } from './command.ts'

const commonOptions: readonly (readonly [string, string])[] = [
  ['--data DIR', 'data directory (default: SAGASMITH_DATA, else the system’s place for data)'],
  ['--cluster NAME|ADDRESS', 'ask the cluster of this name or address instead of the data directory'],
  ['--set NAME=VALUE', 'a setting for this call, any number of times (see sagasmith config show)'],
  ['--json', 'one JSON object per line instead of words for people'],
  ['--help', 'this text'],
]

/** Prints what the program can do. */
export async function printHelp(terminal: Terminal): Promise<void> {
  const { bold, dim } = terminal.colors
  const commands = await Promise.all(Object.values(commandLoaders).map((load) => load()))
  terminal.line(`${bold('Sagasmith')} runs workflows that survive anything.\n`)
  terminal.line(bold('Commands'))
  for (const { usage, summary } of commands) terminal.line(`  sagasmith ${usage}\n      ${dim(summary)}`)
  terminal.line(`\n${bold('Options of every command')}`)
  for (const line of tableText(commonOptions.map(([flag, text]) => [`  ${flag}`, text]))) terminal.line(line)
  terminal.line(`\n${bold('Exit codes')}`)
  terminal.line('  0  done; a run SUCCEEDED')
  terminal.line('  1  it ended otherwise')
  terminal.line('  2  bad usage, or an invalid file')
  terminal.line(dim('\nMore about one command: sagasmith COMMAND --help'))
}

/** Prints how one command is used. */
export function printCommandHelp(terminal: Terminal, command: Command): void {
  const { bold } = terminal.colors
  const forms = command.forms ?? [`sagasmith ${command.usage}`]
  for (const form of forms) terminal.line(bold(form))
  terminal.line(`\n${command.summary}\n`)
  const rows = [...command.optionHelp, ...commonOptions].map(([flag, text]) => [`  ${flag}`, text])
  for (const line of tableText(rows)) terminal.line(line)
}
