/** Starts what a captured call would have started, because a person says so. */

import { SagasmithError } from '../../model/errors.ts'
import type { JsonObject } from '../../model/json.ts'
import { isJsonObject } from '../../model/json.ts'
import type { FiringRecord } from '../../model/trigger.ts'
import type { CaptureRecord } from '../../model/webhook-capture.ts'
import { fire, skipFiring } from '../triggers/fire.ts'
import { triggerNotFound } from '../triggers/trigger-not-found.ts'
import { loadFiring, loadTrigger } from '../triggers/trigger-registers.ts'
import { wantedStart } from '../triggers/wanted-start.ts'
import type { CaptureParts } from './capture-call.ts'
import { loadCapture } from './captures.ts'
import { parametersOf } from './webhook-desk.ts'

/** The captured call as a run would get it, without what nobody may see. Throws `capture_not_found`. */
export async function showCapture(
  parts: CaptureParts,
  captureId: string,
): Promise<{ readonly capture: CaptureRecord; readonly call: JsonObject }> {
  const capture = await loadCapture(parts, captureId)
  const call = await parts.payloads.value(capture.payload)
  return { capture, call: isJsonObject(call) ? call : {} }
}

/**
 * The record of what was started, or of why nothing was. Throws `capture_not_found`, `capture_cut`,
 * `trigger_not_found`.
 */
export async function resendCapture(
  parts: CaptureParts,
  { captureId, by }: { readonly captureId: string; readonly by: string | null },
): Promise<FiringRecord> {
  const { capture, call } = await showCapture(parts, captureId)
  if (capture.isCut) throw new SagasmithError('capture_cut', { details: { captureId } })
  const { workflowId, triggerId, method, remote } = capture
  const trigger = await loadTrigger(parts, { workflowId, triggerId })
  if (trigger?.record.kind !== 'webhook') throw triggerNotFound({ workflowId, triggerId })
  const parameters = parametersOf(trigger.record)
  const at = parts.clock.now()
  const id = `resend-${parts.ids.next()}`
  const wanted = await wantedStart(parts, parameters, { id, name: parameters.path, payload: call, at })
  const toFire = {
    trigger,
    occurrence: {
      id,
      at,
      sources: [
        { kind: 'hand', by },
        { kind: 'call', method, path: parameters.path, remote },
      ],
      slots: null,
      words: `${by ?? 'Somebody'} sent a captured call again.`,
      depth: 1,
    },
    move: null,
    guards: [],
    also: [],
  } as const
  const request = `hand:${workflowId}/${triggerId}:${id}`
  const fired =
    wanted.kind === 'input'
      ? await fire(parts, { ...toFire, input: wanted.input, request })
      : await skipFiring(parts, toFire, wanted)
  const firing = 'firingId' in fired ? await loadFiring(parts, fired.firingId) : null
  if (firing !== null) return firing
  throw new SagasmithError('lost_race', { message: `The trigger “${triggerId}” could not be fired.` })
}
