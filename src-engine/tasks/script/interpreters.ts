/** Who runs a script: the interpreters of the languages, and where they are on this machine. */

import { join } from 'node:path'
import { SagasmithError } from '../../model/errors.ts'
import { filePlace } from '../file-place.ts'
import { foundProgram } from '../find-program.ts'
import type { TaskContext } from '../task.ts'
import type { ScriptParameters } from './spec.ts'
import { scriptLanguages } from './spec.ts'

type Language = ScriptParameters['language']

interface Interpreter {
  /** Names on the PATH, the usual one first. */
  readonly names: readonly string[]
  /** Words before those of the step. */
  readonly options: readonly string[]
  readonly extension: string
  /** What has it print at once, in UTF-8. */
  readonly env: Readonly<Record<string, string>>
  /** How people come by it. */
  readonly install: string
}

const plain = { options: [], env: {} } as const

const interpreters: Readonly<Record<Language, Interpreter>> = {
  python: {
    ...plain,
    names: process.platform === 'win32' ? ['python', 'python3', 'py'] : ['python3', 'python'],
    extension: 'py',
    env: { PYTHONUNBUFFERED: '1', PYTHONUTF8: '1' },
    install: 'Install Python 3 (“apt install python3”, or from python.org)',
  },
  node: { ...plain, names: ['node'], extension: 'mjs', install: 'Install Node.js (from nodejs.org)' },
  shell: { ...plain, names: ['bash', 'sh'], extension: 'sh', install: 'Install a shell such as bash' },
  ruby: { ...plain, names: ['ruby'], extension: 'rb', install: 'Install Ruby (“apt install ruby”)' },
  perl: { ...plain, names: ['perl'], extension: 'pl', install: 'Install Perl (“apt install perl”)' },
  php: { ...plain, names: ['php'], extension: 'php', install: 'Install PHP (“apt install php-cli”)' },
  r: { ...plain, names: ['Rscript'], extension: 'R', install: 'Install R (“apt install r-base-core”)' },
  powershell: {
    ...plain,
    names: ['pwsh', 'powershell'],
    options: ['-NoProfile', '-NonInteractive', '-File'],
    extension: 'ps1',
    install: 'Install PowerShell (from github.com/PowerShell)',
  },
  other: { ...plain, names: [], extension: '', install: 'Install it' },
}

/** How a script is started on this machine. */
export interface FoundInterpreter {
  readonly file: string
  readonly options: readonly string[]
  readonly extension: string
  /** The step's own variables win over these. */
  readonly env: Readonly<Record<string, string>>
  /** Those of a virtual environment, which win over all others. */
  readonly venv: Readonly<Record<string, string>>
}

/** Looks for the interpreter. Throws `interpreter_not_found`, which says what to do about it. */
export async function foundInterpreter(
  parameters: ScriptParameters,
  where: { readonly env: Readonly<Record<string, string>>; readonly cwd: string | undefined },
  context: TaskContext,
): Promise<FoundInterpreter> {
  const { language, venv } = parameters
  const known = interpreters[language]
  const options = [...known.options, ...parameters.options]
  const extension = language === 'other' ? parameters.extension : known.extension
  if (language === 'python' && venv !== '') {
    const own = await environmentOf(venv, where, context)
    return { ...own, options, extension, env: known.env }
  }
  const names = parameters.interpreter === '' ? known.names : [parameters.interpreter]
  for (const name of names) {
    const file = await foundProgram(name, where)
    if (file !== null) return { file, options, extension, env: known.env, venv: {} }
  }
  throw notFound(language, names)
}

/** The Python of a virtual environment. Its link is not followed: by where it stands, Python knows the packages. */
async function environmentOf(
  venv: string,
  { env, cwd }: { readonly env: Readonly<Record<string, string>>; readonly cwd: string | undefined },
  context: TaskContext,
): Promise<Pick<FoundInterpreter, 'file' | 'venv'>> {
  const folder = await filePlace(venv, context, 'read')
  const isWindows = process.platform === 'win32'
  const programs = join(folder, isWindows ? 'Scripts' : 'bin')
  const file = await foundProgram(join(programs, isWindows ? 'python.exe' : 'python'), { env, cwd })
  if (file !== null) {
    const path = [programs, env['PATH'] ?? ''].join(isWindows ? ';' : ':')
    return { file, venv: { VIRTUAL_ENV: folder, PATH: path } }
  }
  throw new SagasmithError('interpreter_not_found', {
    message: `There is no Python in the virtual environment “${venv}”.`,
    hint: `Make it with “python3 -m venv ${venv}”, or correct the folder.`,
    details: { language: 'python', venv },
  })
}

function notFound(language: Language, names: readonly string[]): SagasmithError {
  const { install } = interpreters[language]
  const quoted = names.map((name) => `“${name}”`)
  const who = language === 'other' ? 'The interpreter' : scriptLanguages[language]
  return new SagasmithError('interpreter_not_found', {
    message: `${who} is not there: this machine has no program ${quoted.join(' or ')}.`,
    hint: `${install}, name its path under “Interpreter”, or have the step run by a runner that has it.`,
    details: { language, names: [...names] },
  })
}
