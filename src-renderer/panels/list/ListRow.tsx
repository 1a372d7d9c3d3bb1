/** One step of the list: what it is, how it fares, what it leads to. */

import { CircleAlert } from 'lucide-react'
import type { KeyboardEvent } from 'react'
import { memo } from 'react'
import type { NodeId } from '../../../src-engine/model/ids.ts'
import { lookOf } from '../../canvas/node-look.ts'
import { changeNode } from '../../commands/change-node.ts'
import type { GraphRow } from '../../rules/graph-order.ts'
import { useDesigner, useView } from '../../state/context.ts'
import { useNodeRun, useReadOnly, useShownDocument } from '../../state/selectors.ts'
import { titleOfStep } from '../../state/step-title.ts'
import { list as words } from '../../text/canvas-words.ts'
import { fill } from '../../text/messages.ts'
import { TaskIcon } from '../../ui/TaskIcon.tsx'
import styles from './List.module.css'

export const ListRow = memo(function ListRow(props: {
  readonly row: GraphRow
  readonly isChosen: boolean
  readonly isCurrent: boolean
  readonly hasProblem: boolean
  readonly onChoose: (id: NodeId) => void
}) {
  const { row, isChosen, isCurrent, hasProblem } = props
  const designer = useDesigner()
  const run = useNodeRun(row.id)
  const nodes = useShownDocument((document) => document.nodes)
  const isReadOnly = useReadOnly()
  const isRenaming = useView((state) => state.renamingRow === row.id) && !isReadOnly
  const node = nodes[row.id]
  if (node === undefined) return null
  const spec = designer.specs.get(node.kind)
  const titleOf = (id: NodeId): string => titleOfStep({ nodes }, designer.specs, id)
  const title = titleOf(row.id)
  const look = run === null ? null : lookOf(run)
  const after = row.after.map(titleOf).join(', ')
  const way = after === '' ? words.last : fill(words.leadsTo, { after })
  const state =
    node.disabled === true ? words.off : node.bypassed === true ? words.bypassed : look?.style.label
  return (
    <div
      className={styles['row']}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a step of a tree of steps
      role="treeitem"
      aria-level={row.level}
      aria-selected={isChosen}
      tabIndex={isCurrent ? 0 : -1}
      data-row={row.id}
      data-testid={`row-${row.id}`}
      data-off={node.disabled || undefined}
      data-category={spec?.category ?? 'unknown'}
      style={{ paddingLeft: 8 + (row.level - 1) * 18 }}
      onClick={() => props.onChoose(row.id)}
      onKeyDown={(event) => {
        if (event.key !== ' ' || event.target instanceof HTMLInputElement) return
        event.preventDefault()
        props.onChoose(row.id)
      }}
    >
      <span className={styles['tile']}>
        <TaskIcon name={spec?.icon} size={14} />
      </span>
      <span className={styles['words']}>
        {isRenaming ? <RowTitle id={row.id} title={title} /> : <b>{title}</b>}
        <small>{`${spec?.title ?? node.kind}, ${way}`}</small>
      </span>
      {hasProblem && <CircleAlert size={14} className={styles['problem']} aria-label={words.problem} />}
      {state !== undefined && (
        <small className={styles['state']} data-tone={look?.style.tone}>
          {state}
        </small>
      )}
    </div>
  )
})

/** The title as a field; Enter keeps what was written, Escape what was there. */
function RowTitle({ id, title }: { readonly id: NodeId; readonly title: string }) {
  const designer = useDesigner()
  const settle = (text: string | null): void => {
    const trimmed = text?.trim() ?? ''
    if (text !== null && trimmed !== title) {
      designer.document.getState().edit(changeNode(id, { title: trimmed === '' ? null : trimmed }))
      designer.document.getState().endGesture()
    }
    designer.view.getState().setRenamingRow(null)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    event.stopPropagation()
    if (event.key !== 'Enter' && event.key !== 'Escape') return
    const row = event.currentTarget.closest<HTMLElement>('[data-row]')
    settle(event.key === 'Enter' ? event.currentTarget.value : null)
    designer.ambient.onFrame(() => row?.focus())
  }
  return (
    <input
      aria-label={words.rename}
      defaultValue={title}
      ref={(input) => {
        if (input === null || document.activeElement === input) return
        input.focus()
        input.select()
      }}
      onClick={(event) => event.stopPropagation()}
      onKeyDown={onKeyDown}
      onBlur={(event) => settle(event.currentTarget.value)}
    />
  )
}
