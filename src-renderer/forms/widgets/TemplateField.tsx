/** A text that may hold expressions; what stands in braces is marked while it is written. */

import type { KeyboardEvent } from 'react'
import { useRef } from 'react'
import { templateExpressions } from '../../../src-engine/model/template.ts'
import { useForm } from '../form-context.ts'
import styles from '../forms.module.css'
import { OfferList } from './OfferList.tsx'
import { useTextCompletion } from './use-text-completion.ts'
import type { WidgetProps } from './widget-props.ts'

export function TemplateField({ field, value, path, id, isInvalid, label, onChange }: WidgetProps) {
  const { isReadOnly, nodeId, onLeave, onPaste } = useForm()
  const text = textOf(value ?? field.defaultValue)
  const isLong = field.kind === 'multiline'
  const input = useRef<HTMLTextAreaElement>(null)
  const takesSecrets = typeof field.schema['secret'] === 'string'
  const { offer, look, close, choose, onKeyDown: onOfferKey } = useTextCompletion(input, takesSecrets)
  const completes = field.takesExpressions && nodeId !== null && !isReadOnly
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    if (onOfferKey(event) || event.key !== 'Enter' || isLong) return
    event.preventDefault()
    onLeave()
  }
  return (
    <div
      className={styles['template']}
      data-long={isLong || undefined}
      data-mono={text.includes('{{') || undefined}
    >
      <div className={styles['behind']} aria-hidden>
        <Marked text={text} />
      </div>
      <textarea
        ref={input}
        id={id}
        aria-autocomplete={completes ? 'list' : undefined}
        aria-controls={offer === null ? undefined : `${id}-offers`}
        aria-activedescendant={offer === null ? undefined : `${id}-offers-${offer.index}`}
        aria-label={label}
        rows={1}
        spellCheck={false}
        value={text}
        placeholder={field.placeholder ?? undefined}
        readOnly={isReadOnly}
        aria-invalid={isInvalid}
        onChange={(event) => {
          onChange(valueOf(event.currentTarget.value, field.isRequired), path)
          if (completes) look()
        }}
        onKeyDown={onKeyDown}
        onPaste={(event) => {
          if (!isReadOnly && onPaste?.(path, event.clipboardData.getData('text/plain')) === true)
            event.preventDefault()
        }}
        onBlur={() => {
          close()
          onLeave()
        }}
      />
      {offer !== null && <OfferList id={`${id}-offers`} offer={offer} onChoose={choose} />}
    </div>
  )
}

function Marked({ text }: { readonly text: string }) {
  const parts = []
  let at = 0
  for (const { start, end } of templateExpressions(text)) {
    parts.push(text.slice(at, start), <mark key={start}>{text.slice(start, end)}</mark>)
    at = end
  }
  parts.push(text.slice(at), '\u200b')
  return <>{parts}</>
}

/** What isn't a text is shown, and kept until it is edited, as JSON. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  return value === undefined || value === null ? '' : JSON.stringify(value)
}

/** An emptied optional field is left out, so that its default counts. */
function valueOf(text: string, isRequired: boolean): string | undefined {
  return text === '' && !isRequired ? undefined : text
}
