/** An edge: pencil until a run goes along it, ink afterwards; a plus in its middle inserts a node. */

import type { EdgeProps } from '@xyflow/react'
import { BaseEdge } from '@xyflow/react'
import { memo } from 'react'
import { edgeId } from '../../src-engine/model/ids.ts'
import { useDesigner, useRuns, useView } from '../state/context.ts'
import { nodesAt } from '../state/run-model.ts'
import { shownModel } from '../state/runs-store.ts'
import { edgePath } from './edge-path.ts'
import styles from './FlowEdge.module.css'
import { inkOf } from './node-look.ts'
import type { WayEdge } from './to-flow.ts'

export const FlowEdge = memo(function FlowEdge(edge: EdgeProps<WayEdge>) {
  const { id, source, target, data } = edge
  const port = data?.fromPort ?? 'out'
  const turns = useView((state) => state.turns)
  const ink = useRuns(({ current }) => {
    if (current === null) return 'none'
    const nodes = nodesAt(shownModel(current), turns)
    const own = inkOf(nodes.get(source) ?? null, port)
    return own === 'taken' && nodes.get(target)?.isSkipped === true ? 'dimmed' : own
  })
  const [path, x, y] = edgePath(edge)
  return (
    <g
      className={styles['edge']}
      data-ink={ink}
      data-port={port === 'error' ? 'error' : 'out'}
      data-selected={edge.selected || undefined}
    >
      <BaseEdge id={id} path={path} interactionWidth={22} className={styles['pencil'] ?? ''} />
      {(ink === 'taken' || ink === 'failed' || ink === 'undone') && (
        <path d={path} pathLength={1} className={styles['ink']} fill="none" />
      )}
      {data?.label && <EdgeLabel x={x} y={y} text={data.label} />}
      {data?.isReadOnly === false && <InsertButton id={id} x={x} y={y} />}
    </g>
  )
})

function EdgeLabel({ x, y, text }: { readonly x: number; readonly y: number; readonly text: string }) {
  return (
    <text x={x} y={y - 8} textAnchor="middle" className={styles['label']}>
      {text}
    </text>
  )
}

function InsertButton({ id, x, y }: { readonly id: string; readonly x: number; readonly y: number }) {
  const designer = useDesigner()
  const open = (): void => {
    const screen = designer.canvas.current?.toScreen({ x, y }) ?? { x, y }
    designer.view
      .getState()
      .setQuickAdd({ at: { x, y }, screen, attach: { kind: 'splice', edge: edgeId(id) } })
  }
  return (
    <g
      className={styles['insert']}
      transform={`translate(${x} ${y})`}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- inside of an SVG
      role="button"
      aria-label="Insert a node here"
      data-testid={`insert-${id}`}
      onClick={(event) => {
        event.stopPropagation()
        open()
      }}
    >
      <circle r="14" className={styles['target']} />
      <circle r="10" />
      <path d="M-4 0H4M0 -4V4" />
    </g>
  )
}
