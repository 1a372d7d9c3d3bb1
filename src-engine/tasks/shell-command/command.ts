/** The program, its arguments and its environment. Data never becomes part of a command's text. */

import type { LocalProgram } from '../local-program.ts'
import { programEnvironment, refuseNul, variablesOf } from '../local-program.ts'
import type { TaskContext } from '../task.ts'
import { workflowPath } from '../workflow-path.ts'
import type { ShellCommandParameters } from './spec.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** The command of the parameters. Throws `task_input_invalid` for what no program can be given. */
export function commandOf(
  parameters: ShellCommandParameters,
  context: TaskContext,
  environment: Environment,
): LocalProgram {
  const { baseDirectory } = context
  const cwd =
    parameters.cwd === '' ? (baseDirectory ?? undefined) : workflowPath(parameters.cwd, baseDirectory)
  const env = {
    ...programEnvironment(environment, context),
    ...variablesOf({ ...parameters.env, ...context.env }),
  }
  if (parameters.useShell) {
    const title = parameters.commandLine
    if (process.platform !== 'win32') {
      return { title, file: '/bin/sh', arguments: ['-c', parameters.commandLine], cwd, env, verbatim: false }
    }
    const file = environment['ComSpec'] ?? 'cmd.exe'
    return {
      title,
      file,
      arguments: ['/d', '/s', '/c', `"${parameters.commandLine}"`],
      cwd,
      env,
      verbatim: true,
    }
  }
  const args = parameters.arguments.map(String)
  refuseNul([parameters.program, ...args])
  return { title: parameters.program, file: parameters.program, arguments: args, cwd, env, verbatim: false }
}
