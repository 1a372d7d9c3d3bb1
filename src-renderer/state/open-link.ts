/** Shows what a link, a notice or the system asks for. Nothing is started or changed by it. */

import type { DeepLink } from '../../src-engine/protocol/deep-link.ts'
import { deepLinkOf } from '../../src-engine/protocol/deep-link.ts'
import type { OpenRequest } from '../../src-engine/protocol/desktop-api.ts'
import { addressOf } from '../bridge/address-link.ts'
import { runListWords } from '../text/run-list-words.ts'
import { shownSeq } from './debugging.ts'
import type { Designer } from './designer.ts'
import { attempt } from './designer.ts'
import { openPath } from './files.ts'
import { everyRun } from './run-views-store.ts'
import { showInstant } from './show-instant.ts'
import { showRunOf } from './show-run.ts'
import { showTabOf } from './tabs/tabs.ts'

/** Shows the place that a link leads to. */
export async function openLink(designer: Designer, link: DeepLink): Promise<void> {
  if (link.kind === 'page') {
    if (link.runs !== undefined) {
      const { error, failedAt } = link.runs
      const texts = { error: error ?? '', failedAt: failedAt ?? '' }
      designer.runViews.getState().setFilter({ ...everyRun, ...link.runs, ...texts })
    }
    designer.view.getState().setEnginePage(link.page)
  } else {
    await showRunOf(designer, { runId: link.runId, nodeId: link.nodeId })
    if (link.seq !== undefined) showInstant(designer, { runId: link.runId, seq: link.seq })
  }
}

/** Puts a link to the shown run on the clipboard, with the step that is selected alone and the moment looked at. */
export async function copyRunLink(designer: Designer): Promise<void> {
  const { current } = designer.runs.getState()
  if (current === null) return
  const [selected, ...others] = designer.view.getState().selection.nodes
  const nodeId = selected === undefined || others.length > 0 ? null : selected
  const seq = shownSeq(designer)
  // Before its first event there is nothing to be shown.
  const at = seq === null || seq === 0 ? {} : { seq }
  await attempt(designer, async () => {
    await navigator.clipboard.writeText(deepLinkOf({ kind: 'run', runId: current.runId, nodeId, ...at }))
    designer.view.getState().announce('Link copied.')
  })
}

/** Puts a link to the page of runs as it is narrowed on the clipboard: one that the app answers, or this page's address. */
export async function copyRunsLink(designer: Designer): Promise<void> {
  const { statuses, workflowId, time, origin, tenant, waitsFor, text, ...filter } =
    designer.runViews.getState().filter
  const [error = null, failedAt = null] = [filter.error, filter.failedAt].map((one) => one.trim() || null)
  const runs = { statuses, workflowId, time, origin, tenant, error, failedAt, waitsFor }
  const link: DeepLink = { kind: 'page', page: 'runs', runs }
  const address = designer.desktop === null ? addressOf(location, link) : deepLinkOf(link)
  await attempt(designer, async () => {
    await navigator.clipboard.writeText(address)
    const message = text.trim() === '' ? runListWords.linked : runListWords.linkedWithoutText
    designer.view.getState().toast({ tone: 'good', message, hint: null })
  })
}

/** Opens a file, brings a document to the front, or shows the place that a link leads to. */
export async function openRequest(designer: Designer, request: OpenRequest): Promise<void> {
  if (request.kind === 'file') await openPath(designer, request.path)
  else if (request.kind === 'document') showTabOf(designer, request.key)
  else await openLink(designer, request)
}
