/** The editor of the code view: lines of what is selected stand out, a fault is underlined where it is. */

import { closeBrackets, closeBracketsKeymap } from '@codemirror/autocomplete'
import { history, historyKeymap } from '@codemirror/commands'
import { javascript } from '@codemirror/lang-javascript'
import { json } from '@codemirror/lang-json'
import {
  bracketMatching,
  codeFolding,
  foldGutter,
  foldKeymap,
  syntaxHighlighting,
} from '@codemirror/language'
import type { Extension, Range } from '@codemirror/state'
import { EditorState, StateEffect, StateField, Transaction } from '@codemirror/state'
import type { DecorationSet } from '@codemirror/view'
import { Decoration, EditorView, keymap, lineNumbers } from '@codemirror/view'
import type { CodeSpan } from '../../../src-engine/model/code/read-value.ts'
import { editorTheme, highlightStyle } from '../../forms/widgets/editor-theme.ts'
import { editorKeys } from '../../ui/editor-keys.ts'
import type { CodeForm, TextChange } from './code-text.ts'

export interface CodeMarks {
  readonly selected: readonly CodeSpan[]
  /** Of the field that is being filled in; null for none. */
  readonly field: CodeSpan | null
  /** Index into the text; null while there is none. */
  readonly fault: number | null
}

const setMarks = StateEffect.define<CodeMarks>()

const selectedLine = Decoration.line({ class: 'cm-ofSelected' })
const fieldLine = Decoration.line({ class: 'cm-ofField' })
const faultMark = Decoration.mark({ class: 'cm-fault' })

const marks = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (before, transaction) => {
    const effect = transaction.effects.find((each) => each.is(setMarks))
    return effect === undefined
      ? before.map(transaction.changes)
      : decorations(transaction.state, effect.value)
  },
  provide: (field) => EditorView.decorations.from(field),
})

function decorations({ doc }: EditorState, { selected, field, fault }: CodeMarks): DecorationSet {
  const lines = ({ start, end }: CodeSpan, line: Decoration): Range<Decoration>[] => {
    const first = doc.lineAt(Math.min(start, doc.length)).number
    const last = doc.lineAt(Math.min(end, doc.length)).number
    return Array.from({ length: last - first + 1 }, (_, index) => line.range(doc.line(first + index).from))
  }
  const ranges = selected.flatMap((span) => lines(span, selectedLine))
  if (field !== null) ranges.push(...lines(field, fieldLine))
  if (fault !== null && doc.length > 0) {
    const from = Math.min(fault, doc.length - 1)
    ranges.push(faultMark.range(from, from + 1))
  }
  return Decoration.set(ranges, true)
}

const look = EditorView.theme({
  '&': { height: '100%' },
  '.cm-gutters': { border: '0', backgroundColor: 'var(--sunken)', color: 'var(--text-3)' },
  '.cm-ofSelected': { backgroundColor: 'var(--accent-soft)', boxShadow: 'inset 2px 0 var(--accent)' },
  '.cm-ofField': {
    backgroundColor: 'color-mix(in srgb, var(--accent) 26%, transparent)',
    boxShadow: 'inset 4px 0 var(--accent)',
  },
  '.cm-fault': {
    textDecoration: 'underline wavy var(--tone-bad)',
    backgroundColor: 'color-mix(in srgb, var(--tone-bad) 18%, transparent)',
  },
  '.cm-foldPlaceholder': { border: '0', backgroundColor: 'var(--hover)', color: 'var(--text-2)' },
})

export interface CodeEditorEvents {
  readonly onText: (text: string) => void
  /** The cursor went there, by the person's own doing. */
  readonly onCursor: (index: number) => void
  readonly onLeave: () => void
  /** Text came in that wasn't typed. */
  readonly onBrought: () => void
}

export interface CodeEditorOptions {
  readonly root: ShadowRoot
  readonly form: CodeForm
  readonly text: string
  readonly label: string
  readonly isReadOnly: boolean
}

/** An editor in a shadow root: the page's content policy allows no style elements. */
export function openCodeEditor(options: CodeEditorOptions, events: CodeEditorEvents): EditorView {
  const { root, form, text, label, isReadOnly } = options
  const language: Extension = form === 'json' ? json() : javascript({ typescript: true })
  return new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: text,
      extensions: [
        editorTheme,
        look,
        syntaxHighlighting(highlightStyle),
        language,
        lineNumbers(),
        codeFolding(),
        foldGutter(),
        bracketMatching(),
        closeBrackets(),
        history(),
        marks,
        EditorState.readOnly.of(isReadOnly),
        EditorView.contentAttributes.of({ 'aria-label': label, 'data-writes': 'text' }),
        keymap.of([...closeBracketsKeymap, ...historyKeymap, ...foldKeymap, ...editorKeys]),
        EditorView.updateListener.of((update) => {
          const isOurs = update.transactions.some((each) => each.annotation(Transaction.remote) === true)
          if (isOurs) return
          if (update.docChanged) events.onText(update.state.doc.toString())
          else if (update.selectionSet) events.onCursor(update.state.selection.main.head)
        }),
        EditorView.domEventHandlers({
          blur: () => events.onLeave(),
          paste: () => events.onBrought(),
          drop: () => events.onBrought(),
        }),
      ],
    }),
  })
}

/** Brings the text to what the canvas says; not a step of the editor's own undo. */
export function changeText(editor: EditorView, change: TextChange): void {
  editor.dispatch({
    changes: change,
    annotations: [Transaction.addToHistory.of(false), Transaction.remote.of(true)],
  })
}

/** Marks lines and fault; `reveal` scrolls to the first line that is marked. */
export function mark(editor: EditorView, wanted: CodeMarks, reveal: boolean): void {
  const first = wanted.field ?? wanted.selected[0]
  const isSeen = !reveal || first === undefined || first.start > editor.state.doc.length
  editor.dispatch({
    effects: [
      setMarks.of(wanted),
      ...(isSeen
        ? []
        : [
            EditorView.scrollIntoView(first.start, {
              y: wanted.field === null ? 'start' : 'nearest',
              yMargin: 40,
            }),
          ]),
    ],
    annotations: Transaction.remote.of(true),
  })
}
