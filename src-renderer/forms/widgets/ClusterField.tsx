/** A cluster to tell something to: picked from this machine's connections, or named as other machines know it. */

import { useState } from 'react'
import { clusterChoice } from '../../text/messages.ts'
import controls from '../../ui/controls.module.css'
import { useAnswer } from '../../ui/use-answer.ts'
import { useForm } from '../form-context.ts'
import styles from '../forms.module.css'
import { TemplateField } from './TemplateField.tsx'
import type { WidgetProps } from './widget-props.ts'

const other = ' other'

export function ClusterField(props: WidgetProps) {
  const { value, path, id, isInvalid, onChange } = props
  const { isReadOnly, onLeave } = useForm()
  const [isFree, setFree] = useState(false)
  const known = useAnswer('clusters.list', {})?.clusters ?? null
  const name = typeof value === 'string' ? value : ''
  const chosen = known?.find((entry) => entry.name === name) ?? null
  // Until the engine has answered, nobody knows whether the name is one of its connections.
  const isOther = isFree || (known !== null && chosen === null && name !== '')
  const choose = (next: string): void => {
    setFree(next === other)
    if (next !== other) onChange(next, path)
    onLeave()
  }
  return (
    <div className={styles['stack']}>
      <select
        id={id}
        className={controls['field']}
        disabled={isReadOnly}
        aria-invalid={isInvalid}
        data-testid="cluster-choice"
        value={isOther ? other : name}
        onChange={(event) => choose(event.currentTarget.value)}
      >
        <option value="">{clusterChoice.here}</option>
        {known === null && name !== '' && <option value={name}>{name}</option>}
        {(known ?? []).map((entry) => (
          <option key={entry.name} value={entry.name}>
            {entry.readOnly ? `${entry.name} ${clusterChoice.readOnly}` : entry.name}
          </option>
        ))}
        <option value={other}>{clusterChoice.other}</option>
      </select>
      {isOther && <TemplateField {...props} id={`${id}-other`} label={clusterChoice.name} />}
      {chosen?.readOnly === true && !isOther && (
        <p className={styles['description']}>{clusterChoice.closed}</p>
      )}
    </div>
  )
}
