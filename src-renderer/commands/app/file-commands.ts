/** New, open, save, import, export. */

import type { Designer } from '../../state/designer.ts'
import { isDirty } from '../../state/document-store.ts'
import { copyAs, exportAs } from '../../state/export-files.ts'
import { importDocument, newDocument, openWithDialog, saveAs, saveDocument } from '../../state/files.ts'
import { showStartPage } from '../../state/tabs/tabs.ts'
import { commandsOf } from './app-command.ts'

const isOpen = (designer: Designer): boolean => designer.document.getState().isOpen

export const fileCommands = commandsOf('File', [
  {
    id: 'file.new',
    title: 'New workflow',
    run: newDocument,
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
  {
    id: 'file.history',
    title: 'History and checkpoints …',
    isEnabled: isOpen,
    run: (designer) => designer.view.getState().setDialog('history'),
  },
  { id: 'file.import', title: 'Import from file …', run: (designer) => void importDocument(designer) },
  {
    id: 'file.export',
    title: 'Export as JSON',
    isEnabled: isOpen,
    run: (designer) => void exportAs(designer, 'json'),
  },
  {
    id: 'file.exportTs',
    title: 'Export as TypeScript',
    isEnabled: isOpen,
    run: (designer) => void exportAs(designer, 'ts'),
  },
  {
    id: 'file.exportSvg',
    title: 'Export as picture (SVG)',
    isEnabled: isOpen,
    run: (designer) => void exportAs(designer, 'svg'),
  },
  {
    id: 'file.exportPng',
    title: 'Export as picture (PNG)',
    isEnabled: isOpen,
    run: (designer) => void exportAs(designer, 'png'),
  },
  {
    id: 'file.copyTs',
    title: 'Copy as TypeScript',
    isEnabled: isOpen,
    run: (designer) => void copyAs(designer, 'ts'),
  },
  {
    id: 'file.copyJson',
    title: 'Copy as JSON',
    isEnabled: isOpen,
    run: (designer) => void copyAs(designer, 'json'),
  },
  {
    id: 'window.new',
    title: 'New window',
    isEnabled: ({ desktop }) => desktop !== null,
    run: ({ desktop }) => void desktop?.newWindow(),
  },
  { id: 'file.home', title: 'Start page', isEnabled: isOpen, run: showStartPage },
])
