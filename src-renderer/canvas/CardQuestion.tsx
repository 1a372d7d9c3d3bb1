/** Under the card of a step that waits for a person: the three ways out of doubt, or the way to the approval. */

import { Stamp } from 'lucide-react'
import type { InvocationRecord } from '../../src-engine/model/invocation.ts'
import { useDesigner } from '../state/context.ts'
import { asksApproval, askToDecide } from '../state/decision.ts'
import { approvals as words } from '../text/approval-words.ts'
import styles from './CardDecision.module.css'
import { CardDecision } from './CardDecision.tsx'

export function CardQuestion({ invocation }: { readonly invocation: InvocationRecord }) {
  const designer = useDesigner()
  if (!asksApproval(invocation)) return <CardDecision invocation={invocation} />
  return (
    // What is pressed here neither selects nor drags the card.
    <fieldset className={`nodrag nopan ${styles['choices']}`} aria-label={words.approval}>
      <button
        type="button"
        data-testid={`approve-${invocation.nodeId}`}
        onClick={() => askToDecide(designer, invocation)}
      >
        <Stamp size={12} aria-hidden /> {words.look}
      </button>
    </fieldset>
  )
}
