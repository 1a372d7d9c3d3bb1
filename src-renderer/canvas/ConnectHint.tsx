/** Beside the pointer while a wire is drawn: why it can't end here. */

import { useConnection, useReactFlow } from '@xyflow/react'
import { nodeId } from '../../src-engine/model/ids.ts'
import { mayConnect } from '../rules/connection.ts'
import { useDesigner } from '../state/context.ts'
import styles from './Canvas.module.css'

export function ConnectHint() {
  const designer = useDesigner()
  const { flowToScreenPosition } = useReactFlow()
  const connection = useConnection()
  if (!connection.inProgress || connection.toHandle === null || connection.isValid === true) return null
  const { fromHandle, toHandle } = connection
  if (fromHandle.type === toHandle.type) return null
  const [source, target] = fromHandle.type === 'source' ? [fromHandle, toHandle] : [toHandle, fromHandle]
  const verdict = mayConnect(
    designer.document.getState().history.document,
    {
      from: { node: nodeId(source.nodeId), port: source.id ?? 'out' },
      to: { node: nodeId(target.nodeId), port: target.id ?? 'in' },
    },
    { specs: designer.specs },
  )
  if (verdict === true) return null
  const at = flowToScreenPosition(connection.to)
  return (
    <div className={styles['refusal']} role="tooltip" style={{ left: at.x + 14, top: at.y + 14 }}>
      {verdict.message}
    </div>
  )
}
