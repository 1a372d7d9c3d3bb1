/** The system's dialogs for choosing files and folders. */

import { basename, extname, join } from 'node:path'
import type { BrowserWindow, Dialog } from 'electron'
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

/** The place to save to, or null; the dialog itself asks before it names an existing file. */
export async function askWhereToSave(
  { dialog, startFolder }: DialogDeps,
  { window, suggestedName }: { readonly window: BrowserWindow; readonly suggestedName: string },
): Promise<string | null> {
  const { canceled, filePath } = await dialog.showSaveDialog(window, {
    title: 'Save workflow',
    defaultPath: join(startFolder, asWorkflowFileName(fileNameOf(suggestedName))),
    properties: ['createDirectory', 'showOverwriteConfirmation'],
    filters,
  })
  return canceled || filePath === '' ? null : filePath
}

/** The place for a file of its kind, or null; the dialog itself asks before it names an existing file. */
export async function askWhereToHandOver(
  { dialog, startFolder }: DialogDeps,
  { window, name }: { readonly window: BrowserWindow; readonly name: string },
): Promise<string | null> {
  const fileName = fileNameOf(name)
  const ending = extname(fileName).slice(1)
  const { canceled, filePath } = await dialog.showSaveDialog(window, {
    title: 'Save a copy',
    defaultPath: join(startFolder, fileName),
    properties: ['createDirectory', 'showOverwriteConfirmation'],
    filters: ending === '' ? [] : [{ name: ending.toUpperCase(), extensions: [ending] }],
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
