/** Publishing the open workflow on this computer: its triggers act from then on. */

import { fill } from '../text/messages.ts'
import { triggers as words } from '../text/trigger-words.ts'
import { lookAtPush } from './begin-push.ts'
import { mayRun } from './begin-run.ts'
import type { Designer } from './designer.ts'
import { attempt } from './designer.ts'
import { openedDocument } from './follow-runs.ts'
import { lineTo } from './site-lines.ts'

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
  const acting = Object.values(triggers).filter(({ kind, enabled }) => kind !== 'manual' && enabled !== false)
  const published = await attempt(designer, () =>
    lineTo(designer, null).call('workflows.publish', openedDocument(designer)),
  )
  if (published === null) return
  designer.view.getState().toast({
    tone: 'good',
    message: words.published,
    hint: hintOf(acting.length),
  })
}

function hintOf(acting: number): string {
  if (acting === 0) return words.noneActs
  return acting === 1 ? words.oneActs : fill(words.manyAct, { count: acting })
}
