/**
 * Asks the engine whether the document in front may be run, soon after every change. Who edits a trusted document
 * trusts it with what they add; what comes from elsewhere (a file that changed, something pasted) is asked about.
 */

import type { WorkflowId } from '../../src-engine/model/ids.ts'
import { countOf } from '../rules/found-once.ts'
import { reachesAlike } from '../rules/only-moved.ts'
import { asJson } from './blank-document.ts'
import type { Designer } from './designer.ts'
import { attempt } from './designer.ts'
import { isRestricted } from './trust-store.ts'

/** Long enough not to ask between two letters, short enough to feel at once. */
const trustDelayMs = 150
/** A workflow with more steps than this is drawn before it is sent to be asked about; who runs it asks at once. */
const largeFrom = 400
const largeDelayMs = 300

/** Follows the document in front; returns the way to stop. */
export function startTrust(designer: Designer): () => void {
  let cancel = (): void => undefined
  const later = (span: number): void => {
    cancel()
    cancel = designer.ambient.after(span, () => void lookAtTrust(designer))
  }
  const stop = designer.document.subscribe((state, before) => {
    const isNew = state.generation !== before.generation || !state.isOpen
    if (isNew) designer.trust.getState().begin()
    // Places and edges touch nothing: what was said holds for it too, and it needn't be sent as a whole.
    const isKnown = reachesAlike(designer.trust.getState().checked, state.history.document)
    const opening = countOf(state.history.document.nodes) > largeFrom ? largeDelayMs : 0
    if (state.isOpen && !isKnown) later(isNew ? opening : trustDelayMs)
  })
  const unsubscribe = designer.connection.state.subscribe(({ status }) => {
    if (status === 'open' && designer.document.getState().isOpen) later(0)
  })
  // Before another one comes to the front: an edit of the last moment is still its owner's.
  const settle = (): void => {
    if (designer.document.getState().isOpen) void trustSettled(designer)
  }
  designer.settle.add(settle)
  return () => {
    cancel()
    stop()
    unsubscribe()
    designer.settle.delete(settle)
  }
}

/** Asks now. Without the engine nothing is known: it refuses by itself what must not be run. */
async function lookAtTrust({ document, trust, connection }: Designer): Promise<void> {
  const { history, draftId } = document.getState()
  const before = trust.getState()
  const given = { document: asJson(history.document) }
  try {
    let standing = await connection.call('documents.standing', given)
    const isRevoked = before.standing !== null && before.standing.reason !== null && standing.reason === null
    if (standing.status === 'restricted' && before.isOwn && !isRevoked)
      standing = await connection.call('documents.trust', { ...given, reason: 'made' })
    // Another document is in front by now, or this one was changed: that is asked for by itself.
    const now = document.getState()
    if (now.draftId === draftId && reachesAlike(history.document, now.history.document))
      trust.getState().told(draftId, history.document, standing)
  } catch {
    // Asked again with the next change, or when the engine is back.
  }
}

/** Until the engine has said it of the document as it is now; a restricted one may have been trusted elsewhere. */
export async function trustSettled(designer: Designer): Promise<void> {
  const { checked, standing } = designer.trust.getState()
  const isKnown = reachesAlike(checked, designer.document.getState().history.document)
  if (!isKnown || standing?.status === 'restricted') await lookAtTrust(designer)
}

/** True when the document in front may be run; else what it may touch is shown. */
export async function isTrusted(designer: Designer): Promise<boolean> {
  await trustSettled(designer)
  if (!isRestricted(designer.trust.getState())) return true
  designer.view.getState().setDialog('trust')
  return false
}

/** Trusts the document in front with all that it may touch now. */
export async function trustOpen(designer: Designer): Promise<void> {
  const { history, draftId } = designer.document.getState()
  const standing = await attempt(designer, () =>
    designer.connection.call('documents.trust', { document: asJson(history.document), reason: 'looked' }),
  )
  if (standing !== null && designer.document.getState().draftId === draftId)
    designer.trust.getState().told(draftId, history.document, standing)
}

/** Trusts a workflow no more. */
export async function revokeTrust(designer: Designer, workflowId: WorkflowId): Promise<void> {
  await attempt(designer, () => designer.connection.call('documents.revoke', { workflowId }))
  designer.trust.getState().doubt()
  if (designer.document.getState().isOpen) await lookAtTrust(designer)
}
