/** A JSON value as text, with the place where it stops being JSON. Its undo is its own. */

import { useId } from 'react'
import styles from './forms.module.css'
import { readJsonText } from './json-text.ts'
import { EditorPart } from './widgets/EditorPart.tsx'

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
      <EditorPart
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
      <output data-tone={read.kind === 'fault' ? 'bad' : 'good'} data-testid="json-state">
        {read.kind === 'fault' ? read.message : 'Valid JSON'}
      </output>
    </div>
  )
}
