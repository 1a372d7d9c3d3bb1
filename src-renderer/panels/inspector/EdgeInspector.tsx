/** What an edge connects. */

import type { EdgeId } from '../../../src-engine/model/ids.ts'
import { useDesigner } from '../../state/context.ts'
import { useShownDocument } from '../../state/selectors.ts'
import styles from './Inspector.module.css'

export function EdgeInspector({ id }: { readonly id: EdgeId }) {
  const designer = useDesigner()
  const document = useShownDocument()
  const edge = document.edges[id]
  if (edge === undefined) return null
  const titleOf = (node: keyof typeof document.nodes): string => {
    const found = document.nodes[node]
    return found?.title ?? designer.specs.get(found?.kind ?? '')?.title ?? node
  }
  return (
    <div className={styles['section']}>
      <h2>Edge</h2>
      <dl className={styles['facts']}>
        <dt>From</dt>
        <dd>{`${titleOf(edge.from.node)} · ${edge.from.port}`}</dd>
        <dt>To</dt>
        <dd>{titleOf(edge.to.node)}</dd>
      </dl>
    </div>
  )
}
