/** The value that an expression gives on the data of the shown run. */

import { preview } from '../text/messages.ts'
import { dataNodeOf, useForm } from './form-context.ts'
import styles from './forms.module.css'
import type { EndSeen } from './schema-fields.ts'
import { usePreview } from './use-preview.ts'

const shownCharsMax = 220

export function ExpressionPreview({
  text,
  mode,
  sees = null,
  isSaid = false,
}: {
  readonly text: string
  /** What is wrong is said below it already: of that only the place in the text is shown. */
  readonly isSaid?: boolean
  readonly mode: 'expression' | 'template'
  readonly sees?: EndSeen | null
}) {
  const form = useForm()
  const { isPreviewed = true } = form
  const nodeId = isPreviewed ? dataNodeOf(form, mode === 'expression' ? 'expression' : 'text') : null
  const result = usePreview({ text, mode, nodeId, sees })
  if (nodeId === null || result === null) return null
  if (result.kind === 'no-data')
    return (
      <p className={styles['preview']} data-kind="none">
        {preview.noData}
      </p>
    )
  if (result.kind === 'problem')
    return (
      <p className={styles['preview']} data-kind="problem">
        <ProblemPlace text={text} position={result.position} />
        {!isSaid && result.message}
      </p>
    )
  const json = JSON.stringify(result.value, null, 1)?.replaceAll(/\s*\n\s*/g, ' ') ?? 'nothing'
  return (
    <p
      className={styles['preview']}
      data-kind="value"
      title={json.slice(0, 2_000)}
      data-testid="expression-preview"
    >
      <b>=</b> {json.length > shownCharsMax ? `${json.slice(0, shownCharsMax)}…` : json}
    </p>
  )
}

/** Around the place where reading stopped, so that it is found in a long expression. */
function ProblemPlace({ text, position }: { readonly text: string; readonly position: number | null }) {
  if (position === null || position > text.length || text.trim() === '') return null
  const start = Math.max(0, position)
  const before = text.slice(Math.max(0, start - placeChars), start)
  return (
    <code className={styles['place']} aria-hidden>
      {start > placeChars ? '…' : ''}
      {before}
      <mark>{text.slice(start, start + 1) || '␣'}</mark>
      {text.slice(start + 1, start + placeChars)}
    </code>
  )
}

/** Characters shown on either side of a mistake. */
const placeChars = 24
