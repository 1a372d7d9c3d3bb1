/** The difference as a picture, with the changes in words beside it. */

import { useMemo, useState } from 'react'
import { DiffCanvas } from '../../../canvas/diff/DiffCanvas.tsx'
import { diffGraph } from '../../../canvas/diff/diff-graph.ts'
import type { PushView } from '../../../state/sites-store.ts'
import { pushWords as words } from '../../../text/site-words.ts'
import { BlastRadius } from './BlastRadius.tsx'
import { ChangeList } from './ChangeList.tsx'
import styles from './Push.module.css'
import { checkLines } from './push-checks.ts'

export function PushLook(props: {
  readonly view: Extract<PushView, { readonly status: 'known' }>
  readonly isForRun: boolean
}) {
  const { preview, before, after } = props.view
  const [selected, setSelected] = useState<string | null>(null)
  const graph = useMemo(() => diffGraph(before, after, preview.changes), [before, after, preview])
  const lead = preview.known
    ? words.known
    : preview.newest === null
      ? words.isNew
      : preview.changes.length === 0
        ? words.noChange
        : null
  return (
    <>
      <div className={styles['picture']}>
        <DiffCanvas
          graph={graph}
          label={words.canvas}
          words={words}
          selected={selected}
          onSelect={setSelected}
        />
      </div>
      <div className={styles['words']} data-testid="push-words">
        {props.isForRun && !preview.known && <p className={styles['lead']}>{words.first}</p>}
        <h3>{words.changes}</h3>
        {lead !== null && <p data-testid="push-lead">{lead}</p>}
        <ChangeList
          view={{ changes: preview.changes, before, after }}
          selected={selected}
          onSelect={setSelected}
        />
        {preview.ahead.length > 0 && <BlastRadius preview={preview} onOpen={null} />}
        <h3>{words.checks}</h3>
        <ul className={styles['checks']} data-testid="push-checks">
          {checkLines(preview).map(({ text, tone }) => (
            <li key={text} data-tone={tone}>
              {text}
            </li>
          ))}
        </ul>
      </div>
    </>
  )
}
