/** Where the view zooms to: who presses again while it is still on its way goes on from there, not from where it is. Pure. */

interface ZoomAimOptions {
  readonly now: () => number
  /** How long a zoom is on its way. */
  readonly lastsMs: number
  readonly range: () => { readonly min: number; readonly max: number }
}

/** Gives the size to zoom to, from the size that is seen now. */
export function createZoomAim({ now, lastsMs, range }: ZoomAimOptions) {
  let aim: { readonly zoom: number; readonly until: number } | null = null
  return (seen: number, factor: number): number => {
    const from = aim !== null && now() < aim.until ? aim.zoom : seen
    const { min, max } = range()
    const zoom = Math.min(max, Math.max(min, from * factor))
    aim = { zoom, until: now() + lastsMs }
    return zoom
  }
}
