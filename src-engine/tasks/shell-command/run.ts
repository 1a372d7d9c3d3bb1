/** Runs a program of this machine and hands on what it printed. */

import { stat } from 'node:fs/promises'
import { throwIfAborted } from '../abort.ts'
import { plainText } from '../json-text.ts'
import type { LocalProgram } from '../local-program.ts'
import { ranProgram } from '../local-program.ts'
import { programOutcome } from '../program-end.ts'
import type { TaskRun } from '../task.ts'
import type { TaskPorts } from '../task-ports.ts'
import { fileError } from '../workflow-path.ts'
import { commandOf } from './command.ts'
import type { ShellCommandParameters } from './spec.ts'

/** The shell command with what it needs from outside. */
export function createShellCommandRun(
  ports: Pick<TaskPorts, 'environment' | 'evaluate'>,
): TaskRun<ShellCommandParameters> {
  return {
    async execute(parameters, context) {
      const command = commandOf(parameters, context, ports.environment)
      await checkFolder(command)
      throwIfAborted(context.signal)
      const given = { stdin: plainText(parameters.stdin), bytesMax: parameters.maxOutputBytes }
      const ran = await ranProgram(command, given, context)
      throwIfAborted(context.signal)
      const title = `“${command.title.slice(0, 100)}”`
      const ended = { title, ...ran, details: {} }
      return programOutcome(ended, parameters, { context, evaluate: ports.evaluate })
    },
  }
}

/** A missing folder would otherwise be reported as a missing program. */
async function checkFolder(command: LocalProgram): Promise<void> {
  if (command.cwd === undefined) return
  const { cwd } = command
  try {
    const found = await stat(cwd)
    if (!found.isDirectory()) throw Object.assign(new Error('not a folder'), { code: 'ENOTDIR' })
  } catch (thrown) {
    throw fileError(thrown, cwd)
  }
}
