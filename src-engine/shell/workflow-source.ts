/** The workflows that steps start: by id those of the workspace folder, by path any workflow file. */

import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { SagasmithError } from '../model/errors.ts'
import { readDocument } from '../model/read-document.ts'
import type { WorkflowDocument } from '../model/workflow.ts'
import type { CustomTaskSource } from '../runtime/custom-task-source.ts'
import { noCustomTasks } from '../runtime/custom-task-source.ts'
import type { WorkflowSource } from '../runtime/sub-workflows/workflow-source.ts'
import { isFileReference, referencedFile } from '../runtime/sub-workflows/workflow-source.ts'
import { isSystemError } from './atomic-file.ts'
import { readWorkflowFile, withPath } from './library.ts'
import { libraryDepthMax, workflowFiles } from './library-list.ts'

/** A source over a workspace folder that exists; custom tasks are written out. */
export function createWorkflowSource(
  workspace: string,
  customTasks: CustomTaskSource = noCustomTasks,
): WorkflowSource {
  const fileOf = createIdIndex(workspace)
  return {
    find: async (reference, folder) => {
      const isFile = isFileReference(reference)
      const path = isFile ? referencedFile(reference, folder) : await fileOf(reference)
      if (path === null) return null
      try {
        const document = await customTasks.writeOut(await documentAt(path))
        // A workflow of the library works where its parent does.
        return { document, folder: isFile ? dirname(path) : folder }
      } catch (thrown) {
        if (thrown instanceof SagasmithError && thrown.code === 'file_not_found') return null
        throw thrown
      }
    },
  }
}

async function documentAt(path: string): Promise<WorkflowDocument> {
  const read = readDocument((await readWorkflowFile(path)).toString('utf8'))
  if (!read.ok) throw withPath(read.error, path)
  return read.value.document
}

/** Which file has a workflow's id; a file is read again only when its size or time changed. */
function createIdIndex(workspace: string): (id: string) => Promise<string | null> {
  let known = new Map<string, { readonly signature: string; readonly id: string | null }>()
  return async (id) => {
    const next: typeof known = new Map()
    for (const path of await filesOf(workspace)) {
      const signature = await signatureOf(path)
      const before = known.get(path)
      next.set(path, before?.signature === signature ? before : { signature, id: await idAt(path) })
    }
    known = next
    for (const [path, entry] of next) if (entry.id === id) return path
    return null
  }
}

/** None where nobody made the folder: runners of a data file may have no library. */
async function filesOf(workspace: string): Promise<readonly string[]> {
  try {
    return await workflowFiles(workspace, libraryDepthMax)
  } catch (thrown) {
    if (isSystemError(thrown, 'ENOENT')) return []
    throw thrown
  }
}

/** Differs from all others when the file is gone. */
async function signatureOf(path: string): Promise<string> {
  try {
    const { mtimeMs, size } = await stat(path)
    return `${mtimeMs}:${size}`
  } catch (thrown) {
    if (isSystemError(thrown, 'ENOENT')) return 'gone'
    throw thrown
  }
}

/** Null for JSON that is no workflow, such as the data beside one, and for a file that is gone meanwhile. */
async function idAt(path: string): Promise<string | null> {
  try {
    return (await documentAt(path)).id
  } catch (thrown) {
    if (thrown instanceof SagasmithError) return null
    throw thrown
  }
}
