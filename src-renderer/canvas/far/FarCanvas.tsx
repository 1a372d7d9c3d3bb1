/** Draws the whole workflow as one picture while it is seen from far away; cards are back when it comes near. */

import { useStoreApi } from '@xyflow/react'
import { useEffect, useMemo, useRef } from 'react'
import { countOf } from '../../rules/found-once.ts'
import { useDesigner, useDocument } from '../../state/context.ts'
import type { Designer } from '../../state/designer.ts'
import { nodesAt } from '../../state/run-model.ts'
import type { RunsState } from '../../state/runs-store.ts'
import { shownModel } from '../../state/runs-store.ts'
import { far as words } from '../../text/canvas-words.ts'
import { fill } from '../../text/messages.ts'
import type { FlowEdge, FlowNode } from '../to-flow.ts'
import styles from './FarCanvas.module.css'
import { farColors } from './far-colors.ts'
import { farDrawing, farPlan } from './far-drawing.ts'
import type { Pen } from './far-picture.ts'
import { drawFar } from './far-picture.ts'

interface Shown {
  readonly nodes: readonly FlowNode[]
  readonly edges: readonly FlowEdge[]
}

/** The picture. What can't be seen is said: it has the name of what is on it, and the list of steps tells the rest. */
export function FarCanvas({ nodes, edges }: Shown) {
  const designer = useDesigner()
  const flow = useStoreApi()
  const canvas = useRef<HTMLCanvasElement>(null)
  const shown = useMemo(() => ({ nodes, edges }), [nodes, edges])
  const count = useDocument((state) => countOf(state.history.document.nodes))
  useEffect(() => {
    const element = canvas.current
    const pen = element?.getContext('2d')
    if (element === null || pen === null || pen === undefined) return undefined
    const draw = paints(designer, { element, pen, shown, sightOf: () => flow.getState() })
    let isWaiting = false
    const soon = (): void => {
      if (isWaiting) return
      isWaiting = true
      requestAnimationFrame(() => {
        isWaiting = false
        draw()
      })
    }
    draw()
    const system = matchMedia('(prefers-color-scheme: light)')
    system.addEventListener('change', soon)
    // Most of what happens to a timeline changes nothing of what is seen here.
    const stopRuns = designer.runs.subscribe((now, before) => seenOf(now) !== seenOf(before) && soon())
    const stops = [flow.subscribe(soon), stopRuns, designer.view.subscribe(soon)]
    return () => {
      system.removeEventListener('change', soon)
      for (const stop of stops) stop()
    }
  }, [designer, flow, shown])
  return (
    <canvas ref={canvas} className={styles['picture']} data-testid="far-canvas">
      {fill(words.label, { count: String(count) })}
    </canvas>
  )
}

const seenOf = ({ current }: Pick<RunsState, 'current'>) => (current === null ? null : shownModel(current))

interface Paint {
  readonly element: HTMLCanvasElement
  readonly pen: Pen
  readonly shown: Shown
  readonly sightOf: () => {
    readonly transform: readonly [x: number, y: number, zoom: number]
    readonly width: number
    readonly height: number
  }
}

/** Draws what is true now. What is said of the cards is found anew only when the run changed, not for a pan. */
function paints(designer: Designer, { element, pen, shown, sightOf }: Paint): () => void {
  let colors = farColors(element)
  let theme = themeNow()
  const plan = farPlan(shown)
  let made: { readonly key: readonly unknown[]; readonly drawing: ReturnType<typeof farDrawing> } | null =
    null
  return () => {
    const { current } = designer.runs.getState()
    const { turns, finding } = designer.view.getState()
    const runs = current === null ? null : nodesAt(shownModel(current), turns)
    const key = [runs, finding?.nodes]
    if (made === null || made.key.some((one, index) => one !== key[index])) {
      made = { key, drawing: farDrawing(plan, { runs, found: finding?.nodes ?? nothing }) }
    }
    if (theme !== themeNow()) {
      theme = themeNow()
      colors = farColors(element)
    }
    const { transform, width, height } = sightOf()
    const density = window.devicePixelRatio
    const [wide, high] = [Math.round(width * density), Math.round(height * density)]
    if (element.width !== wide) element.width = wide
    if (element.height !== high) element.height = high
    const [x, y, zoom] = transform
    drawFar(pen, made.drawing, { sight: { x, y, zoom, width, height, density }, colors })
  }
}

const themeNow = (): string => document.documentElement.dataset['theme'] ?? ''

const nothing: ReadonlySet<string> = new Set()
