/** Which version of a workflow is to run: the one it ran on, or the one that is open and was edited since. */

import { useId } from 'react'
import type { OpenVersion } from '../../state/rerun.ts'
import { reruns } from '../../text/messages.ts'
import styles from './dialogs.module.css'

export function VersionChoice(props: {
  readonly value: 'same' | 'open'
  readonly open: OpenVersion
  readonly onChange: (value: 'same' | 'open') => void
}) {
  const { value, open, onChange } = props
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
          disabled={open === 'other'}
          onChange={() => onChange('open')}
        />
        <span>
          {reruns.open} <small>{reruns.openHints[open]}</small>
        </span>
      </label>
    </fieldset>
  )
}
