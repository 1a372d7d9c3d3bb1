/** The system's dialogs for choosing files and folders. */

import { basename, extname, join } from 'node:path'
import type { BrowserWindow, Dialog, FileFilter } from 'electron'
import { asWorkflowFileName, workflowFileEndings } from '../../src-engine/model/workflow-file.ts'

export interface DialogDeps {
  readonly dialog: Pick<Dialog, 'showOpenDialog' | 'showSaveDialog'>
  /** The folder shown first. */
  readonly startFolder: string
}

const filters = [
  { name: 'Workflows', extensions: workflowFileEndings.map((ending) => ending.slice(1)) },
  { name: 'All files', extensions: ['*'] },
]

/** The chosen path, or null when the person changed their mind. */
export async function askForWorkflow(
  { dialog, startFolder }: DialogDeps,
  window: BrowserWindow,
): Promise<string | null> {
  const { canceled, filePaths } = await dialog.showOpenDialog(window, {
    title: 'Open workflow',
    defaultPath: startFolder,
    properties: ['openFile'],
    filters,
  })
  return canceled ? null : (filePaths[0] ?? null)
}

/** Letters, digits and a few marks: what every file system takes. */
function fileNameOf(suggestion: string): string {
  const cleaned = basename(suggestion)
    .replace(/[^\p{L}\p{N} ._-]+/gu, '-')
    .trim()
  return cleaned === '' || cleaned.startsWith('.') ? 'workflow' : cleaned
}

/** The place to save to, or null. */
export const askWhereToSave = (
  deps: DialogDeps,
  { window, suggestedName }: { readonly window: BrowserWindow; readonly suggestedName: string },
): Promise<string | null> =>
  askForPlace(deps, window, {
    title: 'Save workflow',
    fileName: asWorkflowFileName(fileNameOf(suggestedName)),
    filters,
  })

/** The place for a file of its kind, or null. */
export function askWhereToHandOver(
  deps: DialogDeps,
  { window, name }: { readonly window: BrowserWindow; readonly name: string },
): Promise<string | null> {
  const fileName = fileNameOf(name)
  const ending = extname(fileName).slice(1)
  return askForPlace(deps, window, {
    title: 'Save a copy',
    fileName,
    filters: ending === '' ? [] : [{ name: ending.toUpperCase(), extensions: [ending] }],
  })
}

/** The dialog itself asks before it names an existing file. */
async function askForPlace(
  { dialog, startFolder }: DialogDeps,
  window: BrowserWindow,
  offered: { readonly title: string; readonly fileName: string; readonly filters: FileFilter[] },
): Promise<string | null> {
  const { title, fileName, filters: kinds } = offered
  const { canceled, filePath } = await dialog.showSaveDialog(window, {
    title,
    defaultPath: join(startFolder, fileName),
    properties: ['createDirectory', 'showOverwriteConfirmation'],
    filters: kinds,
  })
  return canceled || filePath === '' ? null : filePath
}

/** A file of any kind, or a folder; null when the person changed their mind. */
export async function askForPath(
  { dialog, startFolder }: DialogDeps,
  { window, kind }: { readonly window: BrowserWindow; readonly kind: 'file' | 'folder' },
): Promise<string | null> {
  const { canceled, filePaths } = await dialog.showOpenDialog(window, {
    title: kind === 'file' ? 'Choose a file' : 'Choose a folder',
    defaultPath: startFolder,
    properties: kind === 'file' ? ['openFile', 'promptToCreate'] : ['openDirectory', 'createDirectory'],
  })
  return canceled ? null : (filePaths[0] ?? null)
}
