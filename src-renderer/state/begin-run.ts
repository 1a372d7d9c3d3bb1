/** From Run to a run: what keeps it from starting, where it is to be done, what it starts with. */

import { isJsonObject } from '../../src-engine/model/json.ts'
import type { Problem } from '../../src-engine/model/problem.ts'
import { fill } from '../text/messages.ts'
import { siteWords } from '../text/site-words.ts'
import { lookAtPush, showPush } from './begin-push.ts'
import type { Designer } from './designer.ts'
import { attempt } from './designer.ts'
import { loadClusters, rememberSite, siteFor } from './follow-clusters.ts'
import { startRun } from './follow-runs.ts'
import { isTrusted } from './follow-trust.ts'
import type { Site } from './site.ts'
import { onMocks } from './site.ts'
import type { PushView } from './sites-store.ts'
import { checkNow } from './validation.ts'

/** Runs the open document where it ran last. */
export async function beginRun(designer: Designer): Promise<void> {
  if (!(await mayRun(designer))) return
  // Before they are known, nobody can say whether the last place still is one.
  if (designer.sites.getState().clusters === null) await loadClusters(designer)
  const { id } = designer.document.getState().history.document
  await beginAt(designer, siteFor(designer, designer.sites.getState(), id))
}

/** Runs the open document in a place that was picked, and the next time too. */
export async function runAt(designer: Designer, site: Site): Promise<void> {
  rememberSite(designer, designer.document.getState().history.document.id, site)
  if (await mayRun(designer)) await beginAt(designer, site)
}

/** Runs the open document on mocks, trusted or not: nothing outside is touched. This choice isn't remembered. */
export async function runOnMocks(designer: Designer): Promise<void> {
  if (isRunnable(designer)) await askOrStart(designer, onMocks)
}

/** Starts with the input that a person gives, or at once when none is asked for. */
export async function askOrStart(designer: Designer, site: Site): Promise<void> {
  if (!asksForInput(designer)) {
    await attempt(designer, () => startRun(designer, {}, site))
    return
  }
  designer.sites.getState().setStartAt(site)
  designer.view.getState().setDialog('start')
}

/** Tells what keeps the document from running: what is wrong with it, or that nobody here trusts it. */
export const mayRun = async (designer: Designer): Promise<boolean> =>
  isRunnable(designer) && (await isTrusted(designer))

/** Tells what is wrong with the document; true when nothing is. */
export function isRunnable(designer: Designer): boolean {
  const { view, document } = designer
  // What is started, and what keeps it from starting, is seen on the canvas.
  view.getState().setEnginePage(null)
  // Whoever has just put right what was wrong presses Run sooner than it is looked at again.
  const isSound = errorsOf(document.getState().problems).length === 0
  const errors = isSound ? [] : errorsOf(checkNow(designer))
  const [first] = errors
  if (first === undefined) return true
  view.getState().setFresh(null)
  view.getState().setPanels({ isBottomOpen: true, bottomTab: 'problems' })
  const more = errors.length === 1 ? '' : ` And ${errors.length - 1} more.`
  view.getState().toast({ tone: 'bad', message: `${first.message}${more}`, hint: first.hint })
  return false
}

const errorsOf = (problems: readonly Problem[]): readonly Problem[] =>
  problems.filter(({ severity }) => severity === 'error')

async function beginAt(designer: Designer, site: Site): Promise<void> {
  if (site === null) return askOrStart(designer, null)
  if (site.readOnly) return tellReadOnly(designer, site.name)
  const { setAsked } = designer.sites.getState()
  setAsked(site.name)
  const view: PushView = await lookAtPush(designer, site)
  // Somebody chose another place meanwhile.
  if (designer.sites.getState().asked !== site.name) return
  setAsked(null)
  if (view.status === 'known' && view.preview.known) await askOrStart(designer, site)
  else showPush(designer, { cluster: site, isForRun: true, view })
}

function tellReadOnly({ view }: Designer, name: string): void {
  view.getState().toast({
    tone: 'bad',
    message: fill(siteWords.isReadOnly, { name }),
    hint: siteWords.readOnlyHint,
  })
}

/** Whether a workflow asks for input before it starts. */
export function asksForInput(designer: Designer): boolean {
  const properties = designer.document.getState().history.document.input?.['properties']
  return isJsonObject(properties) && Object.keys(properties).length > 0
}
