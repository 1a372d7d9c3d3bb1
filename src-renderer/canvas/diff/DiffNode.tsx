/** A node in the picture of a difference: its card, and what became of it. */

import type { Node, NodeProps } from '@xyflow/react'
import { Handle, Position } from '@xyflow/react'
import { memo } from 'react'
import { errorPort, inputPort } from '../../../src-engine/model/workflow.ts'
import { TaskIcon } from '../../ui/TaskIcon.tsx'
import card from '../TaskNode.module.css'
import type { TaskData } from '../to-flow.ts'
import styles from './Diff.module.css'
import type { DiffMark, NodeDelta } from './diff-graph.ts'

export interface DiffData extends TaskData {
  /** Null for what is the same in both. */
  readonly mark: DiffMark | null
  /** What the mark says; null for none. */
  readonly word: string | null
  /** Null where no times are compared, or they say nothing. */
  readonly delta: NodeDelta | null
}

export type DiffFlowNode = Node<DiffData, 'task'>

export const DiffNode = memo(function DiffNode({ id, data, selected }: NodeProps<DiffFlowNode>) {
  const { node, spec, ports, mark, word, delta, body } = data
  const title = node.title ?? spec?.title ?? node.kind
  return (
    <article
      className={`${card['card']} ${styles['card']}`}
      data-testid={`diff-${id}`}
      data-category={spec?.category ?? 'unknown'}
      data-mark={mark ?? undefined}
      data-selected={selected || undefined}
      data-body={body ?? undefined}
      aria-label={[title, word, delta?.text].filter((part) => typeof part === 'string').join(', ')}
    >
      <Handle type="target" position={Position.Left} id={inputPort} className={card['in'] ?? ''} />
      <div className={card['head']}>
        <span className={card['tile']}>
          <TaskIcon name={spec?.icon} size={18} strokeWidth={1.8} />
        </span>
        <span className={card['words']}>
          <span className={card['title']}>{title}</span>
          <span className={card['summary']}>
            {spec === null ? node.kind : spec.summary(node.parameters ?? {})}
          </span>
        </span>
      </div>
      {ports.length === 1 && (
        <Handle
          type="source"
          position={Position.Right}
          id={ports[0]?.id ?? 'out'}
          className={card['out'] ?? ''}
        />
      )}
      {ports.length > 1 && (
        <ul className={card['ports']}>
          {ports.map((port) => (
            <li key={port.id} className={card['port']}>
              <span>{port.title}</span>
              <Handle type="source" position={Position.Right} id={port.id} className={card['out'] ?? ''} />
            </li>
          ))}
        </ul>
      )}
      <Handle type="source" position={Position.Bottom} id={errorPort} className={styles['error'] ?? ''} />
      {mark !== null && (
        <span className={styles['mark']} data-mark={mark}>
          {word}
        </span>
      )}
      {delta !== null && (
        <span className={styles['delta']} data-heat={delta.heat} data-slower={delta.isSlower || undefined}>
          {delta.text}
        </span>
      )}
    </article>
  )
})
