/** A picture of a workflow with marks on it: what came, what goes, what is another. Nothing can be edited. */

import type { ReactFlowInstance } from '@xyflow/react'
import { Background, BackgroundVariant, ReactFlow } from '@xyflow/react'
import { useEffect, useMemo, useRef, useState } from 'react'
import '@xyflow/react/dist/style.css'
import { nodeId } from '../../../src-engine/model/ids.ts'
import { useDesigner, useView } from '../../state/context.ts'
import base from '../Canvas.module.css'
import { FarMark } from '../FarMark.tsx'
import { fitZoom } from '../fit.ts'
import { gridStep } from '../geometry.ts'
import { navigationMoves } from '../navigation.ts'
import type { FlowEdge, FlowInput, TaskFlowNode } from '../to-flow.ts'
import { createFlowCache } from '../to-flow.ts'
import styles from './Diff.module.css'
import { DiffEdge } from './DiffEdge.tsx'
import type { DiffFlowNode } from './DiffNode.tsx'
import { DiffNode } from './DiffNode.tsx'
import type { DiffGraph, DiffMark } from './diff-graph.ts'

/** A mark without a word is only drawn. */
export type MarkWords = Readonly<Partial<Record<DiffMark, string>>>

const nodeTypes = { task: DiffNode }
const edgeTypes = { flow: DiffEdge }
const proOptions = { hideAttribution: false }
const padding = { top: '36px', right: '36px', bottom: '44px', left: '36px' } as const

export function DiffCanvas(props: {
  readonly graph: DiffGraph
  readonly label: string
  /** What each mark says. */
  readonly words: MarkWords
  /** The node that is looked at; null for none. */
  readonly selected: string | null
  readonly onSelect: (id: string | null) => void
}) {
  const { graph, label, words, selected, onSelect } = props
  const { nodes, edges } = useMarked(graph, words, selected)
  const navigation = useView((state) => state.navigation)
  const flow = useRef<ReactFlowInstance<DiffFlowNode, FlowEdge>>(null)
  const frame = useRef<HTMLElement>(null)
  useEffect(() => {
    const element = frame.current
    if (element === null) return undefined
    const fit = (): void => void flow.current?.fitView({ padding, minZoom: 0.1, maxZoom: fitZoom.max })
    const observer = new ResizeObserver(fit)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return (
    <section
      className={`${base['canvas']} ${styles['canvas']}`}
      aria-label={label}
      data-testid="diff-canvas"
      ref={frame}
    >
      <ReactFlow
        nodes={nodes}
        edges={edges}
        nodeTypes={nodeTypes}
        edgeTypes={edgeTypes}
        onInit={(instance) => {
          flow.current = instance
          void instance.fitView({ padding, minZoom: 0.1, maxZoom: fitZoom.max })
        }}
        nodesDraggable={false}
        nodesConnectable={false}
        nodesFocusable={false}
        edgesFocusable={false}
        elementsSelectable={false}
        disableKeyboardA11y
        deleteKeyCode={null}
        panOnScroll={navigationMoves(navigation).panOnScroll}
        zoomOnDoubleClick={false}
        zoomActivationKeyCode={['Control', 'Meta']}
        minZoom={0.1}
        maxZoom={1.5}
        proOptions={proOptions}
        onNodeClick={(_event, { id }) => onSelect(id)}
        onPaneClick={() => onSelect(null)}
      >
        <Background variant={BackgroundVariant.Dots} gap={gridStep * 3} size={2} />
        <FarMark />
      </ReactFlow>
    </section>
  )
}

function useMarked(
  { document, nodes: marks, edges: edgeMarks, deltas }: DiffGraph,
  words: MarkWords,
  selected: string | null,
) {
  const { specs } = useDesigner()
  const [made] = useState(createFlowCache)
  return useMemo(() => {
    const chosen = selected === null ? [] : [nodeId(selected)]
    const selection = { nodes: chosen, edges: [], notes: [], scopes: [], frames: [], triggers: [] }
    const input = { document, selection, specs, isReadOnly: true, problemsByNode: noProblems, dragged: none }
    const nodes = made
      .nodes(input)
      .filter((node): node is TaskFlowNode => node.type === 'task')
      .map((node): DiffFlowNode => {
        const mark = marks.get(node.id) ?? null
        const word = mark === null ? null : (words[mark] ?? null)
        return { ...node, data: { ...node.data, mark, word, delta: deltas?.get(node.id) ?? null } }
      })
    const edges = made.edges(input).map((edge): FlowEdge => {
      const mark = edgeMarks.get(edge.id)
      return { ...edge, className: mark === undefined ? '' : (styles[mark] ?? '') }
    })
    return { nodes, edges }
  }, [made, document, marks, edgeMarks, deltas, words, selected, specs])
}

const none: FlowInput['dragged'] = new Map()
const noProblems: FlowInput['problemsByNode'] = new Map()
