/**
 * A run in a window of its own, beside the one that it was shown in. What is selected here, and the moment that is looked
 * at, is told to those windows, so that one has the canvas and another the data of its step.
 */

import { nodeId as asNodeId } from '../../src-engine/model/ids.ts'
import type { DeepLink } from '../../src-engine/protocol/deep-link.ts'
import { deepLinkOf, readDeepLink } from '../../src-engine/protocol/deep-link.ts'
import { asideAddressOf } from '../bridge/address-link.ts'
import { answered } from '../bridge/desktop.ts'
import type { Designer } from './designer.ts'
import { attempt } from './designer.ts'
import { openLink, shownRunLink } from './open-link.ts'
import { showInstant } from './show-instant.ts'

/** Opens a further window that shows the same run, step and moment. */
export async function openAside(designer: Designer): Promise<void> {
  const link = shownRunLink(designer)
  if (link === null) return
  const { desktop, pages } = designer
  await attempt(designer, async () => {
    if (desktop === null) pages.open(asideAddressOf(location, link))
    else await answered(desktop.newWindow(deepLinkOf(link)))
  })
}

/** What a window that was opened aside shows first: the data of a step has the room. */
export async function beginAside(designer: Designer, link: DeepLink): Promise<void> {
  designer.view.setState({ isAside: true })
  designer.view.getState().setPanels({ isRailOpen: false, isInspectorOpen: true, inspectorTab: 'run' })
  await openLink(designer, link)
}

/** Tells where this window looks, or follows what another one tells. */
export function startAsides(designer: Designer): void {
  const { pages, runs, view, ambient } = designer
  let told = ''
  let isWaiting = false
  const tell = (): void => {
    isWaiting = false
    const link = view.getState().isAside ? null : shownRunLink(designer)
    const text = link === null ? '' : deepLinkOf(link)
    if (text !== '' && text !== told) pages.tell(text)
    told = text
  }
  const soon = (): void => {
    if (isWaiting) return
    isWaiting = true
    ambient.onFrame(tell)
  }
  runs.subscribe(soon)
  view.subscribe((state, before) => {
    if (state.selection !== before.selection) soon()
  })
  pages.onTold((text) => {
    const link = readDeepLink(text)
    if (view.getState().isAside && link?.kind === 'run') follow(designer, link)
  })
}

/** Only of the run that is shown: a window aside stays with its own. */
function follow(designer: Designer, link: Extract<DeepLink, { kind: 'run' }>): void {
  const { runs, view } = designer
  const { current } = runs.getState()
  if (current?.runId !== link.runId || (current.site?.name ?? null) !== (link.cluster ?? null)) return
  const chosen = link.nodeId === null ? [] : [asNodeId(link.nodeId)]
  if (view.getState().selection.nodes.join() !== chosen.join()) view.getState().select({ nodes: chosen })
  if (link.seq !== undefined) showInstant(designer, { runId: link.runId, seq: link.seq })
  else if (current.timeline?.isLive === false) runs.getState().goLive()
}
