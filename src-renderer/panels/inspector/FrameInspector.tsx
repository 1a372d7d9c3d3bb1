/** A frame: its title, its colour, whether it is collapsed. */

import { ChevronsDownUp, Ungroup } from 'lucide-react'
import { useId } from 'react'
import { changeFrame } from '../../commands/frames.ts'
import { useDesigner } from '../../state/context.ts'
import { useReadOnly, useShownDocument } from '../../state/selectors.ts'
import { frames as words } from '../../text/canvas-words.ts'
import { CommandButton } from '../../ui/CommandButton.tsx'
import controls from '../../ui/controls.module.css'
import { Swatches } from '../../ui/Swatches.tsx'
import styles from './Inspector.module.css'

export function FrameInspector({ id }: { readonly id: string }) {
  const designer = useDesigner()
  const isReadOnly = useReadOnly()
  const field = useId()
  const frame = useShownDocument((document) => document.frames?.[id])
  const isCollapsed = useShownDocument((document) => document.layout?.frames?.[id]?.collapsed === true)
  if (frame === undefined) return null
  const { edit, endGesture } = designer.document.getState()
  return (
    <div className={styles['scroll']}>
      <div className={styles['section']} data-testid="frame-inspector">
        <div className={styles['titleRow']}>
          <h2>{words.title}</h2>
          {!isReadOnly && (
            <span className={styles['tools']}>
              <CommandButton id="edit.collapseFrame" icon={ChevronsDownUp} isPressed={isCollapsed} />
              <CommandButton id="edit.unframe" icon={Ungroup} testId="unframe-button" />
            </span>
          )}
        </div>
        <p className={styles['lead']}>{words.lead}</p>
        <div className={styles['field']}>
          <label htmlFor={field}>{words.name}</label>
          <input
            id={field}
            className={controls['field']}
            data-testid="frame-title"
            readOnly={isReadOnly}
            value={frame.title}
            onChange={(event) => edit(changeFrame(id, { title: event.currentTarget.value }))}
            onBlur={endGesture}
          />
        </div>
        <Swatches
          label={words.color}
          value={frame.color ?? null}
          isReadOnly={isReadOnly}
          onChoose={(color) => {
            edit(changeFrame(id, { color }))
            endGesture()
          }}
        />
      </div>
    </div>
  )
}
