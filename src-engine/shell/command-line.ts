/**
 * A command line from its words to its exit code: finds the command, reads its arguments, runs it, and turns errors into
 * words. What is around it (streams, signals, the environment) is given, so that it needs no process of its own.
 */

import type { ErrorRecord } from '../model/errors.ts'
import { recordOfThrown, SagasmithError } from '../model/errors.ts'
import { holdProcess } from '../runtime/system-ports.ts'
import { parseArguments } from './commands/arguments.ts'
import { commandLoaders, isCommandName } from './commands/catalogue.ts'
import type { Command, CommandContext, ExitCode } from './commands/command.ts'
import { exitCodeOf, usageError } from './commands/command.ts'
import { loadSettings, unknownText } from './config.ts'
import type { Environment } from './places.ts'
import type { OutputStream, Terminal } from './terminal.ts'
import { createTerminal } from './terminal.ts'

const oldestNode = 24

/** Where results go: text, or bytes as they are; tells when they are out. */
export interface ResultStream extends OutputStream {
  readonly write: (content: string | Uint8Array, done?: () => void) => unknown
}

/** What is around a command line. */
export interface Surroundings {
  readonly stdout: ResultStream
  readonly stderr: OutputStream
  readonly onInterrupt: CommandContext['onInterrupt']
  /** The process's own when absent. */
  readonly environment?: Environment
}

/** Runs one command line (without program names) and gives its exit code. Never throws. */
export async function runCommandLine(args: readonly string[], around: Surroundings): Promise<ExitCode> {
  const terminal = createTerminal(around.stdout, around.stderr, around.environment)
  const json = args.includes('--json')
  const letGo = holdProcess()
  try {
    requireNode()
    return await dispatch(args, { ...around, terminal })
  } catch (thrown) {
    return report(thrown, { terminal, json: json ? around.stdout : null })
  } finally {
    letGo()
  }
}

interface Stage extends Surroundings {
  readonly terminal: Terminal
}

async function dispatch(args: readonly string[], stage: Stage): Promise<ExitCode> {
  const { terminal } = stage
  const [name, ...rest] = args
  if (name === undefined || name === 'help' || name === '--help' || name === '-h')
    return help(rest[0], terminal)
  if (name === '--version' || name === '-v') return run(await commandLoaders.version(), rest, stage)
  if (!isCommandName(name)) {
    throw usageError(`There is no command “${name}”.`, 'See `sagasmith help` for all commands.')
  }
  return run(await commandLoaders[name](), rest, stage)
}

async function help(name: string | undefined, terminal: Terminal): Promise<ExitCode> {
  const { printCommandHelp, printHelp } = await import('./commands/help.ts')
  if (name !== undefined && isCommandName(name)) printCommandHelp(terminal, await commandLoaders[name]())
  else await printHelp(terminal)
  return 0
}

async function run(command: Command, args: readonly string[], stage: Stage): Promise<ExitCode> {
  const { terminal, stdout, environment, onInterrupt } = stage
  const { values, positionals, sets } = parseArguments(command, args)
  if (values['help'] === true) {
    const { printCommandHelp } = await import('./commands/help.ts')
    printCommandHelp(terminal, command)
    return 0
  }
  const { min, max } = command.positionals
  if (positionals.length < min || positionals.length > max) {
    const what = positionals.length < min ? 'An argument is missing' : 'There are too many arguments'
    throw usageError(`${what}.`, `Usage: sagasmith ${command.usage}`)
  }
  const text = (key: string): string | undefined =>
    typeof values[key] === 'string' ? values[key] : undefined
  const settings = loadSettings({
    flags: {
      data: text('data'),
      port: text('port'),
      log_level: text('log-level'),
      pools: text('pool'),
      max_concurrent_tasks: text('concurrency'),
      labels: text('labels'),
      stop_grace: text('grace'),
      trust: text('trust'),
    },
    sets,
    ...(environment === undefined ? {} : { environment }),
  })
  for (const entry of settings.unknown) terminal.errorLine(unknownText(entry))
  const context: CommandContext = {
    positionals,
    flags: values,
    json: values['json'] === true,
    settings,
    terminal,
    emit: (value) => void stdout.write(`${JSON.stringify(value)}\n`),
    put: (content) => new Promise((done) => void stdout.write(content, done)),
    onInterrupt,
  }
  return command.run(context)
}

function requireNode(): void {
  if (Number.parseInt(process.versions.node, 10) >= oldestNode) return
  throw new SagasmithError('node_too_old', {
    message: `Node ${process.versions.node} is too old: the engine needs Node ${oldestNode} or newer.`,
  })
}

/** An error in words, or as a JSON line; a stack only for bugs of ours. */
function report(
  thrown: unknown,
  to: { readonly terminal: Terminal; readonly json: OutputStream | null },
): ExitCode {
  const error = recordOfThrown(thrown)
  if (to.json === null) printError(to.terminal, error)
  else to.json.write(`${JSON.stringify({ type: 'error', error })}\n`)
  if (error.code === 'internal' && thrown instanceof Error) to.terminal.errorLine(thrown.stack ?? '')
  return exitCodeOf(error)
}

function printError(terminal: Terminal, error: ErrorRecord): void {
  const { red, dim } = terminal.colors
  terminal.errorLine(`${red('error')} ${error.message} ${dim(`[${error.code}]`)}`)
  terminal.errorLine(`${dim('→')} ${error.hint}`)
}
