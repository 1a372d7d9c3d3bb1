/** Names and values: headers, query, variables. A row without a name is kept here until it has one. */

import { Plus, X } from 'lucide-react'
import { useState } from 'react'
import { nodeId as asNodeId } from '../../../src-engine/model/ids.ts'
import type { JsonObject, JsonValue } from '../../../src-engine/model/json.ts'
import { isJsonObject } from '../../../src-engine/model/json.ts'
import { SecretPicker } from '../../secrets/SecretPicker.tsx'
import controls from '../../ui/controls.module.css'
import { IconButton } from '../../ui/IconButton.tsx'
import { useForm } from '../form-context.ts'
import styles from '../forms.module.css'
import { useRowFocus } from '../use-row-focus.ts'
import type { WidgetProps } from './widget-props.ts'

type Row = readonly [name: string, value: JsonValue]

export function KeyValueField({ field, value, path, id, onChange }: WidgetProps) {
  const { isReadOnly, nodeId, onLeave } = useForm()
  const takesSecrets = typeof field.schema['secret'] === 'string'
  const outside: JsonObject = isJsonObject(value) ? value : {}
  const [draft, setDraft] = useState<readonly Row[] | null>(null)
  const rows: readonly Row[] =
    draft !== null && sameObject(objectOf(draft), outside) ? draft : Object.entries(outside)
  const list = useRowFocus<HTMLFieldSetElement>()
  const set = (next: readonly Row[]): void => {
    setDraft(next)
    onChange(objectOf(next), path)
  }
  return (
    <fieldset className={styles['table']} aria-labelledby={`${id}-label`} {...list}>
      {rows.map(([name, item], index) => (
        // Rows have no identity but their place while their names are being written.
        <div key={index} className={styles['tableRow']} data-row>
          <input
            className={controls['field']}
            aria-label={`Name ${index + 1}`}
            placeholder="Name"
            value={name}
            readOnly={isReadOnly}
            onBlur={onLeave}
            onChange={(event) => set(rows.with(index, [event.currentTarget.value, item]))}
          />
          <input
            className={controls['field']}
            aria-label={`Value ${index + 1}`}
            placeholder="Value"
            value={typeof item === 'string' ? item : JSON.stringify(item)}
            readOnly={isReadOnly}
            onBlur={onLeave}
            onChange={(event) => set(rows.with(index, [name, event.currentTarget.value]))}
          />
          {takesSecrets && !isReadOnly && nodeId !== null && (
            <SecretPicker
              nodeId={asNodeId(nodeId)}
              path={path}
              title={name === '' ? `row ${index + 1}` : name}
              text={typeof item === 'string' ? item : ''}
              onChange={(text) => {
                set(rows.with(index, [name, text]))
                onLeave()
              }}
            />
          )}
          {!isReadOnly && (
            <IconButton
              icon={X}
              data-remove
              label={`Remove ${name === '' ? `row ${index + 1}` : name}`}
              onClick={() => set(rows.toSpliced(index, 1))}
            />
          )}
        </div>
      ))}
      {!isReadOnly && (
        <button
          type="button"
          id={id}
          aria-label={`Add to ${field.title}`}
          className={controls['button']}
          data-kind="quiet"
          data-size="small"
          data-add
          onClick={() => set([...rows, ['', '']])}
        >
          <Plus size={14} aria-hidden /> {`Add to ${field.title.toLowerCase()}`}
        </button>
      )}
    </fieldset>
  )
}

/** Rows with a name, as an object; of two with the same name the last wins. */
export function objectOf(rows: readonly Row[]): JsonObject {
  return Object.fromEntries(rows.filter(([name]) => name !== ''))
}

function sameObject(left: JsonObject, right: JsonObject): boolean {
  return JSON.stringify(left) === JSON.stringify(right)
}
