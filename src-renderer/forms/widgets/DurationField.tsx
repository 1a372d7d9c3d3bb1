/** A span of time: a number and its unit; kept in milliseconds. What is being written stays as it is. */

import { useState } from 'react'
import { useDesigner, useView } from '../../state/context.ts'
import controls from '../../ui/controls.module.css'
import { useForm } from '../form-context.ts'
import styles from '../forms.module.css'
import { amountIn, isExactIn, unitOf, units } from './duration-units.ts'
import type { WidgetProps } from './widget-props.ts'

export function DurationField({ field, value, path, id, isInvalid, onChange }: WidgetProps) {
  const designer = useDesigner()
  const { isReadOnly, nodeId, onLeave } = useForm()
  // While a number is being written, neither it nor its unit is put another way.
  const [draft, setDraft] = useState<string | null>(null)
  const place = `${nodeId ?? ''} ${path}`
  const chosen = useView((state) => state.durationUnits[place])
  const shown = value ?? field.defaultValue
  const ms = typeof shown === 'number' ? shown : null
  const unit = chosen !== undefined && (ms === null || isExactIn(ms, chosen)) ? chosen : unitOf(ms ?? 0)
  const choose = (next: number): void => designer.view.getState().chooseUnit(place, next)
  const change = (text: string): void => {
    choose(unit)
    setDraft(text)
    const amount = Number(text)
    if (text.trim() === '') onChange(undefined, path)
    else if (Number.isFinite(amount)) onChange(Math.round(amount * unit), path)
  }
  return (
    <div className={styles['pair']}>
      <input
        id={id}
        type="number"
        min={0}
        step="any"
        className={controls['field']}
        value={draft ?? (ms === null ? '' : amountIn(ms, unit))}
        placeholder={field.placeholder ?? 'none'}
        readOnly={isReadOnly}
        aria-invalid={isInvalid}
        onChange={(event) => change(event.currentTarget.value)}
        onBlur={() => {
          setDraft(null)
          onLeave()
        }}
      />
      <select
        className={controls['field']}
        aria-label={`Unit of ${field.title}`}
        disabled={isReadOnly}
        value={unit}
        onChange={(event) => {
          const next = Number(event.currentTarget.value)
          if (ms !== null) onChange(Math.round((ms / unit) * next), path)
          choose(next)
          onLeave()
        }}
      >
        {units.map((choice) => (
          <option key={choice.ms} value={choice.ms}>
            {choice.title}
          </option>
        ))}
      </select>
    </div>
  )
}
