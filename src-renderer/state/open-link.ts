/** Shows what a link, a notice or the system asks for. Nothing is started or changed by it. */

import { SagasmithError } from '../../src-engine/model/errors.ts'
import type { DeepLink } from '../../src-engine/protocol/deep-link.ts'
import { deepLinkOf } from '../../src-engine/protocol/deep-link.ts'
import type { OpenRequest } from '../../src-engine/protocol/desktop-api.ts'
import { addressOf } from '../bridge/address-link.ts'
import { fill } from '../text/messages.ts'
import { runListWords } from '../text/run-list-words.ts'
import { siteWords } from '../text/site-words.ts'
import { shownSeq } from './debugging.ts'
import type { Designer } from './designer.ts'
import { attempt } from './designer.ts'
import { openPath } from './files.ts'
import { loadClusters, siteOf } from './follow-clusters.ts'
import { everyRun } from './run-views-store.ts'
import { showInstant } from './show-instant.ts'
import { showRunOf } from './show-run.ts'
import type { Site } from './site.ts'
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
    return
  }
  const { runId, nodeId, seq, cluster } = link
  const site = await attempt(designer, () => linkedSite(designer, cluster ?? null))
  if (site === null) return
  await showRunOf(designer, { runId, nodeId, site: site.site })
  if (seq !== undefined) showInstant(designer, { runId, seq })
}

/** Where a link leads; what the page is about where it names no cluster. Throws `cluster_unknown`. */
async function linkedSite(designer: Designer, name: string | null): Promise<{ readonly site: Site }> {
  if (name === null || name === designer.cluster?.name) return { site: designer.cluster }
  if (designer.sites.getState().clusters === null) await loadClusters(designer)
  const entry = designer.sites.getState().clusters?.find((one) => one.name === name)
  if (entry !== undefined) return { site: siteOf(entry) }
  throw new SagasmithError('cluster_unknown', {
    message: fill(siteWords.linkToUnknown, { name }),
    hint: siteWords.linkToUnknownHint,
  })
}

/** Puts a link to the shown run on the clipboard, with the step that is selected alone and the moment looked at. */
export async function copyRunLink(designer: Designer): Promise<void> {
  const link = shownRunLink(designer)
  if (link !== null) await copyLink(designer, link, runListWords.linked)
}

/** Where this window looks: at which run, which step alone, which moment; null while no run is shown. */
export function shownRunLink(designer: Designer): DeepLink | null {
  const { current } = designer.runs.getState()
  if (current === null) return null
  const [selected, ...others] = designer.view.getState().selection.nodes
  const nodeId = selected === undefined || others.length > 0 ? null : selected
  const seq = shownSeq(designer)
  // Before its first event there is nothing to be shown.
  const at = seq === null || seq === 0 ? {} : { seq }
  const there = current.site === null ? {} : { cluster: current.site.name }
  return { kind: 'run', runId: current.runId, nodeId, ...at, ...there }
}

/** Puts a link on the clipboard: one that the app answers, or this page's address. */
const copyLink = (designer: Designer, link: DeepLink, message: string): Promise<unknown> =>
  attempt(designer, async () => {
    const address = designer.desktop === null ? addressOf(location, link) : deepLinkOf(link)
    await navigator.clipboard.writeText(address)
    designer.view.getState().toast({ tone: 'good', message, hint: null })
  })

/** Puts a link to the page of runs as it is narrowed on the clipboard. */
export async function copyRunsLink(designer: Designer): Promise<void> {
  const { statuses, workflowId, time, origin, tenant, waitsFor, text, ...filter } =
    designer.runViews.getState().filter
  const [error = null, failedAt = null] = [filter.error, filter.failedAt].map((one) => one.trim() || null)
  const runs = { statuses, workflowId, time, origin, tenant, error, failedAt, waitsFor }
  const message = text.trim() === '' ? runListWords.linked : runListWords.linkedWithoutText
  await copyLink(designer, { kind: 'page', page: 'runs', runs }, message)
}

/** Opens a file, brings a document to the front, or shows the place that a link leads to. */
export async function openRequest(
  designer: Designer,
  request: Exclude<OpenRequest, { kind: 'aside' }>,
): Promise<void> {
  if (request.kind === 'file') await openPath(designer, request.path)
  else if (request.kind === 'document') showTabOf(designer, request.key)
  else await openLink(designer, request)
}
