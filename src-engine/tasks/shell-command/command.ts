/** The program, its arguments and its environment. Data never becomes part of a command's text. */

import { SagasmithError } from '../../model/errors.ts'
import type { TaskContext } from '../task.ts'
import { workflowPath } from '../workflow-path.ts'
import type { ShellCommandParameters } from './spec.ts'

type Environment = Readonly<Record<string, string | undefined>>

export interface Command {
  /** As people would call it. */
  readonly title: string
  readonly file: string
  readonly arguments: readonly string[]
  readonly cwd: string | undefined
  readonly env: Readonly<Record<string, string>>
  readonly verbatim: boolean
}

/** What of the engine's own environment a program gets to see. */
const inherited = ['PATH', 'HOME', 'LANG', 'TMPDIR']
/** Windows programs don't start without these. */
const inheritedOnWindows = ['SystemRoot', 'PATHEXT', 'TEMP', 'TMP', 'USERPROFILE', 'ComSpec']

/** The command of the parameters. Throws `task_input_invalid` for what no program can be given. */
export function commandOf(
  parameters: ShellCommandParameters,
  context: TaskContext,
  environment: Environment,
): Command {
  const { baseDirectory } = context
  const cwd =
    parameters.cwd === '' ? (baseDirectory ?? undefined) : workflowPath(parameters.cwd, baseDirectory)
  const env = environmentOf(parameters, context, environment)
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
  if ([parameters.program, ...args].some((text) => text.includes('\0'))) {
    throw new SagasmithError('task_input_invalid', {
      message: 'The program or one of its arguments holds a character (code 0) that no argument may have.',
      details: { field: 'arguments' },
    })
  }
  return { title: parameters.program, file: parameters.program, arguments: args, cwd, env, verbatim: false }
}

function environmentOf(
  parameters: ShellCommandParameters,
  context: TaskContext,
  environment: Environment,
): Readonly<Record<string, string>> {
  const env: Record<string, string> = {}
  const names = process.platform === 'win32' ? [...inherited, ...inheritedOnWindows] : inherited
  for (const name of names) {
    const value = environment[name]
    if (value !== undefined) env[name] = value
  }
  env['SAGASMITH_RUN_ID'] = context.runId
  env['SAGASMITH_NODE_ID'] = context.nodeId
  env['SAGASMITH_ATTEMPT'] = String(context.attempt)
  env['SAGASMITH_IDEMPOTENCY_KEY'] = context.idempotencyKey
  for (const [name, value] of Object.entries({ ...parameters.env, ...context.env })) {
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
