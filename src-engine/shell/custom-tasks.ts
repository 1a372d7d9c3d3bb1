/**
 * The folder of custom tasks: one file, `NAME.task.json` or, with code, `NAME.task.ts`, is one task. It is looked at whenever somebody asks,
 * and a file is read again only when it was written. What can't be used is told, and what it was stays.
 */

import { readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { CodeTask } from '../model/code-task.ts'
import { kindsOfCode, withCodeTasks } from '../model/code-task.ts'
import type { CustomTask } from '../model/custom-task.ts'
import { withCustomTasks } from '../model/custom-task.ts'
import type { ErrorRecord } from '../model/errors.ts'
import { SagasmithError, toErrorRecord } from '../model/errors.ts'
import type { JsonObject } from '../model/json.ts'
import { customTaskBytesMax, customTasksMax } from '../model/limits.ts'
import type { TaskSpec } from '../model/task-spec.ts'
import type { WorkflowDocument } from '../model/workflow.ts'
import type { CustomTasks } from '../model/written-out.ts'
import { writtenOut } from '../model/written-out.ts'
import type { ContractCheck, MigratedParameters, MigrationWish } from '../protocol/custom-tasks.ts'
import type { CustomTaskSource } from '../runtime/custom-task-source.ts'
import { taskSpecsByKind } from '../tasks/specs.ts'
import { fileError, isSystemError } from './atomic-file.ts'
import type { CodeDesk } from './code-task-file.ts'
import { codeFileEndings, createCodeDesk } from './code-task-file.ts'
import { testContract } from './contract-test.ts'
import {
  invalidTaskFile,
  readTaskFile,
  startOfFile,
  taskFileEnding,
  tooLargeTaskFile,
  writeTaskFile,
} from './custom-task-file.ts'
import { createTurns } from './in-turn.ts'
import { migrateParameters } from './migrate-parameters.ts'

/** What the folder holds. */
export interface KnownTasks {
  /** Those that are data. */
  readonly tasks: ReadonlyMap<string, CustomTask>
  /** Those with code. */
  readonly code: ReadonlyMap<string, CodeTask>
  /** Both, as steps are written out by them. */
  readonly all: CustomTasks
  /** The catalogue and the custom tasks, by kind. */
  readonly specs: ReadonlyMap<string, TaskSpec>
  /** Why files can't be used, each `task_file_invalid` or `file_not_accessible` with its path. */
  readonly problems: readonly ErrorRecord[]
  /** The file of each task, by kind. */
  readonly homes: ReadonlyMap<string, string>
}

export interface CustomTaskFolder extends CustomTaskSource {
  /** What it holds now. The same object as long as nothing was written. */
  readonly look: () => Promise<KnownTasks>
  /** What it held when somebody last looked. */
  readonly known: () => KnownTasks
  /** Throws `task_file_invalid`, `task_holds_secret`, `task_kind_taken`, `file_not_accessible`. */
  readonly save: (task: JsonObject, options: { readonly replace: boolean }) => Promise<SavedTask>
  /** Tries the contract of a task with code, with nothing sent. Throws `task_not_found`. */
  readonly test: (kind: string) => Promise<readonly ContractCheck[]>
  /** Parameters of another version as those of the version that is here. Throws `task_not_found`, `task_migration_failed`. */
  readonly migrate: (kind: string, wish: MigrationWish) => Promise<MigratedParameters>
  /** Deletes a task's file and gives its path. Throws `task_not_found`, `file_not_accessible`. */
  readonly remove: (kind: string) => Promise<string>
}

/** A task that was written. */
export interface SavedTask {
  readonly task: CustomTask
  readonly path: string
}

interface TaskFile {
  readonly signature: string
  /** The last version that could be used. */
  readonly task: CustomTask | CodeTask | null
  readonly problem: ErrorRecord | null
}

/** Those of a folder that need not exist. */
export function createCustomTasks(folder: string, desk: CodeDesk = createCodeDesk()): CustomTaskFolder {
  let files = new Map<string, TaskFile>()
  let known = knownOf(files)
  const lookOnce = async (): Promise<KnownTasks> => {
    const next = new Map<string, TaskFile>()
    for (const path of await taskFiles(folder)) {
      const file = await lookAt(path, files.get(path) ?? null, desk)
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
    writeOut: async (document: WorkflowDocument) => writtenOut(document, (await look()).all),
    save: (task, { replace }) =>
      inTurn(async () => {
        const { homes } = await lookOnce()
        return writeTaskFile({
          ...{ task, folder, replace },
          homeOf: (kind) => homes.get(kind) ?? null,
          isOthers: (path, kind) => [...homes].some(([other, home]) => home === path && other !== kind),
        })
      }),
    test: async (kind) => {
      const task = (await look()).code.get(kind)
      if (task === undefined) throw noTask(kind, 'with code')
      return testContract(task, desk)
    },
    migrate: async (kind, wish) => {
      const { code, specs } = await look()
      const task = code.get(kind)
      if (task === undefined) throw noTask(kind, 'with code')
      return migrateParameters({ task, spec: specs.get(kind), desk }, wish)
    },
    remove: (kind) =>
      inTurn(async () => {
        const { homes } = await lookOnce()
        return removeTask(kind, homes.get(kind) ?? null)
      }),
  }
}

const noTask = (kind: string, which = ''): SagasmithError =>
  new SagasmithError('task_not_found', {
    message: `There is no custom task “${kind}” ${which}`.trim().concat('.'),
    details: { kind },
  })

async function removeTask(kind: string, path: string | null): Promise<string> {
  if (path === null) throw noTask(kind)
  try {
    await rm(path)
  } catch (thrown) {
    throw fileError(path, thrown)
  }
  return path
}

const endings = [taskFileEnding, ...codeFileEndings]

async function taskFiles(folder: string): Promise<readonly string[]> {
  try {
    const names = (await readdir(folder)).filter((name) => endings.some((ending) => name.endsWith(ending)))
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
async function lookAt(path: string, before: TaskFile | null, desk: CodeDesk): Promise<TaskFile | null> {
  try {
    const { mtimeMs, ctimeMs, size, ino } = await stat(path)
    const signature = `${mtimeMs}:${ctimeMs}:${size}:${ino}`
    if (before?.signature === signature) return before
    if (size > customTaskBytesMax) throw tooLargeTaskFile(path, size)
    const text = await readFile(path, 'utf8')
    const isCode = codeFileEndings.some((ending) => path.endsWith(ending))
    const task = isCode ? await desk.read(text, path) : readTaskFile(text, path)
    return { signature, task, problem: null }
  } catch (thrown) {
    if (isSystemError(thrown, 'ENOENT')) return null
    const error = thrown instanceof SagasmithError ? thrown : fileError(path, thrown)
    const problem = toErrorRecord(error)
    const isToldAlready = before?.problem?.message === problem.message
    return isToldAlready ? before : { signature: '', task: before?.task ?? null, problem }
  }
}

/** Of two files with one kind the first by name counts. */
function knownOf(files: ReadonlyMap<string, TaskFile>): KnownTasks {
  const tasks = new Map<string, CustomTask>()
  const code = new Map<string, CodeTask>()
  const all = new Map<string, CustomTask | CodeTask>()
  const problems: ErrorRecord[] = []
  const homes = new Map<string, string>()
  for (const [path, { task, problem }] of files) {
    if (problem !== null) problems.push(problem)
    if (task === null) continue
    const kinds = 'face' in task ? kindsOfCode(task.face) : [task.kind]
    const taken = kinds.find((kind) => homes.has(kind))
    if (taken !== undefined) {
      const message = `${homes.get(taken) ?? ''} has the kind “${taken}” already.`
      problems.push(toErrorRecord(invalidTaskFile(path, startOfFile, message)))
      continue
    }
    for (const kind of kinds) {
      homes.set(kind, path)
      all.set(kind, task)
    }
    if ('face' in task) code.set(task.face.kind, task)
    else tasks.set(task.kind, task)
  }
  const specs = withCodeTasks(withCustomTasks(taskSpecsByKind, tasks.values()), code.values())
  return { tasks, code, all, specs, problems, homes }
}
