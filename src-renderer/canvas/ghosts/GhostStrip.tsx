/** Above a card: how often the last runs came to it, how long it took, and where they failed. */

import { RotateCcw, TriangleAlert } from 'lucide-react'
import { memo } from 'react'
import type { GhostNode } from '../../../src-engine/model/ghosts.ts'
import { nodeId } from '../../../src-engine/model/ids.ts'
import { useDesigner, useGhosts } from '../../state/context.ts'
import { showRunOf } from '../../state/show-run.ts'
import { ghostWords as words } from '../../text/ghost-words.ts'
import { fill } from '../../text/messages.ts'
import { spanWords } from '../../ui/time-words.ts'
import styles from './Ghosts.module.css'

export const GhostStrip = memo(function GhostStrip({ id }: { readonly id: string }) {
  const node = useGhosts((state) => state.byNode.get(id) ?? null)
  const all = useGhosts((state) => state.ghosts?.runs ?? 0)
  if (all === 0) return null
  return (
    <div className={styles['strip']} data-testid={`ghost-${id}`} title={wholeText(node, all)}>
      <i style={{ width: `${(100 * (node?.runs ?? 0)) / all}%` }} />
      <span>{node === null ? words.never : `${node.runs}/${all}`}</span>
      {node !== null && node.medianMs !== null && <time>{spanWords(node.medianMs)}</time>}
      {node !== null && node.retried > 0 && (
        <span data-tone="wait">
          <RotateCcw size={11} aria-hidden /> {node.retried}
        </span>
      )}
      {node !== null && node.failed > 0 && <Failures node={node} />}
    </div>
  )
})

/** Leads to the newest of them. */
function Failures({ node }: { readonly node: GhostNode }) {
  const designer = useDesigner()
  const { failed, lastFailure } = node
  if (lastFailure === null) return null
  const label = fill(words.lastFailure, { code: lastFailure.code })
  return (
    <button
      type="button"
      className="nodrag"
      data-tone="bad"
      aria-label={`${fill(words.failed, { runs: failed })}. ${label}`}
      title={label}
      onClick={(event) => {
        event.stopPropagation()
        void showRunOf(designer, { runId: lastFailure.runId, nodeId: nodeId(node.nodeId) })
      }}
    >
      <TriangleAlert size={11} aria-hidden /> {failed}
    </button>
  )
}

function wholeText(node: GhostNode | null, all: number): string {
  if (node === null) return words.never
  const { runs, failed, retried, medianMs, p95Ms } = node
  return [
    fill(words.reached, { runs, all }),
    ...(medianMs === null || p95Ms === null
      ? []
      : [fill(words.took, { median: spanWords(medianMs), p95: spanWords(p95Ms) })]),
    ...(retried === 0 ? [] : [fill(words.retried, { runs: retried })]),
    ...(failed === 0 ? [] : [fill(words.failed, { runs: failed })]),
  ].join('; ')
}
