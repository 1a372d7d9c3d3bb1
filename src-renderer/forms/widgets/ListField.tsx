/** A list: entries of any kind, to add, remove and reorder. */

import { ChevronDown, ChevronUp, Plus, X } from 'lucide-react'
import type { JsonValue } from '../../../src-engine/model/json.ts'
import { isJsonObject } from '../../../src-engine/model/json.ts'
import type { Problem } from '../../../src-engine/model/problem.ts'
import controls from '../../ui/controls.module.css'
import { IconButton } from '../../ui/IconButton.tsx'
import { FieldProblems } from '../FieldProblems.tsx'
import { isWithin, useForm } from '../form-context.ts'
import { useFormParts } from '../form-parts.ts'
import styles from '../forms.module.css'
import { emptyItem, fieldOf } from '../schema-fields.ts'
import { useRowFocus } from '../use-row-focus.ts'
import type { WidgetProps } from './widget-props.ts'

export function ListField({ field, value, path, id, onChange }: WidgetProps) {
  const { isReadOnly, onLeave, problems } = useForm()
  const { FieldWidget } = useFormParts()
  const shown = value ?? field.defaultValue
  const items: readonly JsonValue[] = Array.isArray(shown) ? shown : []
  const itemSchema = isJsonObject(field.schema['items']) ? field.schema['items'] : {}
  const rows = useRowFocus<HTMLFieldSetElement>()
  const set = (next: readonly JsonValue[]): void => {
    onChange(next, path)
    onLeave()
  }
  return (
    <fieldset className={styles['list']} aria-labelledby={`${id}-label`} {...rows}>
      {items.map((item, index) => {
        const own = problemsOf(problems, item, `${path}[${index}]`)
        return (
          // Entries have no identity but their place.
          <div
            key={index}
            className={styles['item']}
            data-kind={isJsonObject(item) ? 'object' : 'value'}
            data-row
          >
            {!isJsonObject(item) && (
              <label className="visually-hidden" htmlFor={`${id}-${index}`}>
                {`${field.title} ${index + 1}`}
              </label>
            )}
            <FieldWidget
              field={{ ...fieldOf(String(index), itemSchema, true), title: `${field.title} ${index + 1}` }}
              value={item}
              path={`${path}[${index}]`}
              id={`${id}-${index}`}
              isInvalid={own.some(({ severity }) => severity === 'error')}
              onChange={(next, touched) => onChange(items.with(index, next ?? ''), touched)}
            />
            {!isReadOnly && (
              <span className={styles['itemTools']}>
                <IconButton
                  icon={ChevronUp}
                  label={`Move entry ${index + 1} up`}
                  disabled={index === 0}
                  onClick={() => set(swapped(items, index, index - 1))}
                />
                <IconButton
                  icon={ChevronDown}
                  label={`Move entry ${index + 1} down`}
                  disabled={index === items.length - 1}
                  onClick={() => set(swapped(items, index, index + 1))}
                />
                <IconButton
                  icon={X}
                  data-remove
                  label={`Remove entry ${index + 1}`}
                  onClick={() => set(items.toSpliced(index, 1))}
                />
              </span>
            )}
            {own.length > 0 && (
              <div className={styles['itemProblems']}>
                <FieldProblems problems={own} />
              </div>
            )}
          </div>
        )
      })}
      {!isReadOnly && (
        <button
          type="button"
          id={id}
          aria-label={`Add to ${field.title}`}
          className={controls['button']}
          data-kind="quiet"
          data-size="small"
          data-add
          onClick={() => set([...items, emptyItem(field.schema)])}
        >
          <Plus size={14} aria-hidden /> Add
        </button>
      )}
    </fieldset>
  )
}

/** What is wrong with an entry. The fields of an object have rows of their own, which say it there. */
const problemsOf = (problems: readonly Problem[], item: JsonValue, place: string): readonly Problem[] =>
  problems.filter(({ field }) =>
    typeof item === 'object' && item !== null ? field === place : isWithin(field, place),
  )

function swapped(items: readonly JsonValue[], from: number, to: number): readonly JsonValue[] {
  const [a, b] = [items[from], items[to]]
  return a === undefined || b === undefined ? items : items.with(from, b).with(to, a)
}
