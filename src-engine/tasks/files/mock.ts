/** What steps with files tell where nothing on the disk may be touched. */

import type { TaskMock } from '../mock.ts'
import { sayLeftOut } from '../mock.ts'
import { completed } from '../task.ts'
import { workflowPath } from '../workflow-path.ts'
import type {
  CopyFileParameters,
  DeleteFileParameters,
  UndoFilesParameters,
  UnzipFileParameters,
  ZipFilesParameters,
} from './spec.ts'

export const copyFileMock: TaskMock<CopyFileParameters> = ({ from, to, mode }, context) => {
  const place = (path: string): string => workflowPath(path, context.baseDirectory)
  sayLeftOut(context, `${from} was not ${mode === 'move' ? 'moved' : 'copied'} to ${to}.`)
  return completed({ from: place(from), to: place(to), bytes: 0, skipped: false, undo: [] })
}

export const deleteFileMock: TaskMock<DeleteFileParameters> = ({ path }, context) => {
  sayLeftOut(context, `${path} was not deleted.`)
  return completed({ path: workflowPath(path, context.baseDirectory), deleted: true, undo: [] })
}

export const zipFilesMock: TaskMock<ZipFilesParameters> = ({ from, to }, context) => {
  sayLeftOut(context, `${from} was not packed.`)
  return completed({ path: workflowPath(to, context.baseDirectory), files: 0, bytes: 0, undo: [] })
}

export const unzipFileMock: TaskMock<UnzipFileParameters> = ({ from, to }, context) => {
  sayLeftOut(context, `${from} was not unpacked.`)
  return completed({ folder: workflowPath(to, context.baseDirectory), files: [], count: 0, undo: [] })
}

export const undoFilesMock: TaskMock<UndoFilesParameters> = (_parameters, context) => {
  sayLeftOut(context, 'no change of files was taken back.')
  return completed({ undone: [] })
}
