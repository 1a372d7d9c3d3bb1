/** An edge: pencil until a run goes along it, ink afterwards; a plus in its middle inserts a node. */

import type { EdgeProps } from '@xyflow/react'
import { BaseEdge } from '@xyflow/react'
import { memo, useCallback } from 'react'
import { edgeId } from '../../src-engine/model/ids.ts'
import { useDesigner, useView } from '../state/context.ts'
import { rewindMark } from '../state/rewind.ts'
import { nodesAt } from '../state/run-model.ts'
import type { OpenRun } from '../state/runs-store.ts'
import { shownModel } from '../state/runs-store.ts'
import { placeOf } from '../state/turns.ts'
import { edgePath } from './edge-path.ts'
import styles from './FlowEdge.module.css'
import { GhostWay } from './ghosts/GhostWay.tsx'
import { inkWidth, timesCrossed } from './live/crossings.ts'
import { EdgeBead } from './live/EdgeBead.tsx'
import { useInTurn } from './live/use-in-turn.ts'
import type { EdgeInk } from './node-look.ts'
import { inkOf } from './node-look.ts'
import type { WayEdge } from './way-edges.ts'

export const FlowEdge = memo(function FlowEdge(edge: EdgeProps<WayEdge>) {
  const { id, data } = edge
  const [source, target] = [data?.from ?? edge.source, data?.to ?? edge.target]
  const port = data?.fromPort ?? 'out'
  const turns = useView((state) => state.turns)
  const ink = useInTurn(
    useCallback(
      (current: OpenRun | null, revealed: number): EdgeInk => {
        if (current === null) return 'none'
        const model = shownModel(current)
        const nodes = nodesAt(model, turns)
        const run = nodes.get(source) ?? null
        const mark = rewindMark(model, placeOf(source, run?.invocation?.path ?? ''), revealed)
        const own = inkOf(run, port, mark)
        const wentOn = nodes.get(target)?.isSkipped !== true
        return wentOn || (own !== 'taken' && own !== 'undone') ? own : 'dimmed'
      },
      [turns, source, target, port],
    ),
  )
  const times = useInTurn(
    useCallback(
      (current: OpenRun | null) => (current === null ? 0 : timesCrossed(shownModel(current), source, port)),
      [source, port],
    ),
  )
  const isInked = ink === 'taken' || ink === 'failed'
  const [path, x, y] = edgePath(edge)
  return (
    <g
      className={styles['edge']}
      data-ink={ink}
      data-port={port === 'error' ? 'error' : 'out'}
      data-selected={edge.selected || undefined}
    >
      <GhostWay path={path} from={source} port={port} />
      <BaseEdge id={id} path={path} interactionWidth={22} className={styles['pencil'] ?? ''} />
      {(ink === 'taken' || ink === 'failed' || ink === 'undone') && (
        <path
          d={path}
          pathLength={1}
          className={styles['ink']}
          fill="none"
          style={{ strokeWidth: inkWidth(times) }}
        />
      )}
      {ink === 'undone' && <TakenBack path={path} />}
      {(data?.label || data?.guard) && (
        <EdgeLabel
          x={x}
          y={y}
          text={data.label ?? data.guard ?? ''}
          isGuard={data.label === null}
          room={Math.abs(edge.targetX - edge.sourceX)}
        />
      )}
      {data?.isReadOnly === false && <InsertButton id={id} x={x} y={y} />}
      <EdgeBead id={edgeId(id)} path={path} x={x} y={y} from={source} times={isInked ? times : 0} />
    </g>
  )
})

/** Ink in the colour of repair runs back over the way that was taken, a bead before it. */
function TakenBack({ path }: { readonly path: string }) {
  return (
    <>
      <path d={path} pathLength={1} className={styles['back']} fill="none" />
      <g className={styles['bead']} style={{ offsetPath: `path("${path}")` }}>
        <circle r="8" />
        <path d="M2.5 -3.5 L-3 0 L2.5 3.5 Z" />
      </g>
    </>
  )
}

/** More would lie over the cards at both ends. */
const labelCharsMax = 28
/** Of the letters of a condition, in pixels of the canvas. */
const charWidth = 6.2

function EdgeLabel(props: {
  readonly x: number
  readonly y: number
  readonly text: string
  readonly isGuard: boolean
  /** Between the cards at both ends, in pixels of the canvas. */
  readonly room: number
}) {
  const { x, y, text, isGuard, room } = props
  const short = text.length > labelCharsMax ? `${text.slice(0, labelCharsMax - 1)}…` : text
  // The condition stands on its card as well: where it would lie over that, it waits to be pointed at.
  const isCramped = isGuard && short.length * charWidth > room
  return (
    <text
      x={x}
      y={y - 14}
      textAnchor="middle"
      className={styles['label']}
      data-guard={isGuard || undefined}
      data-cramped={isCramped || undefined}
    >
      {short}
      <title>{text}</title>
    </text>
  )
}

/** Drawn where it is, not moved there: what has a transform is a piece of its own on the page, for each edge. */
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
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- inside of an SVG
      role="button"
      aria-label="Insert a node here"
      data-testid={`insert-${id}`}
      onClick={(event) => {
        event.stopPropagation()
        open()
      }}
    >
      <circle cx={x} cy={y} r="14" className={styles['target']} />
      <circle cx={x} cy={y} r="10" />
      <path d={`M${x - 4} ${y}h8M${x} ${y - 4}v8`} />
    </g>
  )
}
