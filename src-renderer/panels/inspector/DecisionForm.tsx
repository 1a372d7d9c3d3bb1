/** A step that was cut off while its effect may have happened: a person says what it counts as. */

import { Check, RotateCcw, X } from 'lucide-react'
import { useId, useState } from 'react'
import type { InvocationRecord } from '../../../src-engine/model/invocation.ts'
import { useDesigner } from '../../state/context.ts'
import type { DecisionChoice } from '../../state/decision.ts'
import { decisionOf } from '../../state/decision.ts'
import { attempt } from '../../state/designer.ts'
import { doubt } from '../../text/messages.ts'
import controls from '../../ui/controls.module.css'
import styles from './Inspector.module.css'

export function DecisionForm({ invocation }: { readonly invocation: InvocationRecord }) {
  const designer = useDesigner()
  const field = useId()
  const [output, setOutput] = useState('null')
  const [isSent, setSent] = useState(false)
  const isJson = decisionOf('done', output) !== null
  const decide = async (choice: DecisionChoice): Promise<void> => {
    const decision = decisionOf(choice, output)
    if (decision === null) return
    setSent(true)
    const { id: invocationId, runId } = invocation
    const answer = await attempt(designer, () =>
      designer.connection.call('invocations.resolve', { runId, invocationId, decision }),
    )
    // Refused or not delivered: the choice stands again.
    if (answer === null) setSent(false)
  }
  return (
    <section className={styles['decision']} aria-label={doubt.title} data-testid="resolve">
      <h3>{doubt.title}</h3>
      <p>{doubt.text}</p>
      <div>
        <button
          type="button"
          className={controls['button']}
          data-size="small"
          data-testid="resolve-again"
          title={doubt.again}
          disabled={isSent}
          onClick={() => void decide('again')}
        >
          <RotateCcw size={13} aria-hidden /> Run again
        </button>
        <button
          type="button"
          className={controls['button']}
          data-size="small"
          data-testid="resolve-done"
          title={doubt.done}
          disabled={isSent || !isJson}
          onClick={() => void decide('done')}
        >
          <Check size={13} aria-hidden /> Take as done
        </button>
        <button
          type="button"
          className={controls['button']}
          data-size="small"
          data-kind="danger"
          data-testid="resolve-fail"
          title={doubt.fail}
          disabled={isSent}
          onClick={() => void decide('fail')}
        >
          <X size={13} aria-hidden /> Mark as failed
        </button>
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
