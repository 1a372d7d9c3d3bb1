/**
 * The folder of custom tasks: one file, `NAME.task.json`, is one task. It is looked at whenever somebody asks,
 * and a file is read again only when it was written. What can't be used is told, and what it was stays.
 */

import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { CustomTask } from '../model/custom-task.ts'
import { readCustomTask, withCustomTasks } from '../model/custom-task.ts'
import type { ErrorRecord } from '../model/errors.ts'
import { SagasmithError, toErrorRecord } from '../model/errors.ts'
import { findJsonIntrusion } from '../model/json-guard.ts'
import { findJsonFault, lineAndColumn } from '../model/json-place.ts'
import { customTaskBytesMax, customTasksMax, nestingMax } from '../model/limits.ts'
import type { TaskSpec } from '../model/task-spec.ts'
import type { WorkflowDocument } from '../model/workflow.ts'
import { writtenOut } from '../model/written-out.ts'
import type { CustomTaskSource } from '../runtime/custom-task-source.ts'
import { taskSpecsByKind } from '../tasks/specs.ts'
import { fileError, isSystemError } from './atomic-file.ts'
import { createTurns } from './in-turn.ts'

/** What the folder holds. */
export interface KnownTasks {
  readonly tasks: ReadonlyMap<string, CustomTask>
  /** The catalogue and the custom tasks, by kind. */
  readonly specs: ReadonlyMap<string, TaskSpec>
  /** Why files can't be used, each `task_file_invalid` or `file_not_accessible` with its path. */
  readonly problems: readonly ErrorRecord[]
}

export interface CustomTaskFolder extends CustomTaskSource {
  /** What it holds now. The same object as long as nothing was written. */
  readonly look: () => Promise<KnownTasks>
  /** What it held when somebody last looked. */
  readonly known: () => KnownTasks
}

interface TaskFile {
  readonly signature: string
  /** The last version that could be used. */
  readonly task: CustomTask | null
  readonly problem: ErrorRecord | null
}

const ending = '.task.json'

/** Those of a folder that need not exist. */
export function createCustomTasks(folder: string): CustomTaskFolder {
  let files = new Map<string, TaskFile>()
  let known: KnownTasks = { tasks: new Map(), specs: taskSpecsByKind, problems: [] }
  const lookOnce = async (): Promise<KnownTasks> => {
    const next = new Map<string, TaskFile>()
    for (const path of await taskFiles(folder)) {
      const file = await lookAt(path, files.get(path) ?? null)
      if (file !== null) next.set(path, file)
    }
    const isSame = next.size === files.size && [...next].every(([path, file]) => files.get(path) === file)
    files = next
    if (!isSame) known = knownOf(next)
    return known
  }
  // Who looks after a file was written sees what was written.
  const inTurn = createTurns()
  const look = (): Promise<KnownTasks> => inTurn(lookOnce)
  return {
    look,
    known: () => known,
    writeOut: async (document: WorkflowDocument) => writtenOut(document, (await look()).tasks),
  }
}

async function taskFiles(folder: string): Promise<readonly string[]> {
  try {
    const names = (await readdir(folder)).filter((name) => name.endsWith(ending))
    return names
      .toSorted()
      .slice(0, customTasksMax)
      .map((name) => join(folder, name))
  } catch (thrown) {
    if (isSystemError(thrown, 'ENOENT')) return []
    throw fileError(folder, thrown)
  }
}

/** The file as it is known already, or as it is now; null for one that is gone. */
async function lookAt(path: string, before: TaskFile | null): Promise<TaskFile | null> {
  try {
    const { mtimeMs, ctimeMs, size, ino } = await stat(path)
    const signature = `${mtimeMs}:${ctimeMs}:${size}:${ino}`
    if (before?.signature === signature) return before
    if (size > customTaskBytesMax) throw tooLarge(path, size)
    const task = taskOf(await readFile(path, 'utf8'), path)
    return { signature, task, problem: null }
  } catch (thrown) {
    if (isSystemError(thrown, 'ENOENT')) return null
    const error = thrown instanceof SagasmithError ? thrown : fileError(path, thrown)
    const problem = toErrorRecord(error)
    const isToldAlready = before?.problem?.message === problem.message
    return isToldAlready ? before : { signature: '', task: before?.task ?? null, problem }
  }
}

function taskOf(text: string, path: string): CustomTask {
  const json = text.startsWith('\uFEFF') ? text.slice(1) : text
  const broken = findJsonFault(json)
  if (broken !== null) throw invalid(path, broken, `${broken.reason}.`)
  const value: unknown = JSON.parse(json)
  // Whatever JSON.parse gives is JSON.
  const intrusion = findJsonIntrusion(value as Parameters<typeof findJsonIntrusion>[0], nestingMax)
  if (intrusion !== null)
    throw invalid(path, { line: 1, column: 1 }, 'it is nested too deeply, or has a name that is not allowed.')
  const read = readCustomTask(value, taskSpecsByKind)
  if ('task' in read) return read.task
  throw invalid(path, placeOf(json, read.fault.path), read.fault.message)
}

interface Place {
  readonly line: number
  readonly column: number
}

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

const invalid = (path: string, { line, column }: Place, what: string): SagasmithError =>
  new SagasmithError('task_file_invalid', {
    message: `${path}, line ${line}, column ${column}: ${what}`,
    details: { path, line, column },
  })

const tooLarge = (path: string, bytes: number): SagasmithError =>
  invalid(path, { line: 1, column: 1 }, `it has ${bytes} bytes; at most ${customTaskBytesMax} are read.`)

/** Of two files with one kind the first by name counts. */
function knownOf(files: ReadonlyMap<string, TaskFile>): KnownTasks {
  const tasks = new Map<string, CustomTask>()
  const problems: ErrorRecord[] = []
  const homes = new Map<string, string>()
  for (const [path, { task, problem }] of files) {
    if (problem !== null) problems.push(problem)
    if (task === null) continue
    const home = homes.get(task.kind)
    if (home !== undefined) {
      problems.push(
        toErrorRecord(invalid(path, { line: 1, column: 1 }, `${home} has the kind “${task.kind}” already.`)),
      )
      continue
    }
    homes.set(task.kind, path)
    tasks.set(task.kind, task)
  }
  return { tasks, specs: withCustomTasks(taskSpecsByKind, tasks.values()), problems }
}
