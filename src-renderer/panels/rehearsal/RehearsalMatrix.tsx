/** Steps by what goes wrong with them; arrow keys go through it, and the detail follows. */

import type { KeyboardEvent } from 'react'
import type { WorkflowDocument } from '../../../src-engine/model/workflow.ts'
import type { RehearsalCell } from '../../../src-engine/protocol/rehearsal.ts'
import { failureModes } from '../../../src-engine/protocol/rehearsal.ts'
import { useDesigner, useView } from '../../state/context.ts'
import type { CellPlace } from '../../state/rehearsal-store.ts'
import { rehearsalWords as words } from '../../text/rehearsal-words.ts'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import styles from './Rehearsal.module.css'
import type { MatrixRow } from './rehearsal-matrix.ts'
import { endLook, placeAfterKey, stayWords } from './rehearsal-matrix.ts'
import { StepLink } from './StepLink.tsx'

export function RehearsalMatrix({
  rows,
  document,
  picked,
}: {
  readonly rows: readonly MatrixRow[]
  readonly document: WorkflowDocument
  readonly picked: CellPlace | null
}) {
  const selected = useView((state) => state.selection.nodes)
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    if (!(event.target instanceof HTMLElement)) return
    const from = event.target.dataset['at']?.split(':').map(Number)
    const [row, column] = from ?? []
    if (row === undefined || column === undefined) return
    const to = placeAfterKey(rows, { row, column }, event.key)
    if (to === null) return
    event.preventDefault()
    // The canvas would move its cards.
    event.stopPropagation()
    event.currentTarget.querySelector<HTMLElement>(`[data-at="${to.row}:${to.column}"]`)?.focus()
  }
  return (
    <div className={styles['scroll']}>
      {/* oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- its cells take the focus */}
      <table
        className={styles['matrix']}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role -- so are grids made
        role="grid"
        aria-label={words.table}
        onKeyDown={onKeyDown}
      >
        <thead>
          <tr>
            <th scope="col">{words.step}</th>
            {failureModes.map((mode) => (
              <th key={mode} scope="col">
                {words.columns[mode]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ nodeId, cells }, row) => (
            <tr key={nodeId} data-selected={selected.includes(nodeId) || undefined}>
              <th scope="row">
                <StepLink id={nodeId} document={document} at={`${row}:0`} />
              </th>
              {cells.map((cell, index) => (
                <td key={failureModes[index]}>
                  {cell === null ? (
                    <span className={styles['untried']} title={words.noCellHint}>
                      <span aria-hidden>–</span> {words.noCell}
                    </span>
                  ) : (
                    <Cell
                      cell={cell}
                      at={`${row}:${index + 1}`}
                      isPicked={picked?.nodeId === nodeId && picked.mode === cell.mode}
                    />
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Cell({
  cell,
  at,
  isPicked,
}: {
  readonly cell: RehearsalCell
  readonly at: string
  readonly isPicked: boolean
}) {
  const designer = useDesigner()
  const { nodeId, mode } = cell
  const look = endLook(cell)
  const stays = stayWords(cell)
  const pick = (): void => designer.rehearsal.getState().pick({ nodeId, mode })
  return (
    <button
      type="button"
      className={styles['cell']}
      data-testid={`rehearsal-${nodeId}-${mode}`}
      data-at={at}
      data-end={look.tone}
      tabIndex={isPicked ? 0 : -1}
      aria-pressed={isPicked}
      onFocus={pick}
      onClick={pick}
    >
      <StatusBadge style={look} />
      {stays !== null && <small>{stays}</small>}
    </button>
  )
}
