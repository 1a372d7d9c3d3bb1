/** What a hand does on the map: it moves the canvas, and its wheel zooms it. */

import { useReactFlow } from '@xyflow/react'
import type { RefObject } from 'react'
import { useEffect, useRef } from 'react'
import { mapStride, wheelZoom } from './map-picture.ts'

/** `scaleNow` gives how much of the canvas a pixel of the map is. */
export function useMapMoves(surface: RefObject<HTMLElement | null>, scaleNow: () => number): void {
  const flow = useReactFlow()
  const scale = useRef(scaleNow)
  useEffect(() => {
    scale.current = scaleNow
  })
  useEffect(() => {
    const element = surface.current
    if (element === null) return undefined
    let from: { readonly x: number; readonly y: number } | null = null
    const down = (event: PointerEvent): void => {
      if (event.button !== 0) return
      from = { x: event.clientX, y: event.clientY }
      element.setPointerCapture(event.pointerId)
      event.preventDefault()
    }
    const move = (event: PointerEvent): void => {
      if (from === null) return
      const { x, y, zoom } = flow.getViewport()
      const stride = mapStride(scale.current(), zoom)
      const by = { x: event.clientX - from.x, y: event.clientY - from.y }
      from = { x: event.clientX, y: event.clientY }
      void flow.setViewport({ x: x - by.x * stride, y: y - by.y * stride, zoom })
    }
    const up = (): void => {
      from = null
    }
    const wheel = (event: WheelEvent): void => {
      event.preventDefault()
      void flow.zoomTo(wheelZoom(flow.getZoom(), event))
    }
    element.addEventListener('pointerdown', down)
    element.addEventListener('pointermove', move)
    element.addEventListener('pointerup', up)
    element.addEventListener('pointercancel', up)
    element.addEventListener('wheel', wheel, { passive: false })
    return () => {
      element.removeEventListener('pointerdown', down)
      element.removeEventListener('pointermove', move)
      element.removeEventListener('pointerup', up)
      element.removeEventListener('pointercancel', up)
      element.removeEventListener('wheel', wheel)
    }
  }, [flow, surface])
}
