/** New, open, save, import, export. */

import type { Designer } from '../../state/designer.ts'
import { isDirty } from '../../state/document-store.ts'
import { exportAs } from '../../state/export-files.ts'
import {
  importDocument,
  newDocument,
  openWithDialog,
  saveAs,
  saveDocument,
  showInFolder,
} from '../../state/files.ts'
import { canEdit } from '../../state/selectors.ts'
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
    run: (designer) => void exportAs(designer, { to: 'file', form: 'json' }),
  },
  {
    id: 'file.exportTs',
    title: 'Export as TypeScript',
    isEnabled: isOpen,
    run: (designer) => void exportAs(designer, { to: 'file', form: 'ts' }),
  },
  {
    id: 'file.exportSvg',
    title: 'Export as picture (SVG)',
    isEnabled: isOpen,
    run: (designer) => void exportAs(designer, { to: 'file', form: 'svg' }),
  },
  {
    id: 'file.exportPng',
    title: 'Export as picture (PNG)',
    isEnabled: isOpen,
    run: (designer) => void exportAs(designer, { to: 'file', form: 'png' }),
  },
  {
    id: 'file.copyTs',
    title: 'Copy as TypeScript',
    isEnabled: isOpen,
    run: (designer) => void exportAs(designer, { to: 'clipboard', form: 'ts' }),
  },
  {
    id: 'file.copyJson',
    title: 'Copy as JSON',
    isEnabled: isOpen,
    run: (designer) => void exportAs(designer, { to: 'clipboard', form: 'json' }),
  },
  {
    id: 'file.reveal',
    title: 'Show in its folder',
    isEnabled: (designer) => designer.desktop !== null && designer.document.getState().path !== null,
    run: (designer) => void showInFolder(designer),
  },
  {
    id: 'file.matchSecrets',
    title: 'Match its secrets with the vault …',
    isEnabled: canEdit,
    run: ({ view }) => view.getState().setDialog('match-secrets'),
  },
  {
    id: 'window.new',
    title: 'New window',
    isEnabled: ({ desktop }) => desktop !== null,
    run: ({ desktop }) => void desktop?.newWindow(null),
  },
  {
    id: 'file.home',
    title: 'Start page',
    // Behind a page of the engine it may be there already.
    isEnabled: (designer) => isOpen(designer) || designer.view.getState().enginePage !== null,
    run: showStartPage,
  },
])
