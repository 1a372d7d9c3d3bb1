/** The rules in the order in which they are asked, and below them what counts where none applies. */

import type { DragEvent, KeyboardEvent } from 'react'
import { useState } from 'react'
import type { PolicyDocument, PolicyRule } from '../../../../src-engine/model/policy/policy.ts'
import { policyWords as words } from '../../../text/policy-words.ts'
import { placeAfter } from '../place-after.ts'
import split from '../split/SplitPage.module.css'
import styles from './Policy.module.css'
import type { PolicyFault } from './policy-edits.ts'
import { matchWords } from './policy-edits.ts'

export interface RuleListProps {
  readonly policy: PolicyDocument
  readonly faults: readonly PolicyFault[]
  /** The place of the chosen rule; the number of rules for what counts otherwise. */
  readonly chosen: number
  readonly onChoose: (index: number) => void
  readonly onMove: (from: number, to: number) => void
}

export function RuleList({ policy, faults, chosen, onChoose, onMove }: RuleListProps) {
  const [dragged, setDragged] = useState<number | null>(null)
  const { rules } = policy
  const onKeyDown = (event: KeyboardEvent): void => {
    const next = placeAfter(event.key, chosen, rules.length + 1)
    if (next === null) return
    event.preventDefault()
    if (event.altKey) onMove(chosen, next)
    else onChoose(next)
  }
  return (
    <div
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- its rows hold more than a line of text
      role="listbox"
      tabIndex={0}
      aria-label={words.rules}
      aria-activedescendant={`policy-rule-${chosen}`}
      className={split['list']}
      data-testid="policy-rules"
      onKeyDown={onKeyDown}
    >
      {rules.map((rule, index) => (
        <RuleRow
          key={index}
          rule={rule}
          index={index}
          isChosen={index === chosen}
          isWrong={faults.some(({ path }) => path.startsWith(`rules[${index}]`))}
          onChoose={onChoose}
          onDrag={() => setDragged(index)}
          onDrop={(event) => {
            event.preventDefault()
            if (dragged !== null) onMove(dragged, index)
            setDragged(null)
          }}
        />
      ))}
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the keys are the list's */}
      <div
        id={`policy-rule-${rules.length}`}
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- see the list
        role="option"
        aria-selected={chosen === rules.length}
        tabIndex={-1}
        className={split['row']}
        data-testid="policy-otherwise"
        onClick={() => onChoose(rules.length)}
      >
        <span className={split['top']}>
          <b>{rules.length === 0 ? words.always : words.otherwise}</b>
        </span>
        <span className={styles['decision']} data-decision={policy.defaultDecision}>
          {words.otherwises[policy.defaultDecision]}
        </span>
      </div>
    </div>
  )
}

function RuleRow(props: {
  readonly rule: PolicyRule
  readonly index: number
  readonly isChosen: boolean
  readonly isWrong: boolean
  readonly onChoose: (index: number) => void
  readonly onDrag: () => void
  readonly onDrop: (event: DragEvent) => void
}) {
  const { rule, index, isChosen, isWrong, onChoose, onDrag, onDrop } = props
  return (
    // The keys are the list's; a row is chosen by a click or by going there.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
    <div
      id={`policy-rule-${index}`}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- see the list
      role="option"
      aria-selected={isChosen}
      tabIndex={-1}
      draggable
      className={`${split['row']} ${styles['row']}`}
      data-off={rule.enabled === false || undefined}
      data-wrong={isWrong || undefined}
      data-testid="policy-row"
      onClick={() => onChoose(index)}
      onDragStart={onDrag}
      onDragOver={(event) => event.preventDefault()}
      onDrop={onDrop}
    >
      <span className={split['top']}>
        <b>{`${index + 1}. ${rule.title ?? rule.id}`}</b>
        {rule.enabled === false && <small>{words.off}</small>}
      </span>
      <span className={styles['decision']} data-decision={rule.decision}>
        {words.decisions[rule.decision]}
      </span>
      <span className={split['message']}>{matchWords(rule, words.everything)}</span>
    </div>
  )
}
