/** Follows a value of a run, from wherever it is seen. */

import { recordOfThrown } from '../../src-engine/model/errors.ts'
import type { ValuePlace } from '../../src-engine/model/following/value-place.ts'
import { nodeId } from '../../src-engine/model/ids.ts'
import { loadFollowedValue } from '../../src-engine/protocol/load-followed-value.ts'
import type { Designer } from './designer.ts'
import type { AskedValue } from './following-store.ts'
import { shownModel } from './runs-store.ts'
import { showRunOf } from './show-run.ts'
import type { Site } from './site.ts'
import { lineTo } from './site-lines.ts'
import { levelsOf } from './turns.ts'

/** From a value of the shown run: where it comes from and who reads it. What was followed before is left. */
export async function followValueOf(designer: Designer, place: ValuePlace): Promise<void> {
  const { current } = designer.runs.getState()
  if (current === null) return
  await follow(designer, [{ site: current.site, place }])
}

/** On from one of the places that were found. */
export async function followOn(designer: Designer, place: ValuePlace): Promise<void> {
  const { trail } = designer.following.getState()
  const last = trail.at(-1)
  if (last === undefined) return
  await follow(designer, [...trail, { site: last.site, place }])
}

/** To the value that was followed before this one. */
export async function followBack(designer: Designer): Promise<void> {
  const { trail } = designer.following.getState()
  if (trail.length > 1) await follow(designer, trail.slice(0, -1))
}

async function follow(designer: Designer, trail: readonly AskedValue[]): Promise<void> {
  const asked = trail.at(-1)
  if (asked === undefined) return
  const { setTrail, setFound } = designer.following.getState()
  setTrail(trail)
  designer.view.getState().setPanels({ isBottomOpen: true, bottomTab: 'value' })
  try {
    setFound(asked, await loadFollowedValue(lineTo(designer, asked.site), asked.place, designer.specs))
  } catch (error) {
    setFound(asked, recordOfThrown(error))
  }
}

/** What the selected step gave in the shown run, at the item or turn that is looked at; null for nothing. */
export function selectedValue(designer: Designer): ValuePlace | null {
  const { current } = designer.runs.getState()
  const [id, second] = designer.view.getState().selection.nodes
  if (current === null || id === undefined || second !== undefined) return null
  const invocation = shownModel(current).nodes.get(id)?.invocation ?? null
  if (invocation === null || invocation.output === null) return null
  return { runId: invocation.runId, of: 'output', nodeId: id, path: invocation.path, field: [] }
}

/** Goes to the step of a place: its run, its item or turn, its data. */
export async function lookAtPlace(designer: Designer, site: Site, place: ValuePlace): Promise<void> {
  const { current } = designer.runs.getState()
  if (current?.runId !== place.runId) await showRunOf(designer, { runId: place.runId, nodeId: null, site })
  if (place.nodeId === null) return
  const { select, setPanels, chooseTurn } = designer.view.getState()
  for (const { scope, index } of levelsOf(place.path)) chooseTurn(scope, index)
  select({ nodes: [nodeId(place.nodeId)] })
  setPanels({ isInspectorOpen: true, inspectorTab: 'run' })
  designer.canvas.current?.reveal(place.nodeId)
}
