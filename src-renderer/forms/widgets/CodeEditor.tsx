/**
 * CodeMirror as a form field. It lives in a shadow root, where its styles are constructed sheets: the page's
 * content policy allows no style elements.
 */

import type { CompletionContext, CompletionResult } from '@codemirror/autocomplete'
import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from '@codemirror/autocomplete'
import { history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { javascript } from '@codemirror/lang-javascript'
import { json } from '@codemirror/lang-json'
import { bracketMatching, syntaxHighlighting } from '@codemirror/language'
import type { Extension } from '@codemirror/state'
import { EditorState } from '@codemirror/state'
import { EditorView, keymap, placeholder } from '@codemirror/view'
import { useEffect, useLayoutEffect, useRef } from 'react'
import { editorWords } from '../../text/code-words.ts'
import { editorKeys } from '../../ui/editor-keys.ts'
import type { CompletionMeans } from '../completion.ts'
import { completionsAt } from '../completion.ts'
import styles from '../forms.module.css'
import type { EndSeen } from '../schema-fields.ts'
import type { InsertDetail } from '../take-value.ts'
import { insertEvent } from '../take-value.ts'
import { useCompletion } from '../use-completion.ts'
import { valueDragType } from '../value-drag.ts'
import { codeCompletion } from './code-completion.ts'
import { editorTheme, highlightStyle } from './editor-theme.ts'
import { isScript, scriptLanguage } from './script-language.ts'

export interface CodeEditorProps {
  readonly id: string
  readonly label: string
  readonly text: string
  readonly language: string
  readonly placeholder: string
  readonly isReadOnly: boolean
  readonly isInvalid: boolean
  readonly isLarge: boolean
  /** Where its text is not part of the document. */
  readonly hasOwnUndo?: boolean
  /** Whether writing can begin at once. */
  readonly takesFocus?: boolean
  /** What of the step's own end it may read. */
  readonly sees?: EndSeen | null
  readonly onChange: (text: string) => void
  readonly onLeave: () => void
}

export function CodeEditor(props: CodeEditorProps) {
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView | null>(null)
  const latest = useRef(props)
  const completion = useCompletion({ sees: props.sees ?? null })
  const means = useRef(completion)
  useLayoutEffect(() => {
    latest.current = props
    means.current = completion
  })
  const { language, label, isReadOnly } = props
  useEffect(() => {
    const element = host.current
    if (element === null) return undefined
    const root = element.shadowRoot ?? element.attachShadow({ mode: 'open', delegatesFocus: true })
    const { text, placeholder: hint, hasOwnUndo } = latest.current
    const editor = new EditorView({
      root,
      parent: root,
      state: EditorState.create({
        doc: text,
        extensions: [
          editorTheme,
          syntaxHighlighting(highlightStyle),
          languageOf(language, () => means.current),
          bracketMatching(),
          closeBrackets(),
          EditorView.lineWrapping,
          EditorState.readOnly.of(isReadOnly),
          EditorView.contentAttributes.of({
            // It can be reached by keys as it is; said for those who look at the part that scrolls.
            tabindex: '0',
            ...{ 'aria-label': label, 'data-writes': 'text' },
            ...(indentsIn(language) && { 'aria-description': editorWords.leave }),
          }),
          placeholder(hint),
          // Elsewhere undo belongs to the document: every letter is an edit there already.
          ...(hasOwnUndo === true ? [history(), keymap.of(historyKeymap)] : []),
          keymap.of([
            ...closeBracketsKeymap,
            ...completionKeymap,
            ...editorKeys,
            ...(indentsIn(language) ? [indentWithTab] : []),
          ]),
          EditorView.updateListener.of((update) => {
            if (update.docChanged && update.state.doc.toString() !== latest.current.text)
              latest.current.onChange(update.state.doc.toString())
          }),
          EditorView.domEventHandlers({
            blur: () => latest.current.onLeave(),
            // The field that it stands in knows what the value's expression has to look like.
            drop: (event) => event.dataTransfer?.types.includes(valueDragType) === true,
          }),
        ],
      }),
    })
    view.current = editor
    const onInsert = (event: Event): void => insert(editor, (event as CustomEvent<InsertDetail>).detail)
    element.addEventListener(insertEvent, onInsert)
    if (latest.current.takesFocus === true) editor.focus()
    return () => {
      element.removeEventListener(insertEvent, onInsert)
      editor.destroy()
    }
  }, [language, label, isReadOnly])
  // With the page, not after it: what is written in between is newer than what the page was drawn with.
  useLayoutEffect(() => {
    const editor = view.current
    if (editor === null || editor.state.doc.toString() === props.text) return
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: props.text } })
  }, [props.text])
  return (
    <>
      <div
        ref={host}
        id={props.id}
        className={styles['editor']}
        data-large={props.isLarge || undefined}
        data-invalid={props.isInvalid || undefined}
        data-writes="text"
        // A dialog that opens around it begins here, too.
        data-focus={props.takesFocus === true ? '' : undefined}
        data-takes-inserts={isReadOnly ? undefined : ''}
        data-frees-tab={indentsIn(language) && !isReadOnly ? '' : undefined}
        data-testid={`editor-${label}`}
        // No tab index: a negative one would take what is inside out of the order of the keyboard, too.
        onFocus={() => view.current?.focus()}
      />
      {indentsIn(language) && !isReadOnly && (
        <small className={styles['leave']} aria-hidden>
          {editorWords.leave}
        </small>
      )}
    </>
  )
}

/** Code with lines that stand further in: there the key of the next field indents. */
const indentsIn = (language: string): boolean =>
  /^(java|type)script$|^node$/.test(language) || isScript(language)

/** The editor filters no more: what is offered fits what is typed already. */
async function completed(
  context: CompletionContext,
  means: CompletionMeans,
): Promise<CompletionResult | null> {
  const text = context.state.sliceDoc(0, context.pos)
  if (text.trim() === '' && !context.explicit) return null
  const found = await completionsAt(text, means)
  return found === null ? null : { from: found.from, options: found.options, filter: false }
}

/** Puts the text where it was dropped, or where the cursor is. */
function insert(editor: EditorView, { text, at }: InsertDetail): void {
  const place = at === null ? editor.state.selection.main.head : editor.posAtCoords(at, false)
  editor.dispatch({
    changes: { from: place, insert: text },
    selection: { anchor: place + text.length },
    userEvent: 'input.drop',
  })
  editor.focus()
}

function languageOf(language: string, means: () => CompletionMeans): Extension {
  switch (language) {
    case 'javascript':
    case 'node':
      return [javascript(), ...(language === 'javascript' ? [codeCompletion(means)] : []), autocompletion()]
    case 'typescript':
      return [javascript({ typescript: true }), codeCompletion(means), autocompletion()]
    case 'json':
      return json()
    case 'jsonata':
      // JSONata reads enough like JavaScript to be coloured by it.
      return [javascript(), autocompletion({ override: [(context) => completed(context, means())] })]
    default:
      return isScript(language) ? scriptLanguage(language) : []
  }
}
