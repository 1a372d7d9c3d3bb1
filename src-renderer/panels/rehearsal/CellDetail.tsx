/** One cell of the matrix in full: how the run ended, what was undone, what stays, who decides, and why. */

import { Pin, ShieldAlert } from 'lucide-react'
import type { NodeId } from '../../../src-engine/model/ids.ts'
import type { WorkflowDocument } from '../../../src-engine/model/workflow.ts'
import type { RehearsalCell } from '../../../src-engine/protocol/rehearsal.ts'
import { rehearsalWords as words } from '../../text/rehearsal-words.ts'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import styles from './Rehearsal.module.css'
import { endLook, happensWords } from './rehearsal-matrix.ts'
import { StepLink } from './StepLink.tsx'
import { useTitles } from './use-titles.ts'

interface Props {
  readonly cell: RehearsalCell
  readonly document: WorkflowDocument
}

export function CellDetail({ cell, document }: Props) {
  const { nodeId, mode, reached } = cell
  const title = useTitles(document)([nodeId])
  return (
    <section className={styles['detail']} aria-label={words.detail} data-testid="rehearsal-detail">
      <header>
        <h3>{happensWords(mode, title)}</h3>
        <StatusBadge style={endLook(cell)} />
      </header>
      {reached ? <Story cell={cell} document={document} /> : <p>{words.notReachedHint}</p>}
    </section>
  )
}

function Story({ cell, document }: Props) {
  const { undone, stays, asks, error, violations } = cell
  const isQuiet = undone.length + stays.length + asks.length === 0
  return (
    <>
      {violations.length > 0 && (
        <>
          <h4 data-tone="bad">
            <ShieldAlert size={12} aria-hidden /> {words.rules}
          </h4>
          <ul>
            {violations.map(({ code, message }) => (
              <li key={`${code} ${message}`}>
                {message} <code>{code}</code>
              </li>
            ))}
          </ul>
        </>
      )}
      {undone.length > 0 && (
        <>
          <h4>{words.undone}</h4>
          <ol>
            <Steps ids={undone} document={document} />
          </ol>
        </>
      )}
      {stays.length > 0 && (
        <>
          <h4 data-tone="wait">
            <Pin size={12} aria-hidden /> {words.left}
          </h4>
          <ul>
            <Steps ids={stays} document={document} />
          </ul>
        </>
      )}
      {asks.length > 0 && (
        <>
          <h4 data-tone="violet">{words.asks}</h4>
          <ul>
            <Steps ids={asks} document={document} />
          </ul>
        </>
      )}
      {isQuiet && <p>{words.quiet}</p>}
      {error !== null && (
        <>
          <h4>{words.error}</h4>
          <p>
            {error.message} <code>{error.code}</code>
          </p>
        </>
      )}
    </>
  )
}

/** Steps of maps and loops come again with each item: the place in the order tells them apart. */
function Steps({ ids, document }: { readonly ids: readonly NodeId[]; readonly document: WorkflowDocument }) {
  const countOf = new Map<NodeId, number>()
  return ids.map((id) => {
    const count = (countOf.get(id) ?? 0) + 1
    countOf.set(id, count)
    return (
      <li key={`${id} ${count}`}>
        <StepLink id={id} document={document} />
      </li>
    )
  })
}
