/** A choice among a few colours, each with its name. */

import { frames as words } from '../text/canvas-words.ts'
import styles from './Swatches.module.css'

type Color = keyof typeof words.colors

const colors = Object.keys(words.colors) as readonly Color[]

export function Swatches(props: {
  readonly label: string
  /** Null is the usual one: the first. */
  readonly value: string | null
  readonly isReadOnly: boolean
  readonly onChoose: (color: string | null) => void
}) {
  return (
    <fieldset className={styles['swatches']} disabled={props.isReadOnly}>
      <legend>{props.label}</legend>
      {colors.map((color, index) => (
        <label key={color} title={words.colors[color]} data-color={color}>
          <input
            type="radio"
            name={props.label}
            aria-label={words.colors[color]}
            checked={index === 0 ? props.value === null : props.value === color}
            onChange={() => props.onChoose(index === 0 ? null : color)}
          />
        </label>
      ))}
    </fieldset>
  )
}
