/** Which version a copy is replayed or resumed on: its own, or the workflow that is open. */

import styles from '../panels/dialogs/push/Push.module.css'
import type { Version } from '../state/teleport.ts'
import { teleportWords as words } from '../text/teleport-words.ts'
import controls from '../ui/controls.module.css'

export function VersionSelect(props: {
  readonly value: Version
  /** Whether the copy's workflow is open. */
  readonly mayChoose: boolean
  readonly onChange: (version: Version) => void
}) {
  const { value, mayChoose, onChange } = props
  return (
    <label className={styles['choice']}>
      {words.withWhat}
      <select
        className={controls['field']}
        data-testid="teleport-version"
        value={value}
        onChange={(event) => onChange(event.currentTarget.value === 'open' ? 'open' : 'same')}
      >
        <option value="same">{words.recorded}</option>
        <option value="open" disabled={!mayChoose}>
          {words.open}
        </option>
      </select>
    </label>
  )
}
