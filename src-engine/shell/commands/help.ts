/** The help: of the program, or of one command. */

import type { Terminal } from '../terminal.ts'
import { tableText } from '../terminal.ts'
import type { CommandName } from './catalogue.ts'
import { commandLoaders } from './catalogue.ts'
import type { Command } from './command.ts'

const commonOptions: readonly (readonly [string, string])[] = [
  ['--data DIR', 'data directory (default: SAGASMITH_DATA, else the system’s place for data)'],
  ['--cluster NAME|ADDRESS', 'ask the cluster of this name or address instead of the data directory'],
  ['--set NAME=VALUE', 'a setting for this call, any number of times (see sagasmith config show)'],
  ['--json', 'one JSON object per line instead of words for people'],
  ['--help', 'this text'],
]

/** What a person has in mind, and the commands for it; each command stands in one of them. */
export const commandGroups: readonly (readonly [string, readonly CommandName[]])[] = [
  ['Draw and run', ['run', 'validate', 'test', 'rehearse', 'serve', 'export', 'import', 'tasks', 'status']],
  ['Look at runs and steer them', ['runs', 'logs', 'signal', 'event', 'teleport']],
  ['What waits for a person', ['approvals', 'dlq', 'quarantine', 'audit']],
  ['What starts by itself', ['publish', 'triggers', 'webhooks']],
  ['Runners and clusters', ['runner', 'push', 'clusters', 'pools', 'tenants', 'circuits']],
  ['Safety and secrets', ['policy', 'output-policy', 'secrets', 'seal', 'trust']],
  ['This installation', ['config', 'doctor', 'prune', 'version']],
]

/** Prints what the program can do: a line for each command, whose own help has the rest. */
export async function printHelp(terminal: Terminal): Promise<void> {
  const { bold, dim } = terminal.colors
  terminal.line(`${bold('Sagasmith')} runs workflows that survive anything.\n`)
  terminal.line('sagasmith COMMAND …   More about one: sagasmith COMMAND --help')
  const width = Math.max(...Object.keys(commandLoaders).map((name) => name.length))
  for (const [title, names] of commandGroups) {
    terminal.line(`\n${bold(title)}`)
    for (const name of names) {
      const { summary } = await commandLoaders[name]()
      terminal.line(`  ${name.padEnd(width)}  ${dim(summary)}`)
    }
  }
  terminal.line(`\n${bold('Options of every command')}`)
  for (const line of tableText(commonOptions.map(([flag, text]) => [`  ${flag}`, text]))) terminal.line(line)
  terminal.line(`\n${bold('Exit codes')}`)
  terminal.line('  0  done; a run SUCCEEDED')
  terminal.line('  1  it ended otherwise')
  terminal.line('  2  bad usage, or an invalid file')
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
