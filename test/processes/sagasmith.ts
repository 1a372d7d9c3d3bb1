/**
 * The command line of the product. `sagasmith` and `told` run a command to its end in this process, by the very code that
 * the program is made of: to start a process takes forty times as long as most of what commands do. That every command
 * also ends as a program is shown in `command-ends.test.ts`; what is about processes starts them.
 */

import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { onTestFinished } from 'vitest'
import { nodeFlags } from '../../bin/launcher/cli.mjs'
import type { JsonObject } from '../../src-engine/model/json.ts'
import { runCommandLine } from '../../src-engine/shell/command-line.ts'
import { commandLine } from '../support/program.ts'

type Line = JsonObject & { readonly type: string }

interface Ended {
  readonly code: number | null
  /** What it wrote to its standard output. */
  readonly out: string
  /** What it wrote beside it. */
  readonly err: string
  /** Both, as they came: what a person reads. */
  readonly text: string
}

/** How a command that tells lines of JSON has ended. */
interface Said {
  readonly code: number | null
  readonly lines: readonly Line[]
  /** All that it wrote to its standard output. */
  readonly text: string
}

interface Given {
  readonly environment?: Readonly<Record<string, string>>
  /** Piped in; only a process of its own has an input of its own. */
  readonly typed?: string
}

/** Runs a command on a data directory. */
export const sagasmith = (data: string, ...args: readonly string[]): Promise<Said> =>
  sagasmithGiven(data, args)

/** Runs a command on a data directory, with what it is given beside its arguments. */
export async function sagasmithGiven(
  data: string,
  args: readonly string[],
  { environment = {}, typed }: Given = {},
): Promise<Said> {
  const all = [...args, '--json', '--data', data]
  if (typed === undefined) return saidOf(await ended(all, environment))
  const child = startProgram(all, environment)
  // Who ends without reading closes the pipe.
  child.stdin?.on('error', () => {})
  child.stdin?.end(typed)
  return saidOf(await endOf(child))
}

/** What a person reads of a command on a data directory, and how it ended. */
export const told = (data: string, ...args: readonly string[]): Promise<Ended> =>
  ended([...args, '--data', data])

/** Runs a whole command line in this process. */
export async function ended(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  const written = { out: '', err: '', text: '' }
  const into = (stream: 'out' | 'err') => (content: string | Uint8Array, done?: () => void) => {
    const text = Buffer.from(content).toString('utf8')
    written[stream] += text
    written.text += text
    done?.()
  }
  const code = await runCommandLine(args, {
    stdout: { write: into('out') },
    stderr: { write: into('err') },
    environment: { ...process.env, NO_COLOR: '1', ...environment },
    // Who is interrupted is a process.
    onInterrupt: () => () => {},
  })
  return { code, ...written }
}

const cli = await commandLine()

/** Starts the program, with `environment` added to this process's own. */
export function startProgram(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): ChildProcess {
  const child = spawn(process.execPath, [...nodeFlags, cli, ...args], {
    env: { ...process.env, NO_COLOR: '1', ...environment },
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

/** What a program has written, once it has ended. */
export function endOf(child: ChildProcess): Promise<Ended> {
  const written = { out: '', err: '', text: '' }
  const note = (stream: 'out' | 'err') => (chunk: Buffer) => {
    const text = chunk.toString('utf8')
    written[stream] += text
    written.text += text
  }
  child.stdout?.on('data', note('out'))
  child.stderr?.on('data', note('err'))
  return new Promise((settle) => child.on('close', (code) => settle({ code, ...written })))
}

/** The lines of JSON that a command has told. */
export const linesOf = (out: string): readonly Line[] =>
  out
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line)

/** A text of a line that is there. */
export function textOf(line: JsonObject | undefined, field: string): string {
  const value = line?.[field]
  if (typeof value !== 'string') throw new Error(`the line has no text ${field}`)
  return value
}

const saidOf = ({ code, out }: Ended): Said => ({ code, text: out, lines: linesOf(out) })
