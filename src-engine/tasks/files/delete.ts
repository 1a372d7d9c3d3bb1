/** Deletes, and keeps what was deleted for as long as it may be wanted back. */

import type { Stats } from 'node:fs'
import { lstat, rm, unlink } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { SagasmithError } from '../../model/errors.ts'
import type { JsonObject } from '../../model/json.ts'
import { throwIfAborted } from '../abort.ts'
import { filePlace, isWithin, realPlace } from '../file-place.ts'
import type { TaskContext, TaskRun } from '../task.ts'
import { completed } from '../task.ts'
import { fileError, workflowPath } from '../workflow-path.ts'
import type { FileChange } from './changes.ts'
import { errnoOf, openKept } from './kept.ts'
import type { DeleteFileParameters } from './spec.ts'

export const deleteFileRun: TaskRun<DeleteFileParameters> = {
  async execute(parameters, context) {
    const named = workflowPath(parameters.path, context.baseDirectory)
    // The folder must be allowed; a link itself is deleted, not what it leads to.
    const path = join(await filePlace(dirname(named), context, 'read'), basename(named))
    await filePlace(path, context, 'write')
    await refuseRoots(path, context)
    throwIfAborted(context.signal)
    try {
      const output = await deleted(path, parameters, context)
      const words = output['deleted'] === true ? 'deleted' : 'was not there'
      context.log({ level: 'info', stream: 'task', text: `${path}: ${words}` })
      return completed(output)
    } catch (thrown) {
      throw fileError(thrown, parameters.path)
    }
  },
}

async function deleted(
  path: string,
  { folders, missing, keep }: DeleteFileParameters,
  context: TaskContext,
): Promise<JsonObject> {
  const found = await statOrNull(path)
  if (found === null && missing === 'fail' && !keep) throw nothingThere(path)
  if (found?.isDirectory() === true && !folders) throw isFolder(path)
  if (!keep) {
    if (found === null) return { path, deleted: false, undo: [] }
    await (found.isDirectory() ? rm(path, { recursive: true }) : unlink(path))
    return { path, deleted: true, undo: [] }
  }
  if (found === null && (await statOrNull(dirname(path))) === null) {
    if (missing === 'fail') throw nothingThere(path)
    return { path, deleted: false, undo: [] }
  }
  const kept = await openKept(path, context.idempotencyKey, context.clock)
  try {
    if (found !== null) await kept.keepMoved()
    if (!(await kept.has())) {
      if (missing === 'fail') throw nothingThere(path)
      return { path, deleted: false, undo: [] }
    }
    const undo: readonly FileChange[] = [{ kind: 'kept', path, kept: kept.path }]
    return { path, deleted: true, undo: undo.map((one) => ({ ...one })) }
  } finally {
    await kept.finish()
  }
}

const statOrNull = (path: string): Promise<Stats | null> =>
  lstat(path).catch((thrown: unknown) => {
    if (['ENOENT', 'ENOTDIR'].includes(errnoOf(thrown))) return null
    throw thrown
  })

/** A workflow may have a wrong value where it thinks a path is: these are never meant. */
async function refuseRoots(path: string, { baseDirectory }: TaskContext): Promise<void> {
  const roots = [homedir(), ...(baseDirectory === null ? [] : [baseDirectory])]
  for (const root of roots) {
    if (!isWithin(await realPlace(root), path)) continue
    throw new SagasmithError('file_place_denied', {
      message: `“${path}” is a folder that no step deletes: your own, the workflow’s, or one above.`,
      hint: 'Name what is to go inside of it.',
      details: { path },
    })
  }
}

const nothingThere = (path: string): SagasmithError =>
  new SagasmithError('file_not_found', { message: `“${path}” does not exist.`, details: { path } })

const isFolder = (path: string): SagasmithError =>
  new SagasmithError('file_not_accessible', {
    message: `“${path}” is a folder.`,
    hint: 'Turn on “Folders, too” when everything in it is to go.',
    details: { path },
  })
