/** A JSON value as text, with the place where it stops being JSON. Its undo is its own. */

import { lazy, Suspense, useId } from 'react'
import styles from './forms.module.css'
import { readJsonText } from './json-text.ts'

const CodeEditor = lazy(async () => ({ default: (await import('./widgets/CodeEditor.tsx')).CodeEditor }))

export function JsonEditor(props: {
  readonly label: string
  readonly text: string
  /** Whether writing can begin at once. Default true. */
  readonly takesFocus?: boolean
  readonly onChange: (text: string) => void
}) {
  const { label, text, takesFocus = true, onChange } = props
  const id = useId()
  const read = readJsonText(text)
  return (
    <div className={styles['json']}>
      <Suspense fallback={<pre className={styles['loading']}>{text}</pre>}>
        <CodeEditor
          id={id}
          label={label}
          text={text}
          language="json"
          placeholder=""
          isReadOnly={false}
          isInvalid={read.kind === 'fault'}
          isLarge
          hasOwnUndo
          takesFocus={takesFocus}
          onChange={onChange}
          onLeave={() => undefined}
        />
      </Suspense>
      <output data-tone={read.kind === 'fault' ? 'bad' : 'good'} data-testid="json-state">
        {read.kind === 'fault' ? read.message : 'Valid JSON'}
      </output>
    </div>
  )
}
