/**
 * Lays the whole workflow out: in a worker, as one step to undo, around what a person placed. Whatever goes wrong on the
 * way, everything stays where it was.
 */

import type { WorkflowDocument } from '../../../src-engine/model/workflow.ts'
import type { Moves } from '../../commands/move.ts'
import { move } from '../../commands/move.ts'
import type { SpecsByKind } from '../../rules/connection.ts'
import type { Designer } from '../../state/designer.ts'
import { layout as words } from '../../text/canvas-words.ts'
import { fill } from '../../text/messages.ts'
import { innerPlaces } from '../drag-bodies.ts'
import { frameIdOf, isNodeId, noteIdOf, scopeIdOf } from '../flow-ids.ts'
import type { LayoutEngine } from './elk-engine.ts'
import type { LayoutItem, LayoutTree } from './layout-tree.ts'
import { layoutTree } from './layout-tree.ts'
import type { Places } from './settle.ts'
import { settle } from './settle.ts'
import { toElk } from './to-elk.ts'

/** Nobody waits longer; 20,000 cards take less on a slow machine. */
const patienceMs = 120_000
/** As long as cards take to their new places, and a frame more. */
const glideMs = 300

/** What is under way for a designer; a second layout takes the place of the first. */
const stopByDesigner = new WeakMap<Designer, () => void>()

/** Lays out everything but what was placed by hand; with `all` that, too. */
export async function layOut(
  designer: Designer,
  options: { readonly all: boolean; readonly open: () => LayoutEngine },
): Promise<void> {
  stopByDesigner.get(designer)?.()
  const { document } = designer.document.getState().history
  const tree = layoutTree(document, { specs: designer.specs, all: options.all })
  const { free, held } = countOf(tree.items)
  if (free === 0) return held === 0 ? undefined : tellHeld(designer, options)
  const places = await compute(designer, { tree, free, open: options.open })
  if (places === null) return
  if (designer.document.getState().history.document !== document) return tellChanged(designer, options)
  apply(designer, movesOf(document, places, designer.specs))
  tellDone(designer, { free, held, options })
}

/** Stops what is under way; false when nothing is. */
export function stopLayout(designer: Designer): boolean {
  const stop = stopByDesigner.get(designer)
  if (stop === undefined) return false
  stop()
  designer.view.getState().announce(words.cancelled)
  return true
}

/** Null when it was stopped, or failed: that has been told then. */
async function compute(
  designer: Designer,
  work: { readonly tree: LayoutTree; readonly free: number; readonly open: () => LayoutEngine },
): Promise<Places | null> {
  const { setLayout } = designer.view.getState()
  const stopped = Promise.withResolvers<null>()
  let cancelPatience = (): void => undefined
  let engine: LayoutEngine | null = null
  const stop = (): void => stopped.resolve(null)
  stopByDesigner.set(designer, stop)
  setLayout(work.free)
  try {
    engine = work.open()
    cancelPatience = designer.ambient.after(patienceMs, () => {
      tellFailed(designer, fill(words.slow, { seconds: String(patienceMs / 1_000) }))
      stop()
    })
    const graph = await Promise.race([engine.layout(toElk(work.tree)), stopped.promise])
    return graph === null ? null : settle(work.tree, graph)
  } catch {
    tellFailed(designer, words.failed)
    return null
  } finally {
    cancelPatience()
    engine?.stop()
    if (stopByDesigner.get(designer) === stop) {
      stopByDesigner.delete(designer)
      setLayout(null)
    }
  }
}

/** How many cards the layout may place, and how many are left where they are. */
function countOf(items: readonly LayoutItem[]): { readonly free: number; readonly held: number } {
  let [free, held] = [0, 0]
  for (const { id, isHeld, inside } of items) {
    const inner = inside === null ? { free: 0, held: 0 } : countOf(inside)
    const isCard = scopeIdOf(id) === null && (inside === null || frameIdOf(id) === null)
    free += inner.free + (isCard && !isHeld ? 1 : 0)
    held += inner.held + (isHeld ? 1 : 0)
  }
  return { free, held }
}

/** What the new boxes mean for the document. What a collapsed frame stands for goes along with it. */
export function movesOf(document: WorkflowDocument, places: Places, specs: SpecsByKind): Moves {
  const nodes: Record<string, Moves['nodes'][string]> = {}
  const notes: Record<string, Moves['notes'][string]> = {}
  const frames: Record<string, NonNullable<Moves['frames']>[string]> = {}
  for (const [id, box] of places) {
    const { x, y } = box
    const [note, frame] = [noteIdOf(id), frameIdOf(id)]
    if (isNodeId(id)) nodes[id] = { x, y, byHand: false }
    else if (note !== null) notes[note] = { x, y, byHand: false }
    else if (frame !== null && document.layout?.frames?.[frame]?.collapsed !== true)
      frames[frame] = { ...box, byHand: false }
    else if (frame !== null) {
      frames[frame] = { x, y, byHand: false }
      for (const [inner, at] of Object.entries(innerPlaces(document, { id, to: { x, y } }, specs))) {
        const [innerNote, innerFrame] = [noteIdOf(inner), frameIdOf(inner)]
        if (isNodeId(inner)) nodes[inner] = at
        else if (innerNote !== null) notes[innerNote] = at
        else if (innerFrame !== null) frames[innerFrame] = at
      }
    }
  }
  return { nodes, notes, frames }
}

function apply(designer: Designer, moves: Moves): void {
  const { ambient, canvas, document, view } = designer
  const isStill = ambient.prefersStillness()
  if (!isStill) {
    view.getState().setLayout('gliding')
    ambient.after(glideMs, () => {
      if (view.getState().layout === 'gliding') view.getState().setLayout(null)
    })
  }
  document.getState().endGesture()
  document.getState().edit(move(moves, { label: words.label }))
  // Cards have to be where they belong before they can be fitted.
  ambient.onFrame(() => canvas.current?.fit())
}

type Options = Parameters<typeof layOut>[1]

const layOutAll = (designer: Designer, options: Options) => ({
  label: words.all,
  run: () => void layOut(designer, { ...options, all: true }),
})

function tellHeld(designer: Designer, options: Options): void {
  const action = layOutAll(designer, options)
  designer.view.getState().toast({ tone: 'neutral', message: words.allHeld, hint: words.allHeldHint, action })
}

function tellDone(
  designer: Designer,
  { free, held, options }: { readonly free: number; readonly held: number; readonly options: Options },
): void {
  const { toast, announce } = designer.view.getState()
  announce(fill(words.done, { count: String(free) }))
  if (held === 0) return
  const message = held === 1 ? words.stayedOne : fill(words.stayed, { count: String(held) })
  toast({ tone: 'neutral', message, hint: null, action: layOutAll(designer, options) })
}

function tellChanged(designer: Designer, options: Options): void {
  const action = { label: words.again, run: () => void layOut(designer, options) }
  designer.view.getState().toast({ tone: 'neutral', message: words.changed, hint: words.changedHint, action })
}

function tellFailed(designer: Designer, message: string): void {
  designer.view.getState().toast({ tone: 'bad', message, hint: words.failedHint })
}
