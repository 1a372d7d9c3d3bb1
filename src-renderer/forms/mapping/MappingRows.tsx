/** One row per field: its name, and what it is filled with. */

import { MoveLeft, Plus, X } from 'lucide-react'
import { mappingWords as words } from '../../text/mapping-words.ts'
import controls from '../../ui/controls.module.css'
import { IconButton } from '../../ui/IconButton.tsx'
import { useForm } from '../form-context.ts'
import { useRowFocus } from '../use-row-focus.ts'
import type { MappedField } from './field-mapping.ts'
import styles from './Mapping.module.css'
import type { MappingProps } from './mapping-props.ts'

export function MappingRows({ mapping, onEdit }: MappingProps) {
  const { isReadOnly, onLeave } = useForm()
  const { fields, each } = mapping
  const rows = useRowFocus<HTMLFieldSetElement>()
  const set = (next: readonly MappedField[]): void => onEdit({ ...mapping, fields: next })
  return (
    <fieldset className={styles['rows']} aria-label={words.fields} {...rows}>
      {fields.map(({ to, from }, index) => {
        const number = String(index + 1)
        const name = to === '' ? words.row.replace('{number}', number) : to
        return (
          // Rows have no identity but their place while their names are being written.
          <div key={index} className={styles['row']} data-row>
            <input
              className={styles['code']}
              aria-label={words.name.replace('{number}', number)}
              placeholder={words.field}
              value={to}
              readOnly={isReadOnly}
              spellCheck={false}
              onBlur={onLeave}
              onChange={(event) => set(fields.with(index, { to: event.currentTarget.value, from }))}
            />
            <MoveLeft size={12} aria-hidden />
            <input
              className={styles['code']}
              aria-label={words.valueOf.replace('{number}', number)}
              placeholder={each === null ? words.placeholder : words.entryPlaceholder}
              value={from}
              title={from}
              readOnly={isReadOnly}
              spellCheck={false}
              onBlur={onLeave}
              onChange={(event) => set(fields.with(index, { to, from: event.currentTarget.value }))}
            />
            {!isReadOnly && (
              <IconButton
                icon={X}
                data-remove
                label={words.remove.replace('{name}', name)}
                onClick={() => {
                  set(fields.toSpliced(index, 1))
                  onLeave()
                }}
              />
            )}
          </div>
        )
      })}
      {!isReadOnly && (
        <button
          type="button"
          className={controls['button']}
          data-kind="quiet"
          data-size="small"
          data-add
          onClick={() => set([...fields, { to: '', from: '' }])}
        >
          <Plus size={14} aria-hidden /> {words.add}
        </button>
      )}
    </fieldset>
  )
}
