/** Canvas and code, each following the other: which text stands in the editor, and what becomes of an edit. */

import type { EditorView } from '@codemirror/view'
import type { CodePlaces } from '../../../src-engine/model/code/read-value.ts'
import type { WorkflowDocument } from '../../../src-engine/model/workflow.ts'
import { taskSpecsByKind } from '../../../src-engine/tasks/specs.ts'
import { triggerSpecsByKind } from '../../../src-engine/triggers/specs.ts'
import { takeCode } from '../../commands/take-code.ts'
import type { Designer } from '../../state/designer.ts'
import { fieldTab } from '../../state/field-tab.ts'
import { shownDocument } from '../../state/selectors.ts'
import { changeText, mark, openCodeEditor } from './code-editor.ts'
import type { CodeFault, CodeForm } from './code-text.ts'
import {
  changeBetween,
  codeTextOf,
  fieldAt,
  inLine,
  readCodeText,
  selectionAt,
  spanOfField,
  spansOf,
} from './code-text.ts'

const known = { tasks: taskSpecsByKind, triggers: triggerSpecsByKind }
/** A pause in writing: until then a text that can't be read yet is no mistake. */
const readAfterMs = 250
/** A longer pause ends the undo step. */
const stepAfterMs = 1_500

export interface CodeStanding {
  readonly fault: CodeFault | null
  /** True when the canvas went on while the code couldn't be read. */
  readonly isBehind: boolean
}

export interface CodeSession {
  /** Throws the code away for what the canvas says. */
  readonly takeCanvas: () => void
  readonly close: () => void
}

export interface CodeSessionOptions {
  readonly designer: Designer
  readonly root: ShadowRoot
  readonly form: CodeForm
  readonly isReadOnly: boolean
  readonly tell: (standing: CodeStanding) => void
}

/** What a session knows between two moments. */
interface Open extends CodeSessionOptions {
  readonly editor: EditorView
  places: CodePlaces
  /** The document that the text stands for. */
  shown: WorkflowDocument | null
  standing: CodeStanding
  isOwnSelection: boolean
  isTaking: boolean
  /** Whether there is text that nobody has looked at. */
  isUnread: boolean
  stopReading: () => void
  stopStep: () => void
}

const nothing = (): void => undefined

/** An editor on the document that the canvas shows, until it is closed. */
export function openCodeSession(options: CodeSessionOptions): CodeSession {
  const { designer, root, form, isReadOnly } = options
  const label = form === 'json' ? 'Workflow as JSON' : 'Workflow as TypeScript'
  const text = codeTextOf(shownDocument(designer), form, known)
  const editor = openCodeEditor(
    { root, form, text, label, isReadOnly },
    {
      onText: () => {
        open.stopReading()
        open.isUnread = true
        open.stopReading = designer.ambient.after(readAfterMs, () => take(open))
      },
      onCursor: (index) => select(open, index),
      // Whose it is, nobody knows: what reaches further by it is asked about.
      onBrought: () => designer.trust.getState().doubt(),
      onLeave: () => designer.document.getState().endGesture(),
    },
  )
  const open: Open = {
    ...options,
    editor,
    places: new Map(),
    shown: null,
    standing: { fault: null, isBehind: false },
    isOwnSelection: false,
    isTaking: false,
    isUnread: false,
    stopReading: nothing,
    stopStep: nothing,
  }
  show(open, shownDocument(designer))
  remark(open, true)
  // Written a moment ago, and another document comes to the front.
  const settle = (): void => {
    if (!open.isUnread) return
    open.stopReading()
    take(open)
    designer.document.getState().endGesture()
  }
  designer.settle.add(settle)
  const stops = [
    () => designer.settle.delete(settle),
    designer.document.subscribe(() => follow(open)),
    designer.runs.subscribe(() => follow(open)),
    designer.view.subscribe((state, before) => {
      if (state.selection !== before.selection || state.focusedField !== before.focusedField)
        remark(open, !open.isOwnSelection)
    }),
  ]
  return {
    takeCanvas: () => show(open, shownDocument(designer)),
    close: () => {
      for (const stop of [...stops, open.stopReading, open.stopStep]) stop()
      editor.destroy()
    },
  }
}

function stand(open: Open, standing: CodeStanding): void {
  open.standing = standing
  open.tell(standing)
}

function remark({ editor, designer, places, standing: { fault } }: Open, reveal: boolean): void {
  const { selection, focusedField } = designer.view.getState()
  const selected = fault === null ? spansOf(places, selection) : []
  // The field had the keyboard while its step was selected.
  const isMeant = fault === null && focusedField !== null && selection.nodes.includes(focusedField.nodeId)
  const field = isMeant ? spanOfField(places, focusedField) : null
  mark(editor, { selected, field, fault: fault?.index ?? null }, reveal)
}

/** Brings the text to what the canvas says. */
function show(open: Open, document: WorkflowDocument): void {
  const { editor, form } = open
  const change = changeBetween(editor.state.doc.toString(), codeTextOf(document, form, known))
  if (change !== null) changeText(editor, change)
  const reading = readCodeText(editor.state.doc.toString(), form)
  if (reading.kind === 'document') open.places = reading.places
  open.shown = document
  stand(open, { fault: null, isBehind: false })
  remark(open, false)
}

/** Brings the canvas to what the text says. */
function take(open: Open): void {
  const { editor, form, designer } = open
  open.isUnread = false
  const reading = readCodeText(editor.state.doc.toString(), form)
  if (reading.kind === 'fault') {
    stand(open, { fault: reading.fault, isBehind: open.standing.isBehind })
    return remark(open, false)
  }
  const store = designer.document
  open.places = reading.places
  // The store tells of it at once, and the text stands for it already.
  open.isTaking = true
  store.getState().edit(takeCode(reading.document))
  open.isTaking = false
  open.shown = shownDocument(designer)
  stand(open, { fault: null, isBehind: false })
  remark(open, false)
  open.stopStep()
  open.stopStep = designer.ambient.after(stepAfterMs, () => store.getState().endGesture())
}

function follow(open: Open): void {
  const document = shownDocument(open.designer)
  if (document === open.shown || open.isTaking) return
  if (open.standing.fault === null) show(open, document)
  else stand(open, { ...open.standing, isBehind: true })
}

function select(open: Open, index: number): void {
  const chosen = open.standing.fault === null ? selectionAt(open.places, index) : null
  if (chosen === null) return
  const { view } = open.designer
  open.isOwnSelection = true
  view.getState().select(chosen)
  open.isOwnSelection = false
  const place = fieldAt(open.places, inLine(open.editor.state.doc.lineAt(index), index))
  view.getState().pointAtField(place)
  // Whoever looks at data of a run or a step goes on doing so.
  const { inspectorTab } = view.getState().panels
  if (place === null || inspectorTab === 'run' || inspectorTab === 'input') return
  const tab = fieldTab(place.field)
  if (tab !== inspectorTab) view.getState().setPanels({ inspectorTab: tab })
}
