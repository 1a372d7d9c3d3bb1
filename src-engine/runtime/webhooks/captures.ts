/** The calls that test addresses heard last, kept for people to look at: a few of each trigger, for a day. */

import { SagasmithError } from '../../model/errors.ts'
import { pageSizeMax, webhookCapturesMax } from '../../model/limits.ts'
import type { Millis } from '../../model/time.ts'
import { day } from '../../model/time.ts'
import type { TriggerName } from '../../model/trigger.ts'
import type { CaptureRecord, WebhookCapture } from '../../model/webhook-capture.ts'
import { captureKey, capturesOf, captureValue, readCapture } from '../../model/webhook-capture.ts'
import { epochOfLook } from '../register-look.ts'
import type { TriggerRegistersParts } from '../triggers/trigger-registers.ts'
import { writeRegisters } from '../triggers/trigger-registers.ts'

const keptMs: Millis = day

/** Keeps it; the oldest ones go. */
export async function keepCapture(parts: TriggerRegistersParts, record: CaptureRecord): Promise<void> {
  const dueAt = parts.clock.now() + keptMs
  const written = { key: captureKey(record.id), version: 0, value: captureValue(record), dueAt }
  await writeRegisters(parts, [written])
  await forgetAfter(parts, record, webhookCapturesMax)
}

/** Newest first. */
export async function listCaptures(
  parts: TriggerRegistersParts,
  name: TriggerName,
): Promise<readonly WebhookCapture[]> {
  const found = await pageOf(parts, name)
  return found
    .flatMap(({ value }) => readCapture(value) ?? [])
    .slice(0, webhookCapturesMax)
    .map(({ payload: _payload, ...capture }) => capture)
}

/** Throws `capture_not_found`. */
export async function loadCapture(
  { store, partition }: TriggerRegistersParts,
  captureId: string,
): Promise<CaptureRecord> {
  const register = await store.load(partition, 'register', { key: captureKey(captureId) })
  const record = readCapture(register?.value)
  if (record !== null) return record
  throw new SagasmithError('capture_not_found', { details: { captureId } })
}

/** Answers how many there were. */
export const clearCaptures = (parts: TriggerRegistersParts, name: TriggerName): Promise<number> =>
  forgetAfter(parts, name, 0)

async function forgetAfter(parts: TriggerRegistersParts, name: TriggerName, kept: number): Promise<number> {
  const epoch = epochOfLook(parts)
  const over = (await pageOf(parts, name)).slice(kept)
  if (over.length === 0) return 0
  const gone = over.map(({ key, version }) => ({ key, epoch, version, value: null }))
  // Refused, somebody else forgets the same.
  return (await writeRegisters(parts, gone)) ? over.length : 0
}

const pageOf = ({ store, partition }: TriggerRegistersParts, name: TriggerName) =>
  store.list(partition, 'registers', {
    filter: { prefix: capturesOf(name) },
    page: { after: null, limit: pageSizeMax },
  })
