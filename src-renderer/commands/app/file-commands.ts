/** New, open, save, import, export. */

import type { Designer } from '../../state/designer.ts'
import { isDirty } from '../../state/document-store.ts'
import {
  exportDocument,
  goHome,
  importDocument,
  newDocument,
  openWithDialog,
  saveAs,
  saveDocument,
} from '../../state/files.ts'
import { commandsOf } from './app-command.ts'

const isOpen = (designer: Designer): boolean => designer.document.getState().isOpen

export const fileCommands = commandsOf('File', [
  {
    id: 'file.new',
    title: 'New workflow',
    run: (designer) => void newDocument(designer),
  },
  { id: 'file.open', title: 'Open …', run: (designer) => void openWithDialog(designer) },
  {
    id: 'file.save',
    title: 'Save',
    isEnabled: (designer) =>
      isOpen(designer) &&
      (isDirty(designer.document.getState()) || designer.document.getState().path === null),
    run: (designer) => void saveDocument(designer),
  },
  {
    id: 'file.saveAs',
    title: 'Save as …',
    isEnabled: isOpen,
    run: (designer) => void saveAs(designer),
  },
  { id: 'file.import', title: 'Import from file …', run: (designer) => void importDocument(designer) },
  {
    id: 'file.export',
    title: 'Export as file',
    isEnabled: isOpen,
    run: (designer) => exportDocument(designer),
  },
  { id: 'file.home', title: 'Start page', isEnabled: isOpen, run: (designer) => void goHome(designer) },
])
