/** The letters, newest first: one is chosen, arrows go on, and its keys work right here. */

import type { KeyboardEvent } from 'react'
import { memo, useEffect } from 'react'
import type { DeadLetter } from '../../../../src-engine/model/checkpoint.ts'
import { instantWords } from '../../../ui/time-words.ts'
import { useSlowClock } from '../../../ui/use-clock.ts'
import { placeAfter } from '../place-after.ts'
import styles from './DeadLetters.module.css'
import type { LetterAsks } from './letter-asks.ts'
import { askOfKey, canAsk } from './letter-asks.ts'
import { reasonWords, workflowWords } from './letter-words.ts'

export function LetterList(props: {
  readonly letters: readonly DeadLetter[]
  readonly chosen: DeadLetter | null
  readonly onChoose: (id: string) => void
  readonly onAsk: LetterAsks
}) {
  const { letters, chosen, onChoose, onAsk } = props
  const chosenId = chosen?.id ?? null
  useEffect(() => {
    if (chosenId !== null) document.getElementById(`letter-${chosenId}`)?.scrollIntoView({ block: 'nearest' })
  }, [chosenId])
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || chosen === null) return
    const target = letters[placeAfter(event.key, letters.indexOf(chosen), letters.length) ?? -1]
    const ask = askOfKey(event.key)
    if (target !== undefined) onChoose(target.id)
    else if (ask !== null && canAsk(ask, chosen)) onAsk[ask](chosen)
    else return
    event.preventDefault()
  }
  return (
    <div
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- its rows hold more than a line of text
      role="listbox"
      tabIndex={0}
      aria-label="Dead letters"
      aria-activedescendant={chosenId === null ? undefined : `letter-${chosenId}`}
      className={styles['list']}
      data-testid="letters-list"
      onKeyDown={onKeyDown}
    >
      {letters.map((letter) => (
        <Row key={letter.id} letter={letter} isChosen={letter.id === chosenId} onChoose={onChoose} />
      ))}
    </div>
  )
}

const Row = memo(function Row(props: {
  readonly letter: DeadLetter
  readonly isChosen: boolean
  readonly onChoose: (id: string) => void
}) {
  const { letter, isChosen, onChoose } = props
  const now = useSlowClock()
  return (
    // The keys are the list's; a row is chosen by a click or by going there.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
    <div
      id={`letter-${letter.id}`}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- see the list
      role="option"
      aria-selected={isChosen}
      tabIndex={-1}
      className={styles['row']}
      data-testid="letter-row"
      data-reason={letter.reason}
      onClick={() => onChoose(letter.id)}
    >
      <span className={styles['top']}>
        <b>{workflowWords(letter)}</b>
        <time title={new Date(letter.at).toLocaleString()}>{instantWords(letter.at, now)}</time>
      </span>
      <span className={styles['reason']}>{reasonWords(letter.reason)}</span>
      <span className={styles['message']}>{letter.message}</span>
    </div>
  )
})
