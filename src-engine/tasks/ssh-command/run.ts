/** Runs a program of another machine and hands on what it printed. */

import { SagasmithError } from '../../model/errors.ts'
import { isCodeIn } from '../code-ranges.ts'
import type { EffectLeft } from '../deadline.ts'
import { withinDeadline } from '../deadline.ts'
import { plainText } from '../json-text.ts'
import { serverPlace } from '../reachable-host.ts'
import type { OutputReader } from '../shell-command/output-reader.ts'
import { createOutputReader } from '../shell-command/output-reader.ts'
import { printedValue } from '../shell-command/printed.ts'
import type { TaskContext, TaskRun } from '../task.ts'
import { completed, tellable } from '../task.ts'
import type { TaskPorts } from '../task-ports.ts'
import { commandLineOf } from './command-line.ts'
import type { RemoteEnding } from './session.ts'
import { ranOverSsh } from './session.ts'
import type { SshCommandParameters } from './spec.ts'

/** The command with what it needs from outside. */
export function createSshCommandRun({ lookup }: Pick<TaskPorts, 'lookup'>): TaskRun<SshCommandParameters> {
  return {
    async execute(parameters, context) {
      const { ending, stdout, stderr } = await ranToEnd(parameters, context, lookup)
      const tell = (text: string): string => tellable(context, text)
      if (ending.code === null || !isCodeIn(parameters.successCodes, ending.code)) {
        throw exitError(parameters, ending, { stdout: tell(stdout.text()), stderr: tell(stderr.text()) })
      }
      const printed = printedValue(stdout.text(), parameters.output, tell)
      return completed({ exitCode: ending.code, stdout: printed, stderr: stderr.text() })
    },
  }
}

interface Ran {
  readonly ending: RemoteEnding
  readonly stdout: OutputReader
  readonly stderr: OutputReader
}

async function ranToEnd(
  parameters: SshCommandParameters,
  context: TaskContext,
  lookup: TaskPorts['lookup'],
): Promise<Ran> {
  const { timeoutMs, maxOutputBytes: bytesMax } = parameters
  const effect: EffectLeft = { isOpen: false }
  const flood = new AbortController()
  const reader = (stream: 'stdout' | 'stderr', level: 'info' | 'warn'): OutputReader =>
    createOutputReader({
      bytesMax,
      onLine: (text) => context.log({ level, stream, text }),
      tellable: (text) => tellable(context, text),
      onTooLarge: () => flood.abort(),
    })
  const stdout = reader('stdout', 'info')
  const stderr = reader('stderr', 'warn')
  return withinDeadline({ timeoutMs, effect }, context, async (signal) => {
    const place = await serverPlace(parameters, context, lookup)
    const command = {
      line: commandLineOf(parameters),
      stdin: plainText(parameters.stdin),
      ...{ stdout, stderr, effect },
      signal: AbortSignal.any([signal, flood.signal]),
    }
    try {
      return { ending: await ranOverSsh(parameters, place, command), stdout, stderr }
    } catch (thrown) {
      throw flood.signal.aborted && !signal.aborted ? printedTooMuch(place.host, bytesMax) : thrown
    }
  })
}

const printedTooMuch = (host: string, bytesMax: number): SagasmithError =>
  new SagasmithError('task_output_too_large', {
    message: `The program on ${host} printed more than ${bytesMax} bytes, and the connection was ended.`,
    details: { host, bytesMax },
  })

function exitError(
  { host, program, useShell, finalCodes }: SshCommandParameters,
  { code, signal }: RemoteEnding,
  { stdout, stderr }: { readonly stdout: string; readonly stderr: string },
): SagasmithError {
  const how =
    code !== null ? `ended with exit code ${code}` : `was ended${signal === null ? '' : ` by ${signal}`}`
  const lastLine = (stderr.trim() === '' ? stdout : stderr).trim().split('\n').at(-1) ?? ''
  const words = lastLine === '' ? '.' : `: ${lastLine.slice(0, 200)}`
  const what = useShell ? 'The command line' : `“${program.slice(0, 100)}”`
  return new SagasmithError('command_exit', {
    message: `${what} on ${host} ${how}${words}`,
    details: {
      host,
      exitCode: code,
      signal,
      stdout: stdout.slice(-2_000),
      stderr: stderr.slice(-2_000),
    },
    retryable: code === null || !isCodeIn(finalCodes, code),
  })
}
