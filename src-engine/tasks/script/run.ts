/** Runs a script of the step's own: it lies in a file for as long as its interpreter needs it. */

import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { throwIfAborted } from '../abort.ts'
import { parseJson } from '../json-text.ts'
import type { RanProgram } from '../local-program.ts'
import { programEnvironment, ranProgram, refuseNul, ruledProgram, variablesOf } from '../local-program.ts'
import { readEnd } from '../program-end.ts'
import { programUser } from '../program-user.ts'
import { checkFolder } from '../shell-command/check-folder.ts'
import type { TaskContext, TaskRun } from '../task.ts'
import { completed } from '../task.ts'
import type { TaskPorts } from '../task-ports.ts'
import { workflowPath } from '../workflow-path.ts'
import type { FoundInterpreter } from './interpreters.ts'
import { foundInterpreter } from './interpreters.ts'
import type { ScriptParameters } from './spec.ts'
import { scriptLanguages } from './spec.ts'

/** The script with what it needs from outside. */
export function createScriptRun(
  ports: Pick<TaskPorts, 'environment' | 'evaluate'>,
): TaskRun<ScriptParameters> {
  return {
    async execute(parameters, context) {
      const place = await placeOf(parameters, ports, context)
      const interpreter = await foundInterpreter(parameters, place, context)
      throwIfAborted(context.signal)
      const ran = await ranScript({ parameters, place, interpreter }, context)
      throwIfAborted(context.signal)
      const { language } = parameters
      const name = language === 'other' ? parameters.interpreter : scriptLanguages[language]
      const stdout = parameters.output === 'json' ? jsonIn(ran.stdout) : ran.stdout
      const ended = { title: `The ${name} script`, ...ran, stdout, details: { language } }
      const { printed, ports: ways } = await readEnd(ended, parameters, {
        context,
        evaluate: ports.evaluate,
      })
      return completed(printed, ways)
    },
  }
}

/** Where a script runs, and with which variables. */
interface Place {
  readonly cwd: string | undefined
  readonly env: Readonly<Record<string, string>>
}

async function placeOf(
  parameters: ScriptParameters,
  { environment }: Pick<TaskPorts, 'environment'>,
  context: TaskContext,
): Promise<Place> {
  const { baseDirectory } = context
  const cwd =
    parameters.cwd === '' ? (baseDirectory ?? undefined) : workflowPath(parameters.cwd, baseDirectory)
  await checkFolder({ cwd })
  // A PATH of the step's own is where its interpreter is looked for, too.
  const own = variablesOf({ ...parameters.env, ...context.env })
  return { cwd, env: { ...programEnvironment(environment, context), ...own } }
}

interface Script {
  readonly parameters: ScriptParameters
  readonly place: Place
  readonly interpreter: FoundInterpreter
}

async function ranScript(
  { parameters, place, interpreter }: Script,
  context: TaskContext,
): Promise<RanProgram> {
  const { code, asUser, maxOutputBytes: bytesMax } = parameters
  const user = await programUser(asUser)
  const folder = await mkdtemp(join(tmpdir(), 'sagasmith-script-'))
  try {
    const { file: title, options, extension } = interpreter
    const file = join(folder, extension === '' ? 'script' : `script.${extension}`)
    await writeFile(file, code, { mode: 0o600 })
    // Nobody else may read it, but who runs it has to.
    if (user !== null) for (const path of [file, folder]) await chown(path, user.uid, user.gid)
    const words = [...options, file, ...parameters.arguments.map(String)]
    refuseNul(words)
    const env = { ...interpreter.env, ...place.env, ...interpreter.venv }
    const asked = { title, file: title, arguments: words, cwd: place.cwd, env, verbatim: false }
    const program = await ruledProgram(asked, parameters, parameters.env)
    const ran = await ranProgram(program, { stdin: fedTo(parameters, context), bytesMax }, context)
    // Where the script lay is of no use to anybody who reads what it said.
    return { ...ran, stderr: ran.stderr.replaceAll(`${folder}/`, '') }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** JSON in every case: a script that reads a text would otherwise have to know when it isn't one. */
const fedTo = ({ input }: ScriptParameters, context: TaskContext): string =>
  JSON.stringify(input === '' || input === undefined ? context.input : input)

/** The JSON in what was printed: all of it; else its last line, when that is some; nothing when nothing was printed. */
function jsonIn(stdout: string): string {
  if (stdout.trim() === '') return 'null'
  if (parseJson(stdout).ok) return stdout
  const last = stdout.trimEnd().split('\n').at(-1) ?? ''
  return parseJson(last).ok ? last : stdout
}
