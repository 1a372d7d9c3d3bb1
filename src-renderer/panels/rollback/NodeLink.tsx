/** The title of a step; a click shows it on the canvas. */

import type { NodeId } from '../../../src-engine/model/ids.ts'
import { useDesigner } from '../../state/context.ts'
import { useShownDocument } from '../../state/selectors.ts'
import { titleOfStep } from '../../state/step-title.ts'
import styles from './RollbackPanel.module.css'

export function NodeLink({ id }: { readonly id: NodeId }) {
  const designer = useDesigner()
  const title = useShownDocument((document) => titleOfStep(document, designer.specs, id))
  const show = (): void => {
    designer.view.getState().select({ nodes: [id] })
    designer.canvas.current?.reveal(id)
  }
  return (
    <button type="button" className={styles['node']} onClick={show}>
      {title}
    </button>
  )
}
