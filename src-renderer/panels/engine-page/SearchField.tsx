/** The field over a list of the engine's pages that narrows it down. */

import { Search } from 'lucide-react'
import controls from '../../ui/controls.module.css'
import styles from './EnginePage.module.css'

export function SearchField(props: {
  /** What assistive technology calls it. */
  readonly label: string
  readonly placeholder: string
  readonly testId: string
  readonly value: string
  readonly onChange: (text: string) => void
}) {
  const { label, placeholder, testId, value, onChange } = props
  return (
    <label className={styles['search']}>
      <Search size={14} aria-hidden />
      <input
        type="search"
        className={controls['field']}
        aria-label={label}
        placeholder={placeholder}
        data-testid={testId}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </label>
  )
}
