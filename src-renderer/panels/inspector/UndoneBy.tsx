/** How undoing a step went: its tries, what it gave, what went wrong. Its state stands above. */

import type { InvocationRecord } from '../../../src-engine/model/invocation.ts'
import { undo as words } from '../../text/saga-words.ts'
import styles from './Inspector.module.css'
import { PayloadView } from './PayloadView.tsx'

export function UndoneBy({ undo }: { readonly undo: InvocationRecord }) {
  return (
    <section className={styles['undone']} aria-label={words.of} data-testid="run-undone">
      <h3>{words.of}</h3>
      {undo.attempt > 1 && <p>{`${undo.attempt} attempts`}</p>}
      {undo.error !== null && <p role="alert">{`${undo.error.message} ${undo.error.hint}`}</p>}
      <PayloadView title={words.gave} payload={undo.status === 'SUCCESS' ? undo.output : null} />
    </section>
  )
}
