/** The text of a task file: read with the place of what is wrong in it, and written whole. */

import { mkdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { CustomTask } from '../model/custom-task.ts'
import { readCustomTask } from '../model/custom-task.ts'
import { plainSecretFields, taskFileText } from '../model/custom-task-of-step.ts'
import { SagasmithError } from '../model/errors.ts'
import type { JsonObject } from '../model/json.ts'
import { findJsonIntrusion } from '../model/json-guard.ts'
import { findJsonFault, lineAndColumn } from '../model/json-place.ts'
import { customTaskBytesMax, nestingMax } from '../model/limits.ts'
import { callKind } from '../model/pinned-versions.ts'
import { hasExpression } from '../model/template.ts'
import { isFileReference, referencedFile } from '../runtime/sub-workflows/workflow-source.ts'
import { taskSpecsByKind } from '../tasks/specs.ts'
import { fileError, writeFileAtomically } from './atomic-file.ts'

/** What ends the name of a task that is data. */
export const taskFileEnding = '.task.json'

/** The task that a file's text says. Throws `task_file_invalid` with the place. */
export function readTaskFile(text: string, path: string): CustomTask {
  const json = text.startsWith('\uFEFF') ? text.slice(1) : text
  const broken = findJsonFault(json)
  if (broken !== null) throw invalidTaskFile(path, broken, `${broken.reason}.`)
  const value: unknown = JSON.parse(json)
  // Whatever JSON.parse gives is JSON.
  const intrusion = findJsonIntrusion(value as Parameters<typeof findJsonIntrusion>[0], nestingMax)
  if (intrusion !== null)
    throw invalidTaskFile(path, startOfFile, 'it is nested too deeply, or has a name that is not allowed.')
  const read = readCustomTask(value, taskSpecsByKind)
  if ('task' in read) return namedFromHere(read.task, path)
  throw invalidTaskFile(path, placeOf(json, read.fault.path), read.fault.message)
}

/** A task is used by workflows of every folder: a workflow that it names by a file lies from where its own is. */
function namedFromHere(task: CustomTask, path: string): CustomTask {
  const { kind, parameters } = task.based
  const workflow = withWholePath(kind, parameters, dirname(path))
  return workflow === parameters
    ? task
    : { ...task, based: { kind, parameters: { ...parameters, ...workflow } } }
}

/** The parameters with the whole path of the workflow file that they name, if they name one by a part of it. */
export function withWholePath<Parameters extends JsonObject>(
  kind: string,
  parameters: Parameters,
  folder: string,
): Parameters {
  const reference = parameters['workflow']
  if (kind !== callKind || typeof reference !== 'string' || hasExpression(reference)) return parameters
  if (!isFileReference(reference.trim())) return parameters
  return { ...parameters, workflow: referencedFile(reference.trim(), folder) ?? reference }
}

/** What a task's file is to hold, and where. */
export interface TaskToWrite {
  readonly task: JsonObject
  readonly folder: string
  /** The file that has a kind now; null for none. */
  readonly homeOf: (kind: string) => string | null
  /** Whether a file is that of another task. */
  readonly isOthers: (path: string, kind: string) => boolean
  readonly replace: boolean
}

/** Writes it. Throws `task_file_invalid`, `task_holds_secret`, `task_kind_taken`, `file_not_accessible`. */
export async function writeTaskFile(
  writing: TaskToWrite,
): Promise<{ readonly task: CustomTask; readonly path: string }> {
  const { folder, replace } = writing
  const given = JSON.stringify(writing.task, null, 2)
  const kind = typeof writing.task['kind'] === 'string' ? writing.task['kind'] : 'task'
  const path = placeFor(writing, kind)
  if (given.length > customTaskBytesMax) throw tooLargeTaskFile(path, given.length)
  const task = readTaskFile(given, path)
  refusePlainSecrets(task)
  try {
    await mkdir(folder, { recursive: true })
    const home = writing.homeOf(kind)
    if (home !== null && !replace) throw taken(kind, home)
    const isWritten = await writeFileAtomically(path, taskFileText(task), { exclusive: !replace })
    if (!isWritten) throw taken(kind, path)
  } catch (thrown) {
    throw fileError(path, thrown)
  }
  return { task, path }
}

/** Names that are tried beside files of other tasks. */
const namesMax = 99

/** Where the task lies; for a new one a file named after its kind. */
function placeFor({ folder, homeOf, isOthers }: TaskToWrite, kind: string): string {
  const home = homeOf(kind)
  if (home !== null) return home
  // What isn't a kind is refused before anything is written; its name must not lead elsewhere until then.
  const name = basename(kind)
  for (let tries = 1; ; tries += 1) {
    const path = join(folder, `${name}${tries === 1 ? '' : `-${tries}`}${taskFileEnding}`)
    if (!isOthers(path, kind) || tries === namesMax) return path
  }
}

function refusePlainSecrets(task: CustomTask): void {
  const base = taskSpecsByKind.get(task.based.kind)
  const fields = base === undefined ? [] : plainSecretFields(task, base)
  if (fields.length === 0) return
  throw new SagasmithError('task_holds_secret', {
    message: `“${task.title}” would hold a secret in plain text, in ${fields.map((key) => `“${key}”`).join(', ')}.`,
    details: { kind: task.kind, fields },
  })
}

const taken = (kind: string, path: string): SagasmithError =>
  new SagasmithError('task_kind_taken', {
    message: `There is a custom task “${kind}” already, in ${path}.`,
    details: { kind, path },
  })

interface Place {
  readonly line: number
  readonly column: number
}

/** Where a fault is that the whole file has. */
export const startOfFile: Place = { line: 1, column: 1 }

/** Where the last key of a way into a JSON text stands that is there. */
function placeOf(json: string, path: readonly string[]): Place {
  let at = 0
  for (const key of path) {
    const next = json.indexOf(JSON.stringify(key), at)
    if (next === -1) break
    at = next
  }
  return lineAndColumn(json, at)
}

/** A file that can't be used, with the place of the reason. */
export const invalidTaskFile = (path: string, { line, column }: Place, what: string): SagasmithError =>
  new SagasmithError('task_file_invalid', {
    message: `${path}, line ${line}, column ${column}: ${what}`,
    details: { path, line, column },
  })

/** A file that is not read for its size. */
export const tooLargeTaskFile = (path: string, bytes: number): SagasmithError =>
  invalidTaskFile(path, startOfFile, `it has ${bytes} bytes; at most ${customTaskBytesMax} are read.`)
