/** Under the card of a step in doubt: the three things that it may count as. */

import { Check, RotateCcw, X } from 'lucide-react'
import { useState } from 'react'
import type { InvocationRecord } from '../../src-engine/model/invocation.ts'
import { useDesigner } from '../state/context.ts'
import type { Decision } from '../state/decision.ts'
import { askToDecide, decide } from '../state/decision.ts'
import { doubt } from '../text/messages.ts'
import styles from './CardDecision.module.css'

export function CardDecision({ invocation }: { readonly invocation: InvocationRecord }) {
  const designer = useDesigner()
  const [isSent, setSent] = useState(false)
  const send = async (decision: Decision): Promise<void> => {
    setSent(true)
    if (!(await decide(designer, invocation, decision))) setSent(false)
  }
  return (
    // What is pressed here neither selects nor drags the card.
    <fieldset className={`nodrag nopan ${styles['choices']}`} aria-label={doubt.card} disabled={isSent}>
      <button
        type="button"
        title={doubt.again}
        data-testid={`decide-again-${invocation.nodeId}`}
        onClick={() => void send({ kind: 'run-again' })}
      >
        <RotateCcw size={12} aria-hidden /> Run again
      </button>
      <button
        type="button"
        title={doubt.doneAsk}
        data-testid={`decide-done-${invocation.nodeId}`}
        onClick={(event) => {
          // Its output is written in the inspector; the card is selected by that already.
          event.stopPropagation()
          askToDecide(designer, invocation)
        }}
      >
        <Check size={12} aria-hidden /> Done …
      </button>
      <button
        type="button"
        title={doubt.fail}
        data-kind="danger"
        data-testid={`decide-fail-${invocation.nodeId}`}
        onClick={() => void send({ kind: 'fail' })}
      >
        <X size={12} aria-hidden /> Fail
      </button>
    </fieldset>
  )
}
