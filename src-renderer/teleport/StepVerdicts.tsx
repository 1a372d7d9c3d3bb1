/** The steps of a replay, those that differ with what was recorded and what came out. */

import { useEffect, useRef } from 'react'
import type { ReplayedStep } from '../../src-engine/protocol/teleport.ts'
import type { FieldChange } from '../canvas/diff/field-change.ts'
import { Field } from '../panels/dialogs/push/ChangeList.tsx'
import styles from '../panels/dialogs/push/Push.module.css'
import { differenceWords, verdictWords } from '../text/teleport-words.ts'
import { differenceText } from './difference-text.ts'

/** Longer lists are cut: a run may have a million steps. */
const stepsMax = 300

interface ListProps {
  readonly steps: readonly ReplayedStep[]
  /** Fields of a node that are others in the two versions. */
  readonly fieldsOf: (node: string) => readonly FieldChange[]
  /** The node that is looked at. */
  readonly selected: string | null
  readonly onSelect: (id: string | null) => void
}

export function StepVerdicts({ steps, ...rest }: ListProps) {
  return (
    <ul className={styles['changes']} data-testid="replay-steps">
      {steps.slice(0, stepsMax).map((step) => (
        <Step key={`${step.nodeId} ${step.path}`} step={step} {...rest} />
      ))}
    </ul>
  )
}

const marks: Readonly<Partial<Record<ReplayedStep['verdict'], string>>> = {
  same: 'added',
  new: 'added',
  gone: 'removed',
  failed: 'removed',
}

function Step({
  step,
  fieldsOf,
  selected,
  onSelect,
}: { readonly step: ReplayedStep } & Omit<ListProps, 'steps'>) {
  const { nodeId, path, title, verdict, differences, error } = step
  const item = useRef<HTMLLIElement>(null)
  const isSelected = selected === nodeId
  useEffect(() => {
    if (isSelected) item.current?.scrollIntoView({ block: 'nearest' })
  }, [isSelected])
  return (
    <li ref={item} data-mark={marks[verdict]} data-verdict={verdict} data-selected={isSelected || undefined}>
      <button
        type="button"
        aria-pressed={isSelected}
        data-testid={`verdict-${nodeId}`}
        onClick={() => onSelect(isSelected ? null : nodeId)}
      >
        <b>{path === '' ? title : `${title} · ${path}`}</b>
        <em>{verdictWords[verdict]}</em>
      </button>
      {error !== null && <p>{`${error.message} ${error.hint}`}</p>}
      {fieldsOf(nodeId).map((field) => (
        <Field key={field.path} field={field} />
      ))}
      {/* What a step means is told by its fields. */}
      {differences
        .filter(({ what }) => what !== 'definition')
        .map(({ what, recorded, replayed }) => (
          <dl key={what}>
            <dt>{differenceWords[what]}</dt>
            <dd data-mark="removed">{differenceText(what, recorded)}</dd>
            <dd data-mark="added">{differenceText(what, replayed)}</dd>
          </dl>
        ))}
    </li>
  )
}
