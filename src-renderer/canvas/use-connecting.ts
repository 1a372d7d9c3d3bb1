/** Drawing wires: allowed or not, onto a port, onto the void, or to another place. */

import type { Connection, FinalConnectionState, OnConnect, OnConnectEnd } from '@xyflow/react'
import { useCallback, useRef } from 'react'
import { edgeId, nodeId } from '../../src-engine/model/ids.ts'
import type { Point, WorkflowEdge } from '../../src-engine/model/workflow.ts'
import { connect, reconnect } from '../commands/connect.ts'
import { undoPort } from '../rules/compensation.ts'
import { mayConnect } from '../rules/connection.ts'
import { useDesigner } from '../state/context.ts'
import type { Designer } from '../state/designer.ts'
import type { FlowEdge } from './to-flow.ts'

/** The props of React Flow that have to do with connecting. */
export function useConnecting() {
  const designer = useDesigner()
  /** The edge whose end is in the hand; it does not stand in its own way. */
  const inHand = useRef<string | null>(null)
  const isValidConnection = useCallback(
    (connection: Connection | FlowEdge) => {
      const edge = edgeOf(connection)
      const { document } = designer.document.getState().history
      return (
        edge !== null &&
        mayConnect(document, edge, { specs: designer.specs, replacing: inHand.current }) === true
      )
    },
    [designer],
  )
  const onConnect: OnConnect = useCallback(
    (connection) => {
      const edge = edgeOf(connection)
      if (edge !== null) designer.document.getState().edit(connect(edge))
    },
    [designer],
  )
  const onConnectEnd: OnConnectEnd = useCallback(
    (event, state) => {
      // Without a port under it the wire was dropped on the void.
      if (inHand.current === null && state.toHandle === null && state.toNode === null)
        offerNodes(designer, event, state)
    },
    [designer],
  )
  const onReconnect = useCallback(
    (edge: FlowEdge, connection: Connection) => {
      const ends = edgeOf(connection)
      // What was an edge stays one: the undo port leads nowhere forward.
      if (ends !== null && ends.from.port !== undoPort)
        designer.document.getState().edit(reconnect(edgeId(edge.id), ends))
    },
    [designer],
  )
  // Others would have every edge in sight drawn anew.
  const onReconnectStart = useCallback((_event: unknown, edge: FlowEdge) => {
    inHand.current = edge.id
  }, [])
  const onReconnectEnd = useCallback(() => {
    inHand.current = null
  }, [])
  return { isValidConnection, onConnect, onConnectEnd, onReconnect, onReconnectStart, onReconnectEnd }
}

function offerNodes(designer: Designer, event: MouseEvent | TouchEvent, state: FinalConnectionState): void {
  const { fromHandle } = state
  const { current: canvas } = designer.canvas
  if (fromHandle === null || canvas === null) return
  const screen = screenOf(event)
  const node = nodeId(fromHandle.nodeId)
  const attach =
    fromHandle.id === undoPort
      ? ({ kind: 'undo', of: node } as const)
      : fromHandle.type === 'source'
        ? ({ kind: 'after', from: { node, port: fromHandle.id ?? 'out' } } as const)
        : ({ kind: 'before', to: { node, port: fromHandle.id ?? 'in' } } as const)
  designer.view.getState().setQuickAdd({ at: canvas.toCanvas(screen), screen, attach })
}

function edgeOf(connection: Connection | FlowEdge): Pick<WorkflowEdge, 'from' | 'to'> | null {
  const { source, target, sourceHandle, targetHandle } = connection
  if (!source || !target) return null
  return {
    from: { node: nodeId(source), port: sourceHandle ?? 'out' },
    to: { node: nodeId(target), port: targetHandle ?? 'in' },
  }
}

function screenOf(event: MouseEvent | TouchEvent): Point {
  if ('clientX' in event) return { x: event.clientX, y: event.clientY }
  const touch = event.changedTouches[0]
  return { x: touch?.clientX ?? 0, y: touch?.clientY ?? 0 }
}
