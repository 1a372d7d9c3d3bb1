/** Publishing the open workflow on this computer: its triggers act from then on. */

import { fill } from '../text/messages.ts'
import { triggers as words } from '../text/trigger-words.ts'
import { lookAtPush } from './begin-push.ts'
import { mayRun } from './begin-run.ts'
import type { Designer } from './designer.ts'
import { attempt } from './designer.ts'
import { openedDocument } from './follow-runs.ts'
import { lineTo } from './site-lines.ts'
import { titleOfTrigger } from './step-title.ts'

/**
 * Publishes it. Where another version is published, what changes and which runs that concerns is shown first.
 * Tells what is wrong with it instead, if anything is.
 */
export async function publishHere(designer: Designer): Promise<void> {
  if (!(await mayRun(designer))) return
  const view = await lookAtPush(designer, null)
  if (view.status !== 'known' || view.preview.known || view.preview.newest === null)
    return publishNow(designer)
  designer.sites.getState().setPublishing(view)
  designer.view.getState().setDialog('publish')
}

/** Publishes it, and says what that means. */
export async function publishNow(designer: Designer): Promise<void> {
  const { triggers = {} } = designer.document.getState().history.document
  const acting = Object.entries(triggers).filter(
    ([, { kind, enabled }]) => kind !== 'manual' && enabled !== false,
  )
  const published = await attempt(designer, () =>
    lineTo(designer, null).call('workflows.publish', openedDocument(designer)),
  )
  if (published === null) return
  const watching = acting.filter(([, { kind }]) => kind === 'file-watch').map(([id]) => id)
  const unwatched = await unwatchedOf(designer, watching)
  designer.view
    .getState()
    .toast(
      unwatched === null
        ? { tone: 'good', message: words.published, hint: hintOf(acting.length) }
        : { tone: 'bad', ...unwatched },
    )
  designer.triggers.getState().lookAgain()
}

/** The engine looks at a folder right after it heard of it, on a disk that may be slow. */
const folderLookMs = 300
const folderLooksMax = 3

/** What to say of the triggers whose folder can't be watched; null where all can, or nobody knows yet. */
async function unwatchedOf(
  designer: Designer,
  watching: readonly string[],
): Promise<{ readonly message: string; readonly hint: string } | null> {
  if (watching.length === 0) return null
  const { history } = designer.document.getState()
  for (let look = 0; look < folderLooksMax; look += 1) {
    await new Promise<void>((resolve) => designer.ambient.after(folderLookMs, resolve))
    const { triggers } = await lineTo(designer, null)
      .call('triggers.list', { workflowId: history.document.id })
      .catch(() => ({ triggers: [] }))
    const found = triggers.filter(({ triggerId, folderProblem }) => {
      return folderProblem !== null && watching.includes(triggerId)
    })
    const problem = found[0]?.folderProblem ?? null
    if (problem === null) continue
    const titles = found.map(({ triggerId }) => `“${titleOfTrigger(history.document, triggerId)}”`).join(', ')
    const message = fill(found.length === 1 ? words.oneUnwatched : words.manyUnwatched, { titles })
    return { message, hint: `${problem.message} ${problem.hint}` }
  }
  return null
}

function hintOf(acting: number): string {
  if (acting === 0) return words.noneActs
  return acting === 1 ? words.oneActs : fill(words.manyAct, { count: acting })
}
