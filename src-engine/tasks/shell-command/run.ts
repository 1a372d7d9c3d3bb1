/** Runs a program in a process group of its own and hands on what it printed. */

import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { SagasmithError } from '../../model/errors.ts'
import { exitWay } from '../../model/program-fields.ts'
import { throwIfAborted } from '../abort.ts'
import { isCodeIn } from '../code-ranges.ts'
import { plainText } from '../json-text.ts'
import type { TaskContext, TaskRun } from '../task.ts'
import { completed, tellable } from '../task.ts'
import type { TaskPorts } from '../task-ports.ts'
import { fileError } from '../workflow-path.ts'
import type { Command } from './command.ts'
import { commandOf } from './command.ts'
import { matchesOf } from './matches.ts'
import type { OutputReader } from './output-reader.ts'
import { createOutputReader } from './output-reader.ts'
import { printedValue } from './printed.ts'
import { endTree, ownGroup, pauseTree, resumeTree, signalTree } from './process-tree.ts'
import type { ShellCommandParameters } from './spec.ts'
import { takenWays } from './ways.ts'

/** How the program ended: a code of its own, or the signal that ended it. */
interface Ending {
  readonly code: number | null
  readonly signal: string | null
}

/** What an ending means. */
interface Meaning {
  readonly isSuccess: boolean
  readonly isRetryable: boolean
  /** In people's words; null where nobody said any. */
  readonly outcome: string | null
  readonly way: string
}

function meaningOf({ code }: Ending, parameters: ShellCommandParameters): Meaning {
  const { exitMeanings, successCodes, finalCodes } = parameters
  const index = code === null ? -1 : exitMeanings.findIndex(({ codes }) => isCodeIn(codes, code))
  const found = exitMeanings[index]
  if (found === undefined) {
    return {
      isSuccess: code !== null && isCodeIn(successCodes, code),
      isRetryable: code === null || !isCodeIn(finalCodes, code),
      outcome: null,
      way: 'out',
    }
  }
  return {
    isSuccess: found.countsAs === 'success' || found.countsAs === 'way',
    isRetryable: found.countsAs === 'retry',
    outcome: found.name,
    way: found.countsAs === 'way' ? exitWay(index) : 'out',
  }
}

/** The shell command with what it needs from outside. */
export function createShellCommandRun(
  ports: Pick<TaskPorts, 'environment' | 'evaluate'>,
): TaskRun<ShellCommandParameters> {
  return {
    async execute(parameters, context) {
      const command = commandOf(parameters, context, ports.environment)
      await checkFolder(command)
      throwIfAborted(context.signal)
      const { ending, stdout, stderr } = await ranToEnd(command, parameters, context)
      throwIfAborted(context.signal)
      const meaning = meaningOf(ending, parameters)
      const tell = (text: string): string => tellable(context, text)
      if (!meaning.isSuccess) {
        throw exitError({ command, meaning, ending, stdout: tell(stdout), stderr: tell(stderr) })
      }
      const { output, pattern } = parameters
      const printed =
        output === 'matches'
          ? await matchesOf(stdout, pattern, { evaluate: ports.evaluate, context })
          : printedValue(stdout, output, tell)
      const { outcome, way } = meaning
      const named = outcome === null ? {} : { outcome }
      return completed(
        { exitCode: ending.code, ...named, stdout: printed, stderr },
        takenWays(parameters, way),
      )
    },
  }
}

/** A missing folder would otherwise be reported as a missing program. */
async function checkFolder(command: Command): Promise<void> {
  if (command.cwd === undefined) return
  const { cwd } = command
  try {
    const found = await stat(cwd)
    if (!found.isDirectory()) throw Object.assign(new Error('not a folder'), { code: 'ENOTDIR' })
  } catch (thrown) {
    throw fileError(thrown, cwd)
  }
}

async function ranToEnd(command: Command, parameters: ShellCommandParameters, context: TaskContext) {
  const child = started(command)
  let tooLarge = false
  let callOff = () => {}
  const end = () => {
    callOff()
    callOff = endTree(child, context.clock, context.killGraceMs)
  }
  const reader = (stream: 'stdout' | 'stderr', level: 'info' | 'warn') =>
    createOutputReader({
      bytesMax: parameters.maxOutputBytes,
      onLine: (text) => context.log({ level, stream, text }),
      tellable: (text) => tellable(context, text),
      onTooLarge: () => {
        tooLarge = true
        end()
      },
    })
  const stdout = reader('stdout', 'info')
  const stderr = reader('stderr', 'warn')
  context.signal.addEventListener('abort', end, { once: true })
  if (context.signal.aborted) end()
  context.setPausable({ pause: () => pauseTree(child), resume: () => resumeTree(child) })
  try {
    feed(child, plainText(parameters.stdin))
    const ending = await ended(child, { command, stdout, stderr })
    if (tooLarge && !context.signal.aborted) throw printedTooMuch(command, parameters.maxOutputBytes)
    return { ending, stdout: stdout.text(), stderr: stderr.text() }
  } finally {
    context.setPausable(null)
    context.signal.removeEventListener('abort', end)
    callOff()
    // Whatever it left in the background goes with it.
    signalTree(child, 'SIGKILL')
  }
}

function started(command: Command): ChildProcess {
  return spawn(command.file, command.arguments, {
    ...ownGroup,
    ...(command.cwd === undefined ? {} : { cwd: command.cwd }),
    env: command.env,
    stdio: ['pipe', 'pipe', 'pipe'],
    windowsVerbatimArguments: command.verbatim,
  })
}

function feed(child: ChildProcess, text: string): void {
  // A program that doesn't read its input closes it; that is its own decision.
  child.stdin?.on('error', () => {})
  child.stdin?.end(text)
}

interface Readers {
  readonly command: Command
  readonly stdout: OutputReader
  readonly stderr: OutputReader
}

/** Resolves when the program has ended and all it printed was read. */
function ended(child: ChildProcess, readers: Readers): Promise<Ending> {
  child.stdout?.on('data', readers.stdout.push)
  child.stderr?.on('data', readers.stderr.push)
  return new Promise((resolve, reject) => {
    child.once('error', (error) => reject(startError(readers.command, error)))
    child.once('exit', () => {
      // A background process that holds on to the output would keep us waiting for ever.
      signalTree(child, 'SIGTERM')
    })
    child.once('close', (code, signal) => {
      readers.stdout.end()
      readers.stderr.end()
      resolve({ code, signal })
    })
  })
}

function startError(command: Command, error: Error): SagasmithError {
  const reason = 'code' in error ? String(error.code) : error.message
  const words =
    reason === 'ENOENT'
      ? 'was not found'
      : reason === 'EACCES'
        ? 'may not be run'
        : `did not start (${reason})`
  return new SagasmithError('command_not_found', {
    message: `The program “${command.title}” ${words}.`,
    details: { program: command.title, reason },
    cause: error,
  })
}

function printedTooMuch(command: Command, bytesMax: number): SagasmithError {
  return new SagasmithError('task_output_too_large', {
    message: `“${command.title}” printed more than ${bytesMax} bytes and was stopped.`,
    details: { bytesMax },
  })
}

function exitError(failure: {
  readonly command: Command
  readonly meaning: Meaning
  readonly ending: Ending
  readonly stdout: string
  readonly stderr: string
}): SagasmithError {
  const { command, meaning, ending, stdout, stderr } = failure
  const { outcome } = meaning
  const how = ending.code === null ? `was ended by ${ending.signal}` : `ended with exit code ${ending.code}`
  const lastLine = (stderr.trim() === '' ? stdout : stderr).trim().split('\n').at(-1) ?? ''
  const named = outcome === null ? '' : ` (${outcome})`
  const words = lastLine === '' ? '.' : `: ${lastLine.slice(0, 200)}`
  return new SagasmithError('command_exit', {
    message: `“${command.title.slice(0, 100)}” ${how}${named}${words}`,
    details: {
      exitCode: ending.code,
      ...(outcome === null ? {} : { outcome }),
      signal: ending.signal,
      stdout: stdout.slice(-2_000),
      stderr: stderr.slice(-2_000),
    },
    retryable: meaning.isRetryable,
  })
}
