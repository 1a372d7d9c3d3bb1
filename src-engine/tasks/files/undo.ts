/** Takes back changes of files, the last one first; what is back already stays. */

import { lstat, mkdir, rename, rm, rmdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { SagasmithError } from '../../model/errors.ts'
import { throwIfAborted } from '../abort.ts'
import { filePlace } from '../file-place.ts'
import type { TaskContext, TaskRun } from '../task.ts'
import { completed } from '../task.ts'
import { fileError } from '../workflow-path.ts'
import type { FileChange } from './changes.ts'
import { fileChanges } from './changes.ts'
import { exists } from './kept.ts'
import type { UndoFilesParameters } from './spec.ts'

export const undoFilesRun: TaskRun<UndoFilesParameters> = {
  async execute(parameters, context) {
    const undone: string[] = []
    for (const change of fileChanges(parameters.changes).toReversed()) {
      throwIfAborted(context.signal)
      if (await takenBack(change, context)) undone.push(placeOf(change))
    }
    context.log({ level: 'info', stream: 'task', text: `Taken back: ${undone.join(', ') || 'nothing'}` })
    return completed({ undone })
  },
}

const placeOf = (change: FileChange): string => (change.kind === 'moved' ? change.from : change.path)

async function takenBack(change: FileChange, context: TaskContext): Promise<boolean> {
  try {
    switch (change.kind) {
      case 'made':
        return await removed(change, await filePlace(change.path, context, 'write'))
      case 'moved':
        return await returned(change.to, change.from, context)
      default:
        return await returned(change.kept, change.path, context)
    }
  } catch (thrown) {
    throw fileError(thrown, placeOf(change))
  }
}

async function removed(
  { bytes, changedMs }: Extract<FileChange, { kind: 'made' }>,
  path: string,
): Promise<boolean> {
  if (!(await exists(path))) return false
  const { size, mtimeMs } = await lstat(path)
  if (size !== bytes || Math.abs(mtimeMs - changedMs) > 1) {
    throw new SagasmithError('task_failed', {
      message: `“${path}” was changed since the step made it: it is not removed.`,
      hint: 'Look at the file; remove it yourself, or skip this step of the rollback.',
      details: { path },
      retryable: false,
    })
  }
  await rm(path, { recursive: true })
  return true
}

async function returned(from: string, to: string, context: TaskContext): Promise<boolean> {
  const source = await filePlace(from, context, 'write')
  const target = await filePlace(to, context, 'write')
  // It is back already, or somebody took it.
  if (!(await exists(source))) return false
  if (await exists(target)) {
    throw new SagasmithError('file_exists', {
      message: `“${to}” can’t come back: something else is there now.`,
      hint: 'Look at both, move one away, and try again.',
      details: { path: to, kept: from },
    })
  }
  await mkdir(dirname(target), { recursive: true })
  await rename(source, target)
  // The place where it was kept goes when it is empty.
  await rmdir(dirname(source)).catch(() => null)
  await rmdir(dirname(dirname(source))).catch(() => null)
  return true
}
