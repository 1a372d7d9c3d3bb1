/** Which columns the runs have: kept with the view that is saved. */

import { useRef } from 'react'
import { useDesigner, useRunViews } from '../../../state/context.ts'
import { runColumns } from '../../../state/run-views-store.ts'
import { runListWords as words } from '../../../text/run-list-words.ts'
import styles from './RunsPage.module.css'

export function ColumnChoice() {
  const designer = useDesigner()
  const filter = useRunViews((state) => state.filter)
  const box = useRef<HTMLDetailsElement>(null)
  const { hidden } = filter
  const close = (): void => {
    if (box.current === null || !box.current.open) return
    box.current.open = false
    box.current.querySelector('summary')?.focus()
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- it closes when the focus leaves it
    <details
      ref={box}
      className={styles['choice']}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (relatedTarget instanceof Node && !currentTarget.contains(relatedTarget))
          currentTarget.open = false
      }}
    >
      <summary data-testid="runs-columns">{words.chooseColumns}</summary>
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- keys of its boxes */}
      <div
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return
          event.stopPropagation()
          close()
        }}
      >
        {runColumns.map((column) => (
          <label key={column}>
            <input
              type="checkbox"
              data-testid={`runs-column-${column}`}
              checked={!hidden.includes(column)}
              onChange={({ currentTarget: { checked } }) => {
                const others = hidden.filter((left) => left !== column)
                designer.runViews
                  .getState()
                  .setFilter({ ...filter, hidden: checked ? others : [...others, column] })
              }}
            />
            {words.columns[column]}
          </label>
        ))}
      </div>
    </details>
  )
}
