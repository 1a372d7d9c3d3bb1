/** A frame: a border with a title, or one card that stands for all that is in it. */

import type { NodeProps } from '@xyflow/react'
import { Handle, NodeResizer, Position } from '@xyflow/react'
import { ChevronDown, ChevronRight } from 'lucide-react'
import { memo, useState } from 'react'
import { changeFrame, collapseFrames, resizeFrame } from '../commands/frames.ts'
import { useDesigner, useRuns } from '../state/context.ts'
import { shownModel } from '../state/runs-store.ts'
import { frames as words } from '../text/canvas-words.ts'
import { fill } from '../text/messages.ts'
import styles from './FrameNode.module.css'
import { frameIdOf } from './flow-ids.ts'
import type { FrameFlowNode } from './frame-flow.ts'

export const FrameNode = memo(function FrameNode({ id, data, selected }: NodeProps<FrameFlowNode>) {
  const designer = useDesigner()
  const frame = frameIdOf(id) ?? id
  const { edit, endGesture } = designer.document.getState()
  const Chevron = data.isCollapsed ? ChevronRight : ChevronDown
  const toggle = (
    <button
      type="button"
      className={`${styles['toggle']} nodrag`}
      aria-expanded={!data.isCollapsed}
      aria-label={fill(data.isCollapsed ? words.open : words.collapse, { title: data.title })}
      disabled={data.isReadOnly}
      onClick={() => edit(collapseFrames([frame], !data.isCollapsed))}
    >
      <Chevron size={14} aria-hidden />
    </button>
  )
  return (
    <div
      className={styles['frame']}
      data-color={data.color ?? undefined}
      data-selected={selected || undefined}
      data-collapsed={data.isCollapsed || undefined}
      data-testid={`frame-${frame}`}
    >
      {data.isCollapsed && <Handle type="target" position={Position.Left} id="in" isConnectable={false} />}
      <span className={styles['title']}>
        {toggle}
        <FrameTitle id={frame} data={data} />
      </span>
      {data.isCollapsed && <Contents nodes={data.nodes} />}
      {data.isCollapsed && <Handle type="source" position={Position.Right} id="out" isConnectable={false} />}
      {selected && !data.isReadOnly && !data.isCollapsed && (
        <NodeResizer
          minWidth={160}
          minHeight={100}
          lineClassName={styles['line'] ?? ''}
          handleClassName={styles['handle'] ?? ''}
          onResize={(_event, box) => edit(resizeFrame(frame, box))}
          onResizeEnd={endGesture}
        />
      )}
    </div>
  )
})

function FrameTitle({ id, data }: { readonly id: string; readonly data: FrameFlowNode['data'] }) {
  const designer = useDesigner()
  const [isWriting, setWriting] = useState(false)
  const { edit, endGesture } = designer.document.getState()
  if (!isWriting) return <b onDoubleClick={() => setWriting(!data.isReadOnly)}>{data.title}</b>
  const stop = (): void => {
    endGesture()
    setWriting(false)
  }
  return (
    <input
      className="nodrag nopan"
      aria-label={words.name}
      defaultValue={data.title}
      ref={(field) => {
        if (field === null || document.activeElement === field) return
        field.focus()
        field.select()
      }}
      onChange={(event) => edit(changeFrame(id, { title: event.currentTarget.value }))}
      onKeyDown={(event) => {
        event.stopPropagation()
        if (event.key === 'Enter' || event.key === 'Escape') stop()
      }}
      onBlur={stop}
    />
  )
}

/** How many steps are in it, and how they fare in the shown run. */
function Contents({ nodes }: { readonly nodes: string }) {
  const ids = nodes === '' ? [] : nodes.split(' ')
  const state = useRuns(({ current }) => (current === null ? '' : stateOf(shownModel(current).nodes, ids)))
  const [tone, done] = state.split(' ')
  return (
    <small className={styles['contents']} data-tone={tone === '' ? undefined : tone}>
      {state === ''
        ? ids.length === 1
          ? words.one
          : fill(words.count, { count: String(ids.length) })
        : fill(words.progress, { done: done ?? '', count: String(ids.length) })}
    </small>
  )
}

interface Known {
  readonly invocation: { readonly status: string; readonly finishedAt: number | null } | null
}

/** `tone done`: a text, so that a selector stays equal to itself. */
function stateOf(runs: ReadonlyMap<string, Known>, ids: readonly string[]): string {
  const known = ids.flatMap((id) => runs.get(id)?.invocation ?? [])
  if (known.length === 0) return ''
  const done = known.filter(({ finishedAt }) => finishedAt !== null).length
  if (known.some(({ status }) => status === 'FAILED' || status === 'TIMEOUT')) return `bad ${done}`
  return known.some(({ finishedAt }) => finishedAt === null) ? `active ${done}` : `good ${done}`
}
