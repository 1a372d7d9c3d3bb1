/** Which version of a workflow is to run: the one it ran on, or the one that is open and was edited since. */

import { useId } from 'react'
import { reruns } from '../../text/messages.ts'
import styles from './dialogs.module.css'

export function VersionChoice(props: {
  readonly value: 'same' | 'open'
  /** Whether the open document is another version of the same workflow. */
  readonly mayChoose: boolean
  readonly onChange: (value: 'same' | 'open') => void
}) {
  const { value, mayChoose, onChange } = props
  const name = useId()
  return (
    <fieldset className={styles['choice']} data-testid="version-choice">
      <legend>Version</legend>
      <label>
        <input type="radio" name={name} checked={value === 'same'} onChange={() => onChange('same')} />
        <span>
          {reruns.same} <small>{reruns.sameHint}</small>
        </span>
      </label>
      <label>
        <input
          type="radio"
          name={name}
          checked={value === 'open'}
          disabled={!mayChoose}
          onChange={() => onChange('open')}
        />
        <span>
          {reruns.open} <small>{mayChoose ? reruns.openHint : reruns.notOpen}</small>
        </span>
      </label>
    </fieldset>
  )
}
