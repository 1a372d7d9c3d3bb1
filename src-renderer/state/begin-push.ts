/** Looking at what a push would do on a cluster, and pushing. */

import { recordOfThrown } from '../../src-engine/model/errors.ts'
import { asDocument } from './blank-document.ts'
import type { Designer } from './designer.ts'
import { loadClusters, siteFor, siteOf } from './follow-clusters.ts'
import { openedDocument } from './follow-runs.ts'
import type { Site } from './site.ts'
import { closeUnusedLines, lineTo, shownSite } from './site-lines.ts'
import type { PushPlan, PushView } from './sites-store.ts'

/** Asks the cluster what it has, and what the open document would change there. Never throws. */
export async function lookAtPush(designer: Designer, site: Site): Promise<PushView> {
  try {
    const line = lineTo(designer, site)
    const after = designer.document.getState().history.document
    const preview = await line.call('workflows.preview', openedDocument(designer))
    const { newest } = preview
    const before =
      newest === null
        ? null
        : asDocument((await line.call('workflows.version', { hash: newest.hash })).document)
    return { status: 'known', preview, before, after }
  } catch (thrown) {
    return { status: 'failed', error: recordOfThrown(thrown) }
  }
}

/** Opens the dialog of pushing, with the cluster that the document ran on last. */
export async function beginPush(designer: Designer): Promise<void> {
  await loadClusters(designer)
  const known = designer.sites.getState()
  const { id } = designer.document.getState().history.document
  const writable = (known.clusters ?? []).filter(({ readOnly }) => !readOnly)
  const [only, another] = writable
  const usual = siteFor(designer, known, id)
  const single = only === undefined || another !== undefined ? null : siteOf(only)
  const first = (usual?.readOnly === true ? null : usual) ?? single
  showPush(designer, { cluster: first, isForRun: false, view: { status: 'asking' } })
  if (first !== null) await askAgain(designer)
}

/** Puts the dialog in front. */
export function showPush(designer: Designer, plan: PushPlan): void {
  designer.sites.getState().setPush(plan)
  designer.view.getState().setDialog('push')
}

/** Another cluster for the push under way. */
export async function choosePushCluster(designer: Designer, cluster: Site): Promise<void> {
  const { push, setPush } = designer.sites.getState()
  if (push === null) return
  setPush({ ...push, cluster, view: { status: 'asking' } })
  await askAgain(designer)
}

/** Asks the cluster of the push under way once more. */
export async function askAgain(designer: Designer): Promise<void> {
  const { push, setPush } = designer.sites.getState()
  if (push === null || push.cluster === null) return
  const asked: PushPlan = { ...push, view: { status: 'asking' } }
  setPush(asked)
  const view = await lookAtPush(designer, asked.cluster)
  // Another cluster was picked meanwhile, or nobody looks any more.
  if (designer.sites.getState().push === asked) setPush({ ...asked, view })
}

/** Publishes what was looked at, and signs it and what it starts. Throws what the cluster refuses. */
export async function publish(
  designer: Designer,
  to: {
    readonly cluster: Site
    /** The name of a key of this computer; null to sign with none. */
    readonly key: string | null
    readonly view: Extract<PushView, { readonly status: 'known' }>
  },
): Promise<void> {
  const line = lineTo(designer, to.cluster)
  const { hash } = await line.call('workflows.publish', openedDocument(designer))
  if (to.key === null) return
  await line.call('trust.sign', { hashes: [hash, ...to.view.preview.starts], key: to.key })
}

/** Ends the dialog of pushing. */
export function endPush(designer: Designer): void {
  designer.sites.getState().setPush(null)
  designer.view.getState().setDialog(null)
  closeUnusedLines(designer, [shownSite(designer)])
}
