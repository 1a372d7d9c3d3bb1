/** What a person does with published triggers: switch, clear and fire them. */

import type { JsonObject, JsonValue } from '../../src-engine/model/json.ts'
import { isJsonObject } from '../../src-engine/model/json.ts'
import { fill } from '../text/messages.ts'
import { triggers as words } from '../text/trigger-words.ts'
import { webhookTest } from '../text/webhook-words.ts'
import { beginPush } from './begin-push.ts'
import { mayRun } from './begin-run.ts'
import type { Designer } from './designer.ts'
import { attempt } from './designer.ts'
import { personOf } from './follow-inbox.ts'
import { publishHere } from './publish-here.ts'
import { shownDocument } from './selectors.ts'
import { showRunOf } from './show-run.ts'

const nameOf = (designer: Designer, triggerId: string) => ({
  workflowId: shownDocument(designer).id,
  triggerId,
})

/** Switches a published trigger on or off, whatever the document says; null leaves it to the document. */
export async function switchTrigger(designer: Designer, id: string, on: boolean | null): Promise<void> {
  await attempt(designer, () => designer.connection.call('triggers.switch', { ...nameOf(designer, id), on }))
  designer.triggers.getState().lookAgain()
}

/** Drops what it has gathered. */
export async function clearTrigger(designer: Designer, id: string): Promise<void> {
  await attempt(designer, () => designer.connection.call('triggers.clear', nameOf(designer, id)))
  designer.triggers.getState().lookAgain()
}

/** Fires it now: asks what with where that makes a difference, else at once. */
export function beginFire(designer: Designer, id: string): void {
  const kind = designer.triggers.getState().views?.get(id)?.kind
  if (kind === undefined) return
  if (!hasForm(designer) && exampleInput(kind) === null) {
    void attempt(designer, () => fireTrigger(designer, id, null))
    return
  }
  designer.triggers.getState().setToFire(id)
  designer.view.getState().setDialog('fire')
}

/** Fires it, and says what came of it. Throws what the engine refuses. */
export async function fireTrigger(designer: Designer, id: string, input: JsonValue | null): Promise<void> {
  const person = personOf(designer)
  const { firing } = await designer.connection.call('triggers.fire', {
    ...nameOf(designer, id),
    input,
    by: person === '' ? null : person,
  })
  designer.triggers.getState().lookAgain()
  const { runId } = firing
  if (runId === null) {
    designer.view.getState().toast({ tone: 'bad', message: words.notFired, hint: firing.words })
    return
  }
  designer.view.getState().toast({
    tone: 'good',
    message: fill(words.fired, { title: titleOf(designer, id) }),
    hint: null,
    action: { label: words.showRun, run: () => void showRunOf(designer, { runId, nodeId: null }) },
  })
}

/** Fires the published trigger with a call that its test address took. Throws what the engine refuses. */
export async function resendCapture(designer: Designer, captureId: string): Promise<void> {
  const person = personOf(designer)
  const by = person === '' ? null : person
  const { firing } = await designer.connection.call('webhooks.resend', { captureId, by })
  designer.triggers.getState().lookAgain()
  const { runId } = firing
  if (runId === null) {
    designer.view.getState().toast({ tone: 'bad', message: words.notFired, hint: firing.words })
    return
  }
  designer.view.getState().toast({
    ...{ tone: 'good', message: webhookTest.resent, hint: null },
    action: { label: words.showRun, run: () => void showRunOf(designer, { runId, nodeId: null }) },
  })
}

/** Whether its runs begin with what the workflow's own form asks for. */
export function hasForm(designer: Designer): boolean {
  const properties = shownDocument(designer).input?.['properties']
  return isJsonObject(properties) && Object.keys(properties).length > 0
}

/** What runs of the kind usually begin with, for a person to change; null where they begin with nothing. */
export function exampleInput(kind: string): JsonObject | null {
  switch (kind) {
    case 'event':
      return {}
    case 'webhook':
      return { method: 'POST', path: '', query: {}, headers: {}, body: {} }
    case 'file-watch':
      return { path: '', folder: '', relativePath: '', name: '', change: 'add', size: 0, modifiedAt: 0 }
    case 'redis-stream':
      return { stream: '', id: '0-0', at: null, fields: {} }
    default:
      return null
  }
}

/** Publishes the open document where the page's triggers act. */
export async function publishTriggers(designer: Designer): Promise<void> {
  if (designer.cluster === null) await publishHere(designer)
  else if (await mayRun(designer)) await beginPush(designer)
  designer.triggers.getState().lookAgain()
}

const titleOf = (designer: Designer, id: string): string =>
  shownDocument(designer).triggers?.[id]?.title ?? designer.triggers.getState().views?.get(id)?.title ?? id
