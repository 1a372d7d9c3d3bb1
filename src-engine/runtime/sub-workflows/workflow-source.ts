/** Where the engine finds the workflows that steps name; the shell has the files. */

import { dirname, isAbsolute, resolve } from 'node:path'
import type { WorkflowDocument } from '../../model/workflow.ts'
import { isWorkflowFileName } from '../../model/workflow-file.ts'

export interface FoundWorkflow {
  readonly document: WorkflowDocument
  /** Where relative paths of its tasks start; null when it has no place on disk. */
  readonly folder: string | null
}

export interface WorkflowSource {
  /**
   * The workflow as it is now, by its id in the library or by the path of its file; a relative path starts
   * at the folder. Null when there is none. Throws what makes its file unreadable.
   */
  readonly find: (reference: string, folder: string | null) => Promise<FoundWorkflow | null>
}

/** For engines that nobody gave one: no step finds a workflow by name. */
export const noWorkflows: WorkflowSource = { find: () => Promise.resolve(null) }

/** Whether a reference names a file; ids have no ending. */
export const isFileReference = isWorkflowFileName

/** The file that is meant; null for a relative path without a folder to start from. */
export function referencedFile(reference: string, folder: string | null): string | null {
  if (isAbsolute(reference)) return resolve(reference)
  return folder === null ? null : resolve(folder, reference)
}

/** Where the tasks of a referenced workflow start: beside its file, or where its parent's do. */
export function folderOf(reference: string, folder: string | null): string | null {
  if (!isFileReference(reference)) return folder
  const file = referencedFile(reference, folder)
  return file === null ? null : dirname(file)
}
