/** Runs a program of another machine and hands on what it printed. */

import { SagasmithError } from '../../model/errors.ts'
import type { EffectLeft } from '../deadline.ts'
import { withinDeadline } from '../deadline.ts'
import { plainText } from '../json-text.ts'
import type { Ending } from '../program-end.ts'
import { programOutcome } from '../program-end.ts'
import { serverPlace } from '../reachable-host.ts'
import type { OutputReader } from '../shell-command/output-reader.ts'
import { createOutputReader } from '../shell-command/output-reader.ts'
import type { TaskContext, TaskRun } from '../task.ts'
import { tellable } from '../task.ts'
import type { TaskPorts } from '../task-ports.ts'
import { commandLineOf } from './command-line.ts'
import { ranOverSsh } from './session.ts'
import type { SshCommandParameters } from './spec.ts'

/** The command with what it needs from outside. */
export function createSshCommandRun({
  lookup,
  evaluate,
}: Pick<TaskPorts, 'lookup' | 'evaluate'>): TaskRun<SshCommandParameters> {
  return {
    async execute(parameters, context) {
      const { ending, stdout, stderr } = await ranToEnd(parameters, context, lookup)
      const { host, program, useShell } = parameters
      const title = `${useShell ? 'The command line' : `“${program.slice(0, 100)}”`} on ${host}`
      const ended = { title, ending, stdout: stdout.text(), stderr: stderr.text(), details: { host } }
      return programOutcome(ended, parameters, { context, evaluate })
    },
  }
}

interface Ran {
  readonly ending: Ending
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
