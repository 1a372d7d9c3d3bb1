/** The sheet that takes an outline drawn by hand; what it goes around is selected. */

import type { PointerEvent } from 'react'
import { useState } from 'react'
import type { Point } from '../../src-engine/model/workflow.ts'
import { useDesigner, useView } from '../state/context.ts'
import { shownDocument } from '../state/selectors.ts'
import { lasso as words } from '../text/canvas-words.ts'
import styles from './Lasso.module.css'
import { lassoed } from './lasso.ts'

/** Points nearer to each other than this say nothing new. */
const stepPx = 3

export function Lasso() {
  const isOn = useView((state) => state.isLassoing)
  return isOn ? <Sheet /> : null
}

function Sheet() {
  const designer = useDesigner()
  const [outline, setOutline] = useState<readonly Point[]>([])
  const at = ({ clientX, clientY }: PointerEvent): Point => ({ x: clientX, y: clientY })
  const finish = (): void => {
    const { canvas, view } = designer
    view.getState().setLassoing(false)
    if (outline.length < 3 || canvas.current === null) return
    const drawn = outline.map((point) => canvas.current?.toCanvas(point) ?? point)
    const found = lassoed(shownDocument(designer), drawn, designer.specs)
    view.getState().select(found)
    view.getState().announce(`${found.nodes.length} nodes and ${found.edges.length} edges selected.`)
    canvas.current.focus()
  }
  return (
    <div
      className={styles['sheet']}
      data-testid="lasso"
      title={words.hint}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        setOutline([at(event)])
      }}
      onPointerMove={(event) => {
        const last = outline.at(-1)
        if (last === undefined) return
        const next = at(event)
        if (Math.hypot(next.x - last.x, next.y - last.y) >= stepPx) setOutline([...outline, next])
      }}
      onPointerUp={finish}
      onPointerCancel={() => designer.view.getState().setLassoing(false)}
    >
      <svg aria-hidden>
        <polygon points={outline.map(({ x, y }) => `${x},${y}`).join(' ')} />
      </svg>
      <p>{words.hint}</p>
    </div>
  )
}
