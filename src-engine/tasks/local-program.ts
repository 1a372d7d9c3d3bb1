/** Runs a program of this machine in a process group of its own, and reads what it prints. */

import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import type { LogLine } from '../model/attempt.ts'
import { SagasmithError } from '../model/errors.ts'
import type { ProcessGroupLimit } from './process-count.ts'
import { limitProcesses } from './process-count.ts'
import type { Ending } from './program-end.ts'
import type { ProgramLimits } from './program-limits.ts'
import { limitedCommand } from './program-limits.ts'
import type { ProgramUser } from './program-user.ts'
import { programUser, userVariables } from './program-user.ts'
import type { OutputReader } from './shell-command/output-reader.ts'
import { createOutputReader } from './shell-command/output-reader.ts'
import { endTree, ownGroup, pauseTree, resumeTree, signalTree } from './shell-command/process-tree.ts'
import type { TaskContext } from './task.ts'
import { tellable } from './task.ts'

export interface LocalProgram {
  /** As people would call it. */
  readonly title: string
  readonly file: string
  readonly arguments: readonly string[]
  readonly cwd: string | undefined
  readonly env: Readonly<Record<string, string>>
  /** On Windows: the arguments are a command line already. */
  readonly verbatim: boolean
  /** Who it runs as; absent for who the engine is. */
  readonly user?: ProgramUser
  /** What counts its processes; absent for as many as it likes. */
  readonly counted?: ProcessGroupLimit
}

/** What of the engine's own environment a program gets to see. */
const inherited = ['PATH', 'HOME', 'LANG', 'TMPDIR']
/** Windows programs don't start without these. */
const inheritedOnWindows = ['SystemRoot', 'PATHEXT', 'TEMP', 'TMP', 'USERPROFILE', 'ComSpec']

/** The environment of a program: what is allowed of the engine's own, `more` of it, and the names of the attempt. */
export function programEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
  context: TaskContext,
  more: readonly string[] = [],
): Record<string, string> {
  const env: Record<string, string> = {}
  const names = process.platform === 'win32' ? [...inherited, ...inheritedOnWindows] : inherited
  for (const name of [...names, ...more]) {
    const value = environment[name]
    if (value !== undefined) env[name] = value
  }
  return { ...env, ...attemptVariables(context) }
}

/** By which a program knows for what it runs. */
export const attemptVariables = (
  context: Pick<TaskContext, 'runId' | 'nodeId' | 'attempt' | 'idempotencyKey'>,
): Readonly<Record<string, string>> => ({
  SAGASMITH_RUN_ID: context.runId,
  SAGASMITH_NODE_ID: context.nodeId,
  SAGASMITH_ATTEMPT: String(context.attempt),
  SAGASMITH_IDEMPOTENCY_KEY: context.idempotencyKey,
})

/** Variables as a program can be given them. Throws `task_input_invalid` for one that it can't. */
export function variablesOf(
  given: Readonly<Record<string, string | number | boolean>>,
): Readonly<Record<string, string>> {
  const env: Record<string, string> = {}
  for (const [name, value] of Object.entries(given)) {
    const text = String(value)
    if (text.includes('\0')) {
      throw new SagasmithError('task_input_invalid', {
        message: `The variable ${name} holds a character (code 0) that no variable may have.`,
        details: { field: `env.${name}` },
      })
    }
    env[name] = text
  }
  return env
}

/** What a step says of how its program is run, beside what is run. */
export interface ProgramRules extends ProgramLimits {
  readonly asUser: string
}

/**
 * The program as that user and within those limits; `own` variables win over what a user brings. Throws what
 * `programUser` and `limitedCommand` throw.
 */
export async function ruledProgram(
  program: LocalProgram,
  rules: ProgramRules,
  own: Readonly<Record<string, unknown>>,
): Promise<LocalProgram> {
  const user = await programUser(rules.asUser)
  const brought = Object.entries(user === null ? {} : userVariables(user)).filter(([name]) => !(name in own))
  const env = { ...program.env, ...Object.fromEntries(brought) }
  const { processesMax } = rules
  const counted = processesMax === 0 ? null : await limitProcesses(processesMax, user?.uid ?? null)
  try {
    const command = await limitedCommand({ ...program, env }, { ...rules, procs: counted?.procs ?? null })
    const { file, arguments: words } = command
    const more = { ...(user === null ? {} : { user }), ...(counted === null ? {} : { counted }) }
    return { ...program, env, file, arguments: words, ...more }
  } catch (thrown) {
    await counted?.close()
    throw thrown
  }
}

/** Throws `task_input_invalid` for words that no program can be given. */
export function refuseNul(words: readonly string[]): void {
  if (!words.some((text) => text.includes('\0'))) return
  throw new SagasmithError('task_input_invalid', {
    message: 'The program or one of its arguments holds a character (code 0) that no argument may have.',
    details: { field: 'arguments' },
  })
}

/** What a program printed, and how it ended. */
export interface RanProgram {
  readonly ending: Ending
  readonly stdout: string
  readonly stderr: string
}

/** Resolves when the program and all it started has ended. Throws `command_not_found` and `task_output_too_large`. */
export async function ranProgram(
  program: LocalProgram,
  { stdin, bytesMax }: { readonly stdin: string; readonly bytesMax: number },
  context: TaskContext,
): Promise<RanProgram> {
  const child = started(program)
  let tooLarge = false
  let callOff = () => {}
  const end = () => {
    callOff()
    callOff = endTree(child, context.clock, context.killGraceMs)
  }
  const reader = (stream: 'stdout' | 'stderr', level: 'info' | 'warn') =>
    createOutputReader({
      bytesMax,
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
    feed(child, stdin)
    const ending = await ended(child, { program, stdout, stderr })
    if (await program.counted?.wasMet()) context.log(tooManyProcesses)
    if (tooLarge && !context.signal.aborted) throw printedTooMuch(program, bytesMax)
    return { ending, stdout: stdout.text(), stderr: stderr.text() }
  } finally {
    context.setPausable(null)
    context.signal.removeEventListener('abort', end)
    callOff()
    // Whatever it left in the background goes with it.
    signalTree(child, 'SIGKILL')
    await program.counted?.close()
  }
}

const tooManyProcesses: Omit<LogLine, 'at'> = {
  level: 'warn',
  stream: 'task',
  text: 'The program wanted to start more processes than it may: those were refused.',
}

function started(program: LocalProgram): ChildProcess {
  return spawn(program.file, program.arguments, {
    ...ownGroup,
    ...(program.cwd === undefined ? {} : { cwd: program.cwd }),
    env: program.env,
    stdio: ['pipe', 'pipe', 'pipe'],
    windowsVerbatimArguments: program.verbatim,
    ...(program.user === undefined ? {} : { uid: program.user.uid, gid: program.user.gid }),
  })
}

function feed(child: ChildProcess, text: string): void {
  // A program that doesn't read its input closes it; that is its own decision.
  child.stdin?.on('error', () => {})
  child.stdin?.end(text)
}

interface Readers {
  readonly program: LocalProgram
  readonly stdout: OutputReader
  readonly stderr: OutputReader
}

/** Resolves when the program has ended and all it printed was read. */
function ended(child: ChildProcess, readers: Readers): Promise<Ending> {
  child.stdout?.on('data', readers.stdout.push)
  child.stderr?.on('data', readers.stderr.push)
  return new Promise((resolve, reject) => {
    child.once('error', (error) => reject(startError(readers.program, error)))
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

function startError(program: LocalProgram, error: Error): SagasmithError {
  const reason = 'code' in error ? String(error.code) : error.message
  const words =
    reason === 'ENOENT'
      ? 'was not found'
      : reason === 'EACCES'
        ? 'may not be run'
        : `did not start (${reason})`
  return new SagasmithError('command_not_found', {
    message: `The program “${program.title}” ${words}.`,
    details: { program: program.title, reason },
    cause: error,
  })
}

function printedTooMuch(program: LocalProgram, bytesMax: number): SagasmithError {
  return new SagasmithError('task_output_too_large', {
    message: `“${program.title}” printed more than ${bytesMax} bytes and was stopped.`,
    details: { bytesMax },
  })
}
