/** The canvas: React Flow over the document. It draws and reports gestures; edits are made by commands. */

import { Background, BackgroundVariant, ReactFlow, SelectionMode, useStore } from '@xyflow/react'
import { useMemo } from 'react'
import '@xyflow/react/dist/style.css'
import { useDesigner } from '../state/context.ts'
import { useReadOnly } from '../state/selectors.ts'
import styles from './Canvas.module.css'
import { CanvasMap } from './CanvasMap.tsx'
import { ConnectHint } from './ConnectHint.tsx'
import { EmptyCanvas } from './EmptyCanvas.tsx'
import { FlowEdge } from './FlowEdge.tsx'
import { gridStep } from './geometry.ts'
import { NoteNode } from './NoteNode.tsx'
import { QuickAdd } from './QuickAdd.tsx'
import { TaskNode } from './TaskNode.tsx'
import { useCanvasDrop } from './use-canvas-drop.ts'
import { useCanvasHandle } from './use-canvas-handle.ts'
import { useCanvasKeys } from './use-canvas-keys.ts'
import { useConnecting } from './use-connecting.ts'
import { useFlowElements } from './use-flow-elements.ts'

// Constants, so that React Flow sees the same objects on every draw.
const nodeTypes = { task: TaskNode, note: NoteNode }
const edgeTypes = { flow: FlowEdge }
const proOptions = { hideAttribution: false }
const snapGrid: [number, number] = [gridStep, gridStep]
/** Below this the second line of a card can't be read. */
const farZoom = 0.5
/** Below this even the title needs all of the card. */
const farthestZoom = 0.37
/** Below this its words are drawn a little larger. */
const midZoom = 0.8
const multiKeys = ['Shift', 'Meta', 'Control']

export function Canvas() {
  const designer = useDesigner()
  const isReadOnly = useReadOnly()
  const elements = useFlowElements()
  const { frame, onInit, onMoveStart, onNodeDragStart } = useCanvasHandle()
  const drop = useCanvasDrop()
  const connecting = useConnecting()
  useCanvasKeys()
  const defaultEdge = useMemo(() => ({ type: 'flow' }), [])
  return (
    <section
      className={styles['canvas']}
      aria-label="Canvas"
      data-testid="canvas"
      tabIndex={-1}
      ref={frame}
      {...drop}
    >
      <ReactFlow
        {...elements}
        {...connecting}
        nodeTypes={nodeTypes}
        edgeTypes={edgeTypes}
        defaultEdgeOptions={defaultEdge}
        onInit={onInit}
        onMoveStart={onMoveStart}
        onNodeDragStart={onNodeDragStart}
        nodesConnectable={!isReadOnly}
        edgesReconnectable={!isReadOnly}
        snapToGrid
        snapGrid={snapGrid}
        elevateNodesOnSelect={false}
        onlyRenderVisibleElements
        disableKeyboardA11y
        tabIndex={0}
        edgesFocusable={false}
        deleteKeyCode={null}
        multiSelectionKeyCode={multiKeys}
        selectionKeyCode="Shift"
        selectionMode={SelectionMode.Partial}
        panOnScroll
        zoomOnDoubleClick={false}
        zoomActivationKeyCode={['Control', 'Meta']}
        minZoom={0.1}
        maxZoom={2.5}
        connectionRadius={28}
        proOptions={proOptions}
        onPaneClick={() => designer.view.getState().select({})}
      >
        <Background variant={BackgroundVariant.Dots} gap={gridStep * 3} size={2} />
        <CanvasMap />
        <ConnectHint />
        <FarMark />
      </ReactFlow>
      <EmptyCanvas />
      <QuickAdd />
    </section>
  )
}

/** Far away, cards show their title only, larger: a mark on the page tells their styles so. */
function FarMark() {
  const isFar = useStore((state) => state.transform[2] < farZoom)
  const isMid = useStore((state) => state.transform[2] < midZoom)
  const isFarthest = useStore((state) => state.transform[2] < farthestZoom)
  return (
    <i
      hidden
      data-far={isFar || undefined}
      data-mid={(isMid && !isFar) || undefined}
      data-farthest={isFarthest || undefined}
    />
  )
}
