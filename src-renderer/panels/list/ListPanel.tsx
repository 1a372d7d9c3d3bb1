/**
 * The steps as a list: the canvas for who can't see it, and a fast editor for everybody. Arrow keys go through
 * it and along the edges; the keys of the canvas work on the step that is chosen.
 */

import { ListTree } from 'lucide-react'
import type { KeyboardEvent } from 'react'
import { useMemo, useRef } from 'react'
import type { NodeId } from '../../../src-engine/model/ids.ts'
import type { GraphRow } from '../../rules/graph-order.ts'
import { graphRows } from '../../rules/graph-order.ts'
import { useDesigner, useDocument, useView } from '../../state/context.ts'
import { useReadOnly, useShownDocument } from '../../state/selectors.ts'
import { list as words } from '../../text/canvas-words.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import styles from './List.module.css'
import { ListRow } from './ListRow.tsx'

export function ListPanel() {
  const designer = useDesigner()
  const document = useShownDocument()
  const isReadOnly = useReadOnly()
  const rows = useMemo(() => graphRows(document), [document])
  const selected = useView((state) => state.selection.nodes)
  const problems = useDocument((state) => state.problems)
  const box = useRef<HTMLDivElement>(null)
  const troubled = useMemo(
    () => new Set(isReadOnly ? [] : problems.map(({ nodeId: id }) => id)),
    [problems, isReadOnly],
  )
  if (rows.length === 0) return <EmptyState icon={ListTree} text={words.none} />
  const current = rows.find(({ id }) => selected.includes(id))?.id ?? rows[0]?.id
  const goTo = (id: NodeId | undefined): void => {
    if (id === undefined) return
    designer.view.getState().select({ nodes: [id] })
    designer.canvas.current?.reveal(id)
    // It is drawn as chosen in the next frame.
    designer.ambient.onFrame(() =>
      box.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(id)}"]`)?.focus(),
    )
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    // A field in the list has its own keys; chords with arrows move the card.
    if (event.target instanceof HTMLInputElement || event.ctrlKey || event.metaKey || event.altKey) return
    const next = nextOf(rows, current, event.key)
    if (event.key === 'Enter') openInspector()
    else if (next === null) return
    else goTo(next)
    event.preventDefault()
  }
  const openInspector = (): void => {
    designer.view.getState().setPanels({ isInspectorOpen: true })
    designer.ambient.onFrame(() =>
      globalThis.document
        .querySelector<HTMLElement>(
          '[data-testid="inspector"] :is(input, select, textarea, [role="textbox"], button)',
        )
        ?.focus(),
    )
  }
  return (
    <div
      ref={box}
      className={styles['list']}
      role="tree"
      tabIndex={-1}
      aria-label={words.title}
      aria-multiselectable
      data-keys="canvas"
      data-testid="graph-list"
      onKeyDown={onKeyDown}
    >
      {rows.map((row) => (
        <ListRow
          key={row.id}
          row={row}
          isChosen={selected.includes(row.id)}
          isCurrent={row.id === current}
          hasProblem={troubled.has(row.id)}
          onChoose={goTo}
        />
      ))}
    </div>
  )
}

/** Where a key leads: up and down the list, left and right along the edges; null for a key that doesn't. */
function nextOf(rows: readonly GraphRow[], current: NodeId | undefined, key: string): NodeId | null {
  const index = rows.findIndex(({ id }) => id === current)
  const row = rows[index]
  switch (key) {
    case 'ArrowDown':
      return rows[Math.min(index + 1, rows.length - 1)]?.id ?? null
    case 'ArrowUp':
      return rows[Math.max(index - 1, 0)]?.id ?? null
    case 'Home':
      return rows[0]?.id ?? null
    case 'End':
      return rows.at(-1)?.id ?? null
    case 'ArrowRight':
      return row?.after[0] ?? row?.id ?? null
    case 'ArrowLeft':
      return row?.before[0] ?? row?.id ?? null
    default:
      return null
  }
}
