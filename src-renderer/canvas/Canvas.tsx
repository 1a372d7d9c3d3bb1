/** The canvas: React Flow over the document. It draws and reports gestures; edits are made by commands. */

import { ReactFlow, ReactFlowProvider, SelectionMode } from '@xyflow/react'
import { useCallback } from 'react'
import '@xyflow/react/dist/style.css'
import { useView } from '../state/context.ts'
import { useReadOnly } from '../state/selectors.ts'
import { useIsRewinding } from '../state/use-rewound.ts'
import styles from './Canvas.module.css'
import { ConnectHint } from './ConnectHint.tsx'
import { DragDrawing } from './drag-flow.ts'
import { EmptyCanvas } from './EmptyCanvas.tsx'
import { FarMark } from './FarMark.tsx'
import { FindBar } from './FindBar.tsx'
import { FlowEdge } from './FlowEdge.tsx'
import { FrameNode } from './FrameNode.tsx'
import { FarCanvas } from './far/FarCanvas.tsx'
import { zoomMax, zoomMin } from './far/far-level.ts'
import { FarWatch, useFar } from './far/use-far.tsx'
import { Ground } from './Ground.tsx'
import { Guides } from './Guides.tsx'
import { gridStep } from './geometry.ts'
import { GhostBar } from './ghosts/GhostBar.tsx'
import { Lasso } from './Lasso.tsx'
import { LayoutBar } from './layout/LayoutBar.tsx'
import { FollowRun } from './live/FollowRun.tsx'
import { LeaseWatch } from './live/LeaseWatch.tsx'
import { CanvasMap } from './map/CanvasMap.tsx'
import { useCanvasMenu } from './menu/use-canvas-menu.ts'
import { NoteNode } from './NoteNode.tsx'
import { navigationMoves } from './navigation.ts'
import { QuickAdd } from './QuickAdd.tsx'
import { QuickStore } from './quick-store.ts'
import { ScopeNode } from './ScopeNode.tsx'
import { TaskNode } from './TaskNode.tsx'
import { TriggerEdge } from './triggers/TriggerEdge.tsx'
import { UndoEdge } from './UndoEdge.tsx'
import { useCanvasDrop } from './use-canvas-drop.ts'
import { useCanvasHandle } from './use-canvas-handle.ts'
import { useCanvasKeys } from './use-canvas-keys.ts'
import { useConnecting } from './use-connecting.ts'
import { useFlowElements } from './use-flow-elements.ts'

// Constants, so that React Flow sees the same objects on every draw.
const nodeTypes = { task: TaskNode, note: NoteNode, scope: ScopeNode, frame: FrameNode }
const edgeTypes = { flow: FlowEdge, undo: UndoEdge }
const proOptions = { hideAttribution: false }
const snapGrid: [number, number] = [gridStep, gridStep]
const multiKeys = ['Shift', 'Meta', 'Control']
const zoomKeys = ['Control', 'Meta']
const defaultEdge = { type: 'flow' }

export function Canvas() {
  const isReadOnly = useReadOnly()
  const { elements, sight, handlers } = useFlowElements()
  const far = useFar(elements)
  const { frame, first, onInit, onMoveStart, onMoveEnd, onNodeDragStart } = useCanvasHandle(
    elements.nodes,
    far.begin,
  )
  const menu = useCanvasMenu()
  const drop = useCanvasDrop()
  const connecting = useConnecting()
  const isRewinding = useIsRewinding()
  const navigation = useView((state) => state.navigation)
  const isGliding = useView((state) => state.layout === 'gliding')
  useCanvasKeys()
  const { onNodeDragStart: beginDrag } = handlers
  // Another one would be put into React Flow's store, and all that asks it would ask again.
  const onDragStart = useCallback<typeof beginDrag>(
    (...drag) => {
      onNodeDragStart()
      beginDrag(...drag)
    },
    [onNodeDragStart, beginDrag],
  )
  const { onSelectionEnd: endBox } = elements
  const { onSelectionEnd: pickFar } = far.handlers
  const onSelectionEnd = useCallback(() => {
    endBox()
    pickFar()
  }, [endBox, pickFar])
  return (
    <section
      className={styles['canvas']}
      aria-label="Canvas"
      data-testid="canvas"
      data-rewinding={isRewinding || undefined}
      data-gliding={isGliding || undefined}
      tabIndex={-1}
      ref={frame}
      {...drop}
      {...menu}
    >
      {first !== null && (
        // Given its nodes once, by its props: with a provider of its own making it would take all of them in twice.
        <ReactFlowProvider>
          <QuickStore />
          <ReactFlow
            {...elements}
            {...far.given}
            {...connecting}
            {...handlers}
            {...far.handlers}
            onSelectionEnd={onSelectionEnd}
            nodeTypes={nodeTypes}
            edgeTypes={edgeTypes}
            defaultEdgeOptions={defaultEdge}
            defaultViewport={first}
            onInit={onInit}
            onMoveStart={onMoveStart}
            onMoveEnd={onMoveEnd}
            onNodeDragStart={onDragStart}
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
            {...navigationMoves(navigation)}
            zoomOnDoubleClick={false}
            zoomActivationKeyCode={zoomKeys}
            minZoom={zoomMin(elements.nodes.length)}
            maxZoom={zoomMax}
            connectionRadius={28}
            proOptions={proOptions}
          >
            <Ground />
            <CanvasMap nodes={elements.nodes} />
            <ConnectHint />
            <FarMark />
            <FarWatch store={far.store} nodes={elements.nodes} />
            {far.isFar && <FarCanvas nodes={elements.nodes} edges={elements.edges} />}
            <Guides sight={sight} />
            <DragDrawing sight={sight} />
            <TriggerEdge />
          </ReactFlow>
        </ReactFlowProvider>
      )}
      <EmptyCanvas />
      <QuickAdd />
      <Lasso />
      <FindBar />
      <GhostBar />
      <LayoutBar />
      <LeaseWatch />
      <FollowRun />
    </section>
  )
}
