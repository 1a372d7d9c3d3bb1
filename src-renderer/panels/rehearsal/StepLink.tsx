/** The name of a step; a click selects it on the canvas. */

import type { NodeId } from '../../../src-engine/model/ids.ts'
import type { WorkflowDocument } from '../../../src-engine/model/workflow.ts'
import { useDesigner } from '../../state/context.ts'
import styles from './Rehearsal.module.css'
import { useTitles } from './use-titles.ts'

export function StepLink({
  id,
  document,
  at,
}: {
  readonly id: NodeId
  readonly document: WorkflowDocument
  /** Its place in the matrix, which is one stop of the keyboard; none elsewhere. */
  readonly at?: string
}) {
  const designer = useDesigner()
  const title = useTitles(document)([id])
  const show = (): void => {
    designer.view.getState().select({ nodes: [id] })
    designer.canvas.current?.reveal(id)
  }
  return (
    <button
      type="button"
      className={styles['step']}
      data-at={at}
      tabIndex={at === undefined ? 0 : -1}
      title={title}
      onClick={show}
    >
      {title}
    </button>
  )
}
