/** An expression that may be written as one, or as fields that are filled one by one. */

import { useState } from 'react'
import { mappingWords as words } from '../../text/mapping-words.ts'
import { ExpressionPreview } from '../ExpressionPreview.tsx'
import { CodeField } from '../widgets/CodeField.tsx'
import type { WidgetProps } from '../widgets/widget-props.ts'
import { mappingOf } from './field-mapping.ts'
import styles from './Mapping.module.css'
import { MappingForm } from './MappingForm.tsx'
import { emptyMapping, writtenMapping } from './mapping-edits.ts'

export function MappedExpression(props: WidgetProps) {
  const { value, path, isInvalid, onChange } = props
  const text = typeof value === 'string' ? value : ''
  const [view, setView] = useState<'fields' | 'expression'>(
    writtenMapping(text) === null ? 'expression' : 'fields',
  )
  const mapping = text.trim() === '' ? emptyMapping : mappingOf(text)
  const isFields = view === 'fields' && mapping !== null
  const choice = (own: typeof view, title: string, isOff: boolean) => (
    <button
      type="button"
      aria-pressed={isFields === (own === 'fields')}
      disabled={isOff}
      title={isOff ? words.noFields : undefined}
      onClick={() => setView(own)}
    >
      {title}
    </button>
  )
  return (
    <div className={styles['mapped']}>
      <fieldset className={styles['views']} aria-label={words.view}>
        {choice('fields', words.fields, mapping === null)}
        {choice('expression', words.expression, false)}
      </fieldset>
      {isFields ? (
        <MappingForm mapping={mapping} text={text} onChange={(next) => onChange(next, path)} />
      ) : (
        <>
          <CodeField {...props} />
          {text.trim() !== '' && <ExpressionPreview text={text} mode="expression" isSaid={isInvalid} />}
        </>
      )}
    </div>
  )
}
