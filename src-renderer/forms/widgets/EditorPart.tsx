/** The editor of code, which is large: it is loaded beside the page once that has time, or when it is first shown. */

import type { ComponentType } from 'react'
import { lazy, Suspense, useState } from 'react'
import styles from '../forms.module.css'
import type { CodeEditorProps } from './CodeEditor.tsx'

let loaded: ComponentType<CodeEditorProps> | null = null

async function load(): Promise<{ readonly default: ComponentType<CodeEditorProps> }> {
  const { CodeEditor } = await import('./CodeEditor.tsx')
  loaded = CodeEditor
  return { default: CodeEditor }
}

const Loading = lazy(load)

/** Loads it when the page has nothing else to do. Then a field that is shown can be written into at once. */
export function loadEditorWhenIdle(): void {
  requestIdleCallback(() => void load().catch(() => null))
}

/** The editor; until it is there, its text. */
export function EditorPart(props: CodeEditorProps) {
  // What began with the one stays with it: the other would be another editor.
  const [Editor] = useState<ComponentType<CodeEditorProps>>(() => loaded ?? Loading)
  return (
    <Suspense fallback={<pre className={styles['loading']}>{props.text}</pre>}>
      <Editor {...props} />
    </Suspense>
  )
}
