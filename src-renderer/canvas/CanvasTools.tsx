/** The tools that float over the canvas. */

import { Ghost, Map, Maximize, Plus, StickyNote, WandSparkles, ZoomIn, ZoomOut } from 'lucide-react'
import { useGhosts, useView } from '../state/context.ts'
import { isMapShown } from '../state/view-store.ts'
import { CommandButton } from '../ui/CommandButton.tsx'
import styles from './CanvasTools.module.css'

export function CanvasTools() {
  const hasMap = useView(isMapShown)
  const hasGhosts = useGhosts((state) => state.isShown)
  return (
    <>
      <div className={styles['tools']} role="toolbar" aria-label="Canvas tools">
        <CommandButton id="canvas.quickAdd" icon={Plus} testId="quick-add-button" />
        <CommandButton id="canvas.addNote" icon={StickyNote} />
        <CommandButton id="edit.tidy" icon={WandSparkles} testId="tidy-button" />
        <span className={styles['rule']} />
        <CommandButton id="view.zoomOut" icon={ZoomOut} />
        <CommandButton id="view.zoomIn" icon={ZoomIn} />
        <CommandButton id="view.zoomToFit" icon={Maximize} testId="fit-button" />
        <CommandButton id="view.ghosts" icon={Ghost} isPressed={hasGhosts} testId="ghosts-button" />
        <CommandButton id="view.map" icon={Map} isPressed={hasMap} />
      </div>
    </>
  )
}
