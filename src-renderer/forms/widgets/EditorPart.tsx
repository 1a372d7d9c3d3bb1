/** The editor of code, which is large: it is loaded beside the page once that has time, or when it is first shown. */

import type { ComponentType } from 'react'
import { lazy, Suspense, useState } from 'react'
import type { Millis } from '../../../src-engine/model/time.ts'
import styles from '../forms.module.css'
import type { CodeEditorProps } from './CodeEditor.tsx'

let loaded: ComponentType<CodeEditorProps> | null = null

async function load(): Promise<{ readonly default: ComponentType<CodeEditorProps> }> {
  const { CodeEditor } = await import('./CodeEditor.tsx')
  loaded = CodeEditor
  return { default: CodeEditor }
}

const Loading = lazy(load)

/** Not every browser tells when it is idle: then it is guessed. */
const guessMs: Millis = 1_000

/** Loads it when the page has nothing else to do. Then a field that is shown can be written into at once. */
export function loadEditorWhenIdle(): void {
  const begin = (): void => void load().catch(() => null)
  if ('requestIdleCallback' in window) window.requestIdleCallback(begin)
  else globalThis.setTimeout(begin, guessMs)
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
