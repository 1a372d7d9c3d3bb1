/** A list of which one entry is chosen: arrows go on, Home and End to its ends, and its keys work right here. */

import type { ComponentType, KeyboardEvent } from 'react'
import { memo, useEffect } from 'react'
import { placeAfter } from '../place-after.ts'
import styles from './SplitPage.module.css'

export interface SplitListProps<Entry> {
  readonly label: string
  /** `inbox`: the list is `inbox-list`, its rows are `inbox-row`. */
  readonly name: string
  readonly entries: readonly Entry[]
  readonly chosen: Entry | null
  readonly idOf: (entry: Entry) => string
  readonly onChoose: (id: string) => void
  /** What stands in a row; the same component each time. */
  readonly Row: ComponentType<{ readonly entry: Entry }>
  /** Another key, for the chosen entry; false when it means nothing. */
  readonly onKey?: (key: string, chosen: Entry) => boolean
}

export function SplitList<Entry>(props: SplitListProps<Entry>) {
  const { label, name, entries, chosen, idOf, onChoose, Row, onKey } = props
  const chosenId = chosen === null ? null : idOf(chosen)
  const elementId = (id: string): string => `${name}-${id}`
  useEffect(() => {
    if (chosenId !== null)
      document.getElementById(`${name}-${chosenId}`)?.scrollIntoView({ block: 'nearest' })
  }, [name, chosenId])
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || chosen === null) return
    const next = entries[placeAfter(event.key, entries.indexOf(chosen), entries.length) ?? -1]
    if (next !== undefined) onChoose(idOf(next))
    else if (onKey === undefined || !onKey(event.key, chosen)) return
    event.preventDefault()
  }
  return (
    <div
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- its rows hold more than a line of text
      role="listbox"
      tabIndex={0}
      aria-label={label}
      aria-activedescendant={chosenId === null ? undefined : elementId(chosenId)}
      className={styles['list']}
      data-testid={`${name}-list`}
      onKeyDown={onKeyDown}
    >
      {entries.map((entry) => (
        <Option
          key={idOf(entry)}
          id={idOf(entry)}
          name={name}
          isChosen={entry === chosen}
          entry={entry}
          Row={Row as ComponentType<{ readonly entry: unknown }>}
          onChoose={onChoose}
        />
      ))}
    </div>
  )
}

/** A thousand of them are not drawn again because another one was chosen. */
const Option = memo(function Option(props: {
  readonly id: string
  readonly name: string
  readonly isChosen: boolean
  readonly entry: unknown
  readonly Row: ComponentType<{ readonly entry: unknown }>
  readonly onChoose: (id: string) => void
}) {
  const { id, name, isChosen, entry, Row, onChoose } = props
  return (
    // The keys are the list's; a row is chosen by a click or by going there.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
    <div
      id={`${name}-${id}`}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- see the list
      role="option"
      aria-selected={isChosen}
      tabIndex={-1}
      className={styles['row']}
      data-testid={`${name}-row`}
      onClick={() => onChoose(id)}
    >
      <Row entry={entry} />
    </div>
  )
})
