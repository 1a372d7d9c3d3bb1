#!/usr/bin/env node
/** The command line: finds the command, reads its arguments, runs it, and turns errors into words. */

import type { ErrorRecord } from '../model/errors.ts'
import { recordOfThrown, SagasmithError } from '../model/errors.ts'
import { holdProcess } from '../runtime/system-ports.ts'
import { parseArguments } from './commands/arguments.ts'
import { commandLoaders, isCommandName } from './commands/catalogue.ts'
import type { Command, CommandContext, ExitCode } from './commands/command.ts'
import { exitCodeOf, usageError } from './commands/command.ts'
import { loadSettings, unknownText } from './config.ts'
import type { Terminal } from './terminal.ts'
import { createTerminal } from './terminal.ts'

const oldestNode = 24

/** Runs one command line (without program names) and gives its exit code. Never throws. */
async function main(args: readonly string[]): Promise<ExitCode> {
  const terminal = createTerminal(process.stdout, process.stderr)
  const json = args.includes('--json')
  const letGo = holdProcess()
  try {
    requireNode()
    return await dispatch(args, terminal)
  } catch (thrown) {
    return report(thrown, { terminal, json })
  } finally {
    letGo()
  }
}

async function dispatch(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const [name, ...rest] = args
  if (name === undefined || name === 'help' || name === '--help' || name === '-h')
    return help(rest[0], terminal)
  if (name === '--version' || name === '-v') return run(await commandLoaders.version(), rest, terminal)
  if (!isCommandName(name)) {
    throw usageError(`There is no command “${name}”.`, 'See `sagasmith help` for all commands.')
  }
  return run(await commandLoaders[name](), rest, terminal)
}

async function help(name: string | undefined, terminal: Terminal): Promise<ExitCode> {
  const { printCommandHelp, printHelp } = await import('./commands/help.ts')
  if (name !== undefined && isCommandName(name)) printCommandHelp(terminal, await commandLoaders[name]())
  else await printHelp(terminal)
  return 0
}

async function run(command: Command, args: readonly string[], terminal: Terminal): Promise<ExitCode> {
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
  })
  for (const entry of settings.unknown) terminal.errorLine(unknownText(entry))
  const context: CommandContext = {
    positionals,
    flags: values,
    json: values['json'] === true,
    settings,
    terminal,
    emit: (value) => void process.stdout.write(`${JSON.stringify(value)}\n`),
    onInterrupt,
  }
  return command.run(context)
}

function onInterrupt(call: (signal: 'SIGINT' | 'SIGTERM') => void): () => void {
  const fromTerminal = (): void => call('SIGINT')
  const fromSystem = (): void => call('SIGTERM')
  process.on('SIGINT', fromTerminal)
  process.on('SIGTERM', fromSystem)
  return () => {
    process.off('SIGINT', fromTerminal)
    process.off('SIGTERM', fromSystem)
  }
}

function requireNode(): void {
  if (Number.parseInt(process.versions.node, 10) >= oldestNode) return
  throw new SagasmithError('node_too_old', {
    message: `Node ${process.versions.node} is too old: the engine needs Node ${oldestNode} or newer.`,
  })
}

/** An error in words, or as a JSON line; a stack only for bugs of ours. */
function report(thrown: unknown, to: { readonly terminal: Terminal; readonly json: boolean }): ExitCode {
  const error = recordOfThrown(thrown)
  if (to.json) process.stdout.write(`${JSON.stringify({ type: 'error', error })}\n`)
  else printError(to.terminal, error)
  if (error.code === 'internal' && thrown instanceof Error) to.terminal.errorLine(thrown.stack ?? '')
  return exitCodeOf(error)
}

function printError(terminal: Terminal, error: ErrorRecord): void {
  const { red, dim } = terminal.colors
  terminal.errorLine(`${red('error')} ${error.message} ${dim(`[${error.code}]`)}`)
  terminal.errorLine(`${dim('→')} ${error.hint}`)
}

// A reader that went away (`| head`) ends the command like any other program.
process.stdout.on('error', () => process.exit(1))

process.exitCode = await main(process.argv.slice(2))
