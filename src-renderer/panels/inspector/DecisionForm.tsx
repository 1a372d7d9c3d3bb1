/** A step that was cut off while its effect may have happened: a person says what it counts as. */

import type { LucideIcon } from 'lucide-react'
import { Check, RotateCcw, X } from 'lucide-react'
import { useId, useState } from 'react'
import type { InvocationRecord } from '../../../src-engine/model/invocation.ts'
import { useDesigner } from '../../state/context.ts'
import type { DecisionChoice } from '../../state/decision.ts'
import { decide, decisionOf } from '../../state/decision.ts'
import { doubt } from '../../text/messages.ts'
import { Button } from '../../ui/Button.tsx'
import controls from '../../ui/controls.module.css'
import styles from './Inspector.module.css'

const choices: readonly {
  readonly choice: DecisionChoice
  readonly title: string
  readonly icon: LucideIcon
  readonly kind?: 'danger'
}[] = [
  { choice: 'again', title: 'Run again', icon: RotateCcw },
  { choice: 'done', title: 'Take as done', icon: Check },
  { choice: 'fail', title: 'Fail', icon: X, kind: 'danger' },
]

export function DecisionForm({
  invocation,
}: {
  readonly invocation: Pick<InvocationRecord, 'runId' | 'id'>
}) {
  const designer = useDesigner()
  const field = useId()
  const [output, setOutput] = useState('null')
  const [isSent, setSent] = useState(false)
  const isJson = decisionOf('done', output) !== null
  const choose = async (choice: DecisionChoice): Promise<void> => {
    const decision = decisionOf(choice, output)
    if (decision === null) return
    setSent(true)
    // Refused or not delivered: the choice stands again.
    if (!(await decide(designer, invocation, decision))) setSent(false)
  }
  return (
    <section className={styles['decision']} aria-label={doubt.title} data-testid="resolve">
      <h3>{doubt.title}</h3>
      <p>{doubt.text}</p>
      <div>
        {choices.map(({ choice, title, icon, kind }) => (
          <Button
            key={choice}
            isSmall
            icon={icon}
            {...(kind === undefined ? {} : { kind })}
            testId={`resolve-${choice}`}
            title={doubt[choice]}
            disabled={isSent || (choice === 'done' && !isJson)}
            onClick={() => void choose(choice)}
          >
            {title}
          </Button>
        ))}
      </div>
      <label htmlFor={field}>{doubt.output}</label>
      <textarea
        id={field}
        className={controls['field']}
        data-testid="resolve-output"
        data-code
        rows={3}
        spellCheck={false}
        aria-invalid={!isJson}
        value={output}
        onChange={(event) => setOutput(event.currentTarget.value)}
      />
      {!isJson && <small role="alert">{doubt.notJson}</small>}
    </section>
  )
}
