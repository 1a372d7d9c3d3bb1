/** The one text that a server of SSH takes for a command: its shell reads it, so every value in it is quoted. */

import type { SshCommandParameters } from './spec.ts'

type Command = Pick<SshCommandParameters, 'useShell' | 'program' | 'commandLine' | 'arguments' | 'cwd'>

/** Between single quotes a shell takes every character for itself, but for the quote. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** A program with its arguments; of a command line these are the positional parameters. */
export function commandLineOf(command: Command): string {
  const { useShell, program, commandLine, cwd } = command
  const values = command.arguments.map(String)
  const words = useShell ? ['sh', '-c', commandLine, 'sh', ...values] : [program, ...values]
  // Without a word of its own before it, a quoted name can't be taken for a keyword or an alias.
  const line = `exec ${words.map(quoted).join(' ')}`
  return cwd === '' ? line : `cd -- ${quoted(cwd)} && ${line}`
}
