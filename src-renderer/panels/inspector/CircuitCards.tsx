/** Where the circuit breakers of a step stand: since when they are open, until when, and after how many failures. */

import type { NodeId } from '../../../src-engine/model/ids.ts'
import type { KnownCircuit } from '../../../src-engine/protocol/circuits.ts'
import { useDesigner, useLine } from '../../state/context.ts'
import { attempt } from '../../state/designer.ts'
import { useShownDocument } from '../../state/selectors.ts'
import { circuits as words } from '../../text/circuit-words.ts'
import { fill } from '../../text/messages.ts'
import { Button } from '../../ui/Button.tsx'
import { momentWords } from '../../ui/time-words.ts'
import { useLiveAnswer } from '../../ui/use-live-answer.ts'
import styles from './Inspector.module.css'

/** Nothing for a step of another kind. */
export function CircuitCards({ id }: { readonly id: NodeId }) {
  const document = useShownDocument()
  const node = document.nodes[id]
  if (node?.kind !== 'circuit-breaker') return null
  const { scope, failures } = node.parameters ?? {}
  const max = typeof failures === 'number' ? failures : 5
  return <Asked id={id} workflowId={document.id} isShared={scope === 'workspace'} max={max} />
}

function Asked(props: {
  readonly id: NodeId
  readonly workflowId: string
  readonly isShared: boolean
  readonly max: number
}) {
  const { id, workflowId, isShared, max } = props
  const designer = useDesigner()
  const line = useLine()
  const { answer, refresh } = useLiveAnswer('circuits.list', { workflowId })
  if (answer === null) return null
  const own = answer.circuits.filter(({ id: name, place }) =>
    isShared ? name.startsWith('circuit/shared/') : place.nodeId === id && place.workflowId === workflowId,
  )
  const close = (one: KnownCircuit) => (): void =>
    void attempt(designer, () => line.call('circuits.reset', { id: one.id })).then(refresh)
  return (
    <section className={styles['circuits']} aria-label={words.title} data-testid="circuits">
      <h3>{words.title}</h3>
      {own.length === 0 && <p>{words.closed}</p>}
      {own.map((one) => (
        <Card key={one.id} known={one} max={max} onClose={close(one)} />
      ))}
    </section>
  )
}

function Card(props: { readonly known: KnownCircuit; readonly max: number; readonly onClose: () => void }) {
  const { known, max, onClose } = props
  const { circuit, place } = known
  const key = place.key === null ? '' : ` ${fill(words.forKey, { key: JSON.stringify(place.key) })}`
  if (circuit.status === 'closed') {
    const counts = { count: String(circuit.failures.length), max: String(max) }
    return <p data-testid="circuit">{fill(words.counted, counts) + key}</p>
  }
  const isOpen = circuit.status === 'open'
  return (
    <div className={styles['circuit']} data-testid="circuit" data-status={circuit.status}>
      <p>
        <b>{isOpen ? words.open : words.halfOpen}</b>
        {key}
      </p>
      <dl className={styles['facts']}>
        <dt>{words.since}</dt>
        <dd>{momentWords(isOpen ? circuit.since : circuit.openedAt)}</dd>
        {isOpen && (
          <>
            <dt>{words.until}</dt>
            <dd>{momentWords(circuit.until)}</dd>
          </>
        )}
        <dt>{words.failures}</dt>
        <dd>{circuit.failures}</dd>
        {circuit.error !== null && (
          <>
            <dt>{words.error}</dt>
            <dd>
              <code>{circuit.error}</code>
            </dd>
          </>
        )}
        {!isOpen && (
          <>
            <dt>{words.inside}</dt>
            <dd>{circuit.probes.length}</dd>
          </>
        )}
      </dl>
      <Button isSmall testId="circuit-reset" onClick={onClose}>
        {words.reset}
      </Button>
    </div>
  )
}
