/**
 * A value as a tree whose entries can be put into fields: by dragging, or with Enter. Arrow keys walk through
 * it, letters don't: the search box above is for finding.
 */

import { Braces, Copy, CornerDownRight, Waypoints } from 'lucide-react'
import type { DragEvent, KeyboardEvent } from 'react'
import { useId, useMemo, useState } from 'react'
import type { JsonValue } from '../../../../src-engine/model/json.ts'
import type { ValuePath } from '../../../forms/expression-path.ts'
import { pathExpression } from '../../../forms/expression-path.ts'
import type { DraggedValue } from '../../../forms/value-drag.ts'
import { writeDrag } from '../../../forms/value-drag.ts'
import { dataWords as words } from '../../../text/data-words.ts'
import { followingWords } from '../../../text/following-words.ts'
import { fill } from '../../../text/messages.ts'
import { copyText } from './copy-text.ts'
import styles from './Data.module.css'
import type { TreeLook, TreeRow } from './value-rows.ts'
import { firstLook, leafText, pageSize, peekText, rowsOf } from './value-rows.ts'

export interface ValueTreeProps {
  readonly label: string
  readonly value: JsonValue
  /** The expression for the value as a whole; null where no expression sees it. */
  readonly root: string | null
  readonly query: string
  /** Asked for with Enter or the button of an entry; null where there is no field to put it into. */
  readonly onUse: ((dragged: DraggedValue) => void) | null
  /** Asked for with Shift+Enter or the button of an entry; absent where it is no value of a run. */
  readonly onFollow?: ((path: ValuePath) => void) | undefined
}

export function ValueTree({ label, value, root, query, onUse, onFollow }: ValueTreeProps) {
  const treeId = useId()
  const [look, setLook] = useState<TreeLook>(firstLook)
  const rows = useMemo(() => rowsOf(value, { ...look, query }), [value, look, query])
  const [current, setCurrent] = useState('[]')
  const at = Math.max(
    0,
    rows.findIndex(({ id }) => id === current),
  )
  const toggle = ({ id, isOpen }: TreeRow): void =>
    setLook((before) => ({ ...before, open: new Map(before.open).set(id, !isOpen) }))
  const showMore = ({ path }: TreeRow): void =>
    setLook((before) => {
      const id = JSON.stringify(path)
      return { ...before, shown: new Map(before.shown).set(id, (before.shown.get(id) ?? pageSize) * 4) }
    })
  const activate = (row: TreeRow): void => {
    const dragged = draggedOf(root, row)
    if (row.more > 0) showMore(row)
    else if (dragged !== null && onUse !== null) onUse(dragged)
    else if (row.count !== null) toggle(row)
  }
  const go = (event: KeyboardEvent<HTMLElement>, to: number): void => {
    const row = rows[Math.max(0, Math.min(to, rows.length - 1))]
    if (row === undefined) return
    setCurrent(row.id)
    const element = event.currentTarget.querySelector<HTMLElement>(`[data-row="${CSS.escape(row.id)}"]`)
    element?.focus()
  }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const row = rows[at]
    if (row === undefined || event.altKey || event.ctrlKey || event.metaKey) return
    const isFollowing = event.shiftKey && event.key === 'Enter' && onFollow !== undefined
    if (isFollowing) onFollow(row.path)
    if (!isFollowing && !treeKey({ event, row, rows, at, go, toggle, activate })) return
    event.preventDefault()
    event.stopPropagation()
  }
  if (rows.length === 0 || (query.trim() !== '' && rows.length === 1 && rows[0]?.count !== null))
    return <p className={styles['none']}>{words.noHits}</p>
  return (
    // oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- its entries take the focus
    <div role="tree" aria-label={label} className={styles['tree']} id={treeId} onKeyDown={onKeyDown}>
      {rows.map((row, index) => (
        <Row
          key={row.id}
          row={row}
          root={root}
          isCurrent={index === at}
          onFocus={() => setCurrent(row.id)}
          onToggle={() => (row.more > 0 ? showMore(row) : toggle(row))}
          onUse={onUse}
          onFollow={onFollow}
        />
      ))}
    </div>
  )
}

/** What a key does in the tree; false for one that means nothing to it. */
function treeKey(press: {
  readonly event: KeyboardEvent<HTMLElement>
  readonly row: TreeRow
  readonly rows: readonly TreeRow[]
  readonly at: number
  readonly go: (event: KeyboardEvent<HTMLElement>, to: number) => void
  readonly toggle: (row: TreeRow) => void
  readonly activate: (row: TreeRow) => void
}): boolean {
  const { event, row, rows, at, go, toggle, activate } = press
  const outer = rows.findLastIndex(({ depth }, index) => index < at && depth < row.depth)
  const steps: Readonly<Record<string, () => void>> = {
    ArrowDown: () => go(event, at + 1),
    ArrowUp: () => go(event, at - 1),
    Home: () => go(event, 0),
    End: () => go(event, rows.length - 1),
    ArrowRight: () => (row.count !== null && row.count > 0 && !row.isOpen ? toggle(row) : go(event, at + 1)),
    ArrowLeft: () => (row.isOpen ? toggle(row) : go(event, outer === -1 ? at : outer)),
    Enter: () => activate(row),
    ' ': () => (row.more > 0 ? activate(row) : toggle(row)),
  }
  const step = steps[event.key]
  step?.()
  return step !== undefined
}

/** What the row gives to a field; null for what no expression sees. */
function draggedOf(root: string | null, { path, more }: TreeRow): DraggedValue | null {
  if (root === null || more > 0) return null
  const name = path.findLast((step) => typeof step === 'string')
  return { expression: pathExpression(root, path), name: typeof name === 'string' ? name : null }
}

function Row(props: {
  readonly row: TreeRow
  readonly root: string | null
  readonly isCurrent: boolean
  readonly onFocus: () => void
  readonly onToggle: () => void
  readonly onUse: ((dragged: DraggedValue) => void) | null
  readonly onFollow: ValueTreeProps['onFollow']
}) {
  const { row, root, onToggle, onUse, onFollow } = props
  const dragged = draggedOf(root, row)
  const isBranch = row.count !== null
  const onDragStart = (event: DragEvent): void => {
    if (dragged === null) return
    event.stopPropagation()
    writeDrag(event.dataTransfer, dragged)
  }
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- keys are the tree's as a whole
    <div
      role="treeitem"
      aria-level={row.depth + 1}
      aria-expanded={isBranch && row.count > 0 ? row.isOpen : undefined}
      aria-selected={props.isCurrent}
      tabIndex={props.isCurrent ? 0 : -1}
      data-row={row.id}
      data-branch={isBranch || undefined}
      className={styles['row']}
      style={{ paddingInlineStart: 6 + row.depth * 14 }}
      draggable={dragged !== null}
      title={dragged?.expression}
      onDragStart={onDragStart}
      onFocus={props.onFocus}
      onClick={isBranch || row.more > 0 ? onToggle : undefined}
      onDoubleClick={dragged === null || isBranch ? undefined : () => onUse?.(dragged)}
    >
      {row.more > 0 ? (
        <span className={styles['more']}>{fill(words.cut, { count: row.more })}</span>
      ) : (
        <>
          <i data-open={row.isOpen || undefined} data-empty={!isBranch || row.count === 0 || undefined} />
          {row.name !== null && <span className={styles['name']}>{row.name}</span>}
          <Shown row={row} />
          {(dragged !== null || onFollow !== undefined) && (
            <RowTools row={row} dragged={dragged} onUse={onUse} onFollow={onFollow} />
          )}
        </>
      )}
    </div>
  )
}

function Shown({ row: { value, count, isOpen } }: { readonly row: TreeRow }) {
  if (count !== null) {
    const size = Array.isArray(value) ? `[${count}]` : `{${count}}`
    return (
      <>
        <small>{count === 0 ? words.empty : size}</small>
        {!isOpen && count > 0 && (
          // Who hears the page opens it.
          <span className={styles['peek']} aria-hidden data-peek>
            {peekText(value)}
          </span>
        )}
      </>
    )
  }
  return <span data-type={value === null ? 'null' : typeof value}>{leafText(value)}</span>
}

/** For the mouse; with the keyboard, Enter on the entry does the same. */
function RowTools(props: {
  readonly row: TreeRow
  readonly dragged: DraggedValue | null
  readonly onUse: ((dragged: DraggedValue) => void) | null
  readonly onFollow: ValueTreeProps['onFollow']
}) {
  const { row, dragged, onUse, onFollow } = props
  const { value } = row
  const tools = [
    ...(onUse === null || dragged === null
      ? []
      : [{ label: words.intoField, icon: CornerDownRight, act: () => onUse(dragged) }]),
    ...(onFollow === undefined
      ? []
      : [{ label: followingWords.follow, icon: Waypoints, act: () => onFollow(row.path) }]),
    ...(dragged === null
      ? []
      : [{ label: words.copyPath, icon: Braces, act: () => copyText(dragged.expression) }]),
    {
      label: words.copyValue,
      icon: Copy,
      act: () => copyText(typeof value === 'string' ? value : JSON.stringify(value, null, 2)),
    },
  ]
  return (
    <span className={styles['tools']}>
      {tools.map(({ label, icon: Icon, act }) => (
        <button
          key={label}
          type="button"
          tabIndex={-1}
          aria-label={label}
          title={label}
          onClick={(event) => {
            event.stopPropagation()
            act()
          }}
        >
          <Icon size={12} aria-hidden />
        </button>
      ))}
    </span>
  )
}
