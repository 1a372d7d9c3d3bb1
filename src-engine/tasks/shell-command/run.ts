/** Runs a program of this machine and hands on what it printed. */

import { throwIfAborted } from '../abort.ts'
import { plainText } from '../json-text.ts'
import { ranProgram, ruledProgram } from '../local-program.ts'
import { programOutcome } from '../program-end.ts'
import type { TaskRun } from '../task.ts'
import type { TaskPorts } from '../task-ports.ts'
import { checkFolder } from './check-folder.ts'
import { commandOf } from './command.ts'
import type { ShellCommandParameters } from './spec.ts'

/** The shell command with what it needs from outside. */
export function createShellCommandRun(
  ports: Pick<TaskPorts, 'environment' | 'evaluate'>,
): TaskRun<ShellCommandParameters> {
  return {
    async execute(parameters, context) {
      const asked = commandOf(parameters, context, ports.environment)
      await checkFolder(asked)
      const command = await ruledProgram(asked, parameters, parameters.env)
      if (context.signal.aborted) await command.counted?.close()
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
