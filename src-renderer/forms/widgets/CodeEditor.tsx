/**
 * CodeMirror as a form field. It lives in a shadow root, where its styles are constructed sheets: the page's
 * content policy allows no style elements.
 */

import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { javascript } from '@codemirror/lang-javascript'
import { json } from '@codemirror/lang-json'
import { bracketMatching, syntaxHighlighting } from '@codemirror/language'
import type { Extension } from '@codemirror/state'
import { EditorState } from '@codemirror/state'
import { EditorView, keymap, placeholder } from '@codemirror/view'
import { useEffect, useLayoutEffect, useRef } from 'react'
import { useDesigner } from '../../state/context.ts'
import styles from '../forms.module.css'
import { editorTheme, highlightStyle } from './editor-theme.ts'
import { expressionCompletion } from './expression-completion.ts'

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
  readonly onChange: (text: string) => void
  readonly onLeave: () => void
}

export function CodeEditor(props: CodeEditorProps) {
  const designer = useDesigner()
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView | null>(null)
  const latest = useRef(props)
  useLayoutEffect(() => {
    latest.current = props
  })
  const { language, label, isReadOnly } = props
  useEffect(() => {
    const element = host.current
    if (element === null) return undefined
    const root = element.shadowRoot ?? element.attachShadow({ mode: 'open' })
    const { text, placeholder: hint, hasOwnUndo } = latest.current
    const editor = new EditorView({
      root,
      parent: root,
      state: EditorState.create({
        doc: text,
        extensions: [
          editorTheme,
          syntaxHighlighting(highlightStyle),
          languageOf(language, () => designer.document.getState().history.document),
          bracketMatching(),
          closeBrackets(),
          EditorView.lineWrapping,
          EditorState.readOnly.of(isReadOnly),
          EditorView.contentAttributes.of({ 'aria-label': label, 'data-writes': 'text' }),
          placeholder(hint),
          // Elsewhere undo belongs to the document: every letter is an edit there already.
          ...(hasOwnUndo === true ? [history(), keymap.of(historyKeymap)] : []),
          keymap.of([
            ...closeBracketsKeymap,
            ...completionKeymap,
            ...defaultKeymap,
            ...(language === 'javascript' ? [indentWithTab] : []),
          ]),
          EditorView.updateListener.of((update) => {
            if (update.docChanged && update.state.doc.toString() !== latest.current.text)
              latest.current.onChange(update.state.doc.toString())
          }),
          EditorView.domEventHandlers({ blur: () => latest.current.onLeave() }),
        ],
      }),
    })
    view.current = editor
    if (latest.current.takesFocus === true) editor.focus()
    return () => editor.destroy()
  }, [designer, language, label, isReadOnly])
  useEffect(() => {
    const editor = view.current
    if (editor === null || editor.state.doc.toString() === props.text) return
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: props.text } })
  }, [props.text])
  return (
    <div
      ref={host}
      id={props.id}
      className={styles['editor']}
      data-large={props.isLarge || undefined}
      data-invalid={props.isInvalid || undefined}
      data-writes="text"
      data-testid={`editor-${label}`}
      tabIndex={-1}
      onFocus={() => view.current?.focus()}
    />
  )
}

type DocumentSource = Parameters<typeof expressionCompletion>[0]

function languageOf(language: string, document: DocumentSource): Extension {
  switch (language) {
    case 'javascript':
      return [javascript(), autocompletion()]
    case 'json':
      return json()
    case 'jsonata':
      // JSONata reads enough like JavaScript to be coloured by it.
      return [javascript(), autocompletion({ override: [expressionCompletion(document)] })]
    default:
      return []
  }
}
