/** A span of time: a number and its unit; kept in milliseconds. */

import { useState } from 'react'
import controls from '../../ui/controls.module.css'
import { useForm } from '../form-context.ts'
import styles from '../forms.module.css'
import type { WidgetProps } from './widget-props.ts'

const units = [
  { title: 'ms', ms: 1 },
  { title: 'seconds', ms: 1_000 },
  { title: 'minutes', ms: 60_000 },
  { title: 'hours', ms: 3_600_000 },
] as const

/** The largest unit in which the span is a whole number. */
export function unitOf(ms: number): number {
  if (ms === 0) return 1_000
  return units.findLast((unit) => ms % unit.ms === 0)?.ms ?? 1
}

export function DurationField({ field, value, path, id, isInvalid, onChange }: WidgetProps) {
  const { isReadOnly, onLeave } = useForm()
  const shown = value ?? field.defaultValue
  const ms = typeof shown === 'number' ? shown : null
  const [chosenUnit, setUnit] = useState<number | null>(null)
  const unit = chosenUnit ?? unitOf(ms ?? 0)
  const change = (text: string): void => {
    setUnit(unit)
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
        value={ms === null ? '' : Number((ms / unit).toFixed(3))}
        placeholder={field.placeholder ?? 'none'}
        readOnly={isReadOnly}
        aria-invalid={isInvalid}
        onChange={(event) => change(event.currentTarget.value)}
        onBlur={onLeave}
      />
      <select
        className={controls['field']}
        aria-label={`Unit of ${field.title}`}
        disabled={isReadOnly}
        value={unit}
        onChange={(event) => {
          const next = Number(event.currentTarget.value)
          if (ms !== null) onChange(Math.round((ms / unit) * next), path)
          setUnit(next)
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
