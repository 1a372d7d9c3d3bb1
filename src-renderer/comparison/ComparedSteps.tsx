/** The steps of two runs, those that differ with what they were and are. */

import type { KeyboardEvent } from 'react'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { StepComparison } from '../../src-engine/model/comparison/step-comparison.ts'
import { onlyIn } from '../../src-engine/model/comparison/step-comparison.ts'
import type { LoadedComparison } from '../../src-engine/protocol/load-comparison.ts'
import { Field } from '../panels/dialogs/push/ChangeList.tsx'
import styles from '../panels/dialogs/push/Push.module.css'
import { comparisonMarks, comparisonWords as words } from '../text/comparison-words.ts'
import { fill } from '../text/messages.ts'
import { spanWords } from '../ui/time-words.ts'
import own from './Comparison.module.css'
import { factsOf } from './step-facts.ts'

/** Longer lists are cut: a run may have a million steps. */
const stepsMax = 300

interface Props {
  readonly value: LoadedComparison
  /** The node that is looked at. */
  readonly selected: string | null
  readonly onSelect: (id: string | null) => void
}

export function ComparedSteps({ value, selected, onSelect }: Props) {
  const [isAll, setAll] = useState(false)
  const differing = useMemo(() => value.steps.filter(({ differences }) => differences.length > 0), [value])
  const shown = isAll ? value.steps : differing
  const count = { count: differing.length, total: value.steps.length }
  return (
    <>
      <div className={own['head']}>
        <h3>{fill(words.count, count)}</h3>
        <label>
          <input
            type="checkbox"
            data-testid="compare-only"
            checked={!isAll}
            onChange={(event) => setAll(!event.currentTarget.checked)}
          />
          {words.onlyDifferences}
        </label>
      </div>
      {shown.length === 0 && <p>{words.noneLeft}</p>}
      <ul className={styles['changes']} data-testid="compare-steps">
        {shown.slice(0, stepsMax).map((step) => (
          <Step
            key={`${step.nodeId} ${step.path}`}
            step={step}
            value={value}
            isSelected={selected === step.nodeId}
            onSelect={onSelect}
          />
        ))}
      </ul>
      {shown.length > stepsMax && <p>{words.more}</p>}
      {value.steps.some(({ hasUnread }) => hasUnread) && <p>{words.unread}</p>}
    </>
  )
}

/** Up and down go from step to step, and the picture goes along; for the keys of the whole dialog. */
export function walkSteps(event: KeyboardEvent<HTMLElement>): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
  if (step === 0 || event.target instanceof HTMLSelectElement) return
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-step]')]
  const at = rows.findIndex((row) => row === document.activeElement)
  rows[Math.max(0, Math.min(at + step, rows.length - 1))]?.focus()
  event.preventDefault()
}

function Step(
  props: Omit<Props, 'selected'> & { readonly step: StepComparison; readonly isSelected: boolean },
) {
  const { step, value, isSelected, onSelect } = props
  const item = useRef<HTMLLIElement>(null)
  const facts = useMemo(() => factsOf(value, step), [value, step])
  useEffect(() => {
    if (isSelected) item.current?.scrollIntoView({ block: 'nearest' })
  }, [isSelected])
  const only = onlyIn(step)
  const mark = only === null ? undefined : only === 'before' ? 'removed' : 'added'
  const isPart = value.divergence?.nodeId === step.nodeId && value.divergence.path === step.path
  return (
    <li
      ref={item}
      className={own['step']}
      data-mark={mark}
      data-same={step.differences.length === 0 || undefined}
      data-part={isPart || undefined}
      data-selected={isSelected || undefined}
    >
      <button
        type="button"
        data-step
        data-testid={`compare-step-${step.nodeId}`}
        aria-pressed={isSelected}
        onFocus={() => onSelect(step.nodeId)}
        onClick={() => onSelect(step.nodeId)}
      >
        <b>{step.title}</b>
        {step.path !== '' && <small>{step.path}</small>}
        <em>{saidOf(step, isPart)}</em>
      </button>
      {facts.map((field) => (
        <Field key={field.path} field={field} />
      ))}
    </li>
  )
}

function saidOf(step: StepComparison, isPart: boolean): string {
  const only = onlyIn(step)
  const said: string[] = isPart
    ? [comparisonMarks.parts]
    : only === null
      ? []
      : [only === 'before' ? comparisonMarks.removed : comparisonMarks.added]
  const { deltaMs } = step
  if (deltaMs !== null && deltaMs !== 0)
    said.push(`${deltaMs > 0 ? '+' : '−'}${spanWords(Math.abs(deltaMs))}`)
  return said.join(' · ')
}
