/** Whether the run before it is in the way of an occurrence, and what becomes of both then. */

import type { RunId } from '../../model/ids.ts'
import type { Permit } from '../../model/invocation.ts'
import { isJsonObject } from '../../model/json.ts'
import { triggerLineMax } from '../../model/limits.ts'
import { runMachine } from '../../model/run-status.ts'
import type { TriggerRecord } from '../../model/trigger.ts'
import type { RegisterPlace } from '../register-look.ts'
import { lookAtRegister } from '../register-look.ts'
import type { GuardedWrite } from './trigger-registers.ts'

/** What a trigger says about it. */
export type Overlap = 'allow' | 'skip' | 'queue' | 'cancel-running'

/** Why it starts nothing. */
export interface InTheWay {
  readonly reason: 'still_running' | 'queue_full'
  readonly words: string
}

export type RoomLook =
  | {
      readonly kind: 'room'
      /** What the start is to have beside its run. */
      readonly with: { readonly line?: Permit }
      /** What is to be written with the run; refused where another one has begun meanwhile. */
      readonly also: readonly GuardedWrite[]
    }
  | { readonly kind: 'none'; readonly skip: InTheWay }

export interface OverlapParts extends RegisterPlace {
  /** Asks a run to end; durable when it resolves. */
  readonly cancelRun: (runId: RunId) => Promise<unknown>
}

/** Where its runs wait for each other. */
export const lineOf = ({ workflowId, triggerId }: TriggerRecord): Permit => ({
  key: `trigger:${encodeURIComponent(workflowId)}/${encodeURIComponent(triggerId)}`,
  limit: 1,
  windowMs: null,
})

/** Whether as many of its runs as may be stand in line. */
export async function isLineFull(
  { store, partition }: RegisterPlace,
  record: TriggerRecord,
): Promise<boolean> {
  const asked = { key: lineOf(record).key, limit: triggerLineMax }
  const { runs } = await store.load(partition, 'permitWaiters', asked)
  return runs.length >= triggerLineMax
}

/** Whether it may start `next`; what is to end for it is asked to. */
export async function lookForRoom(
  parts: OverlapParts,
  record: TriggerRecord,
  { overlap = 'allow', next }: { readonly overlap?: Overlap | undefined; readonly next: RunId },
): Promise<RoomLook> {
  // What starts runs with others has none of its own.
  if (overlap === 'allow' || record.conditionOf.length > 0) return { kind: 'room', with: {}, also: [] }
  if (overlap === 'queue') {
    if (!(await isLineFull(parts, record))) return { kind: 'room', with: { line: lineOf(record) }, also: [] }
    const words = `${triggerLineMax} of its runs stood in line already.`
    return { kind: 'none', skip: { reason: 'queue_full', words } }
  }
  const key = lastRunKey(record)
  const { register, epoch, version } = await lookAtRegister(parts, key)
  const before = isJsonObject(register?.value) ? register.value['runId'] : null
  const also = [{ key, epoch, version, value: { runId: next } }]
  // Nothing but this file writes registers of these keys.
  const run =
    before === null ? null : await parts.store.load(parts.partition, 'run', { runId: before as RunId })
  const isUnderWay = run !== null && !runMachine.final.has(run.status)
  if (overlap === 'skip') {
    if (!isUnderWay) return { kind: 'room', with: {}, also }
    return { kind: 'none', skip: { reason: 'still_running', words: 'The run before it still went on.' } }
  }
  if (isUnderWay) await parts.cancelRun(run.id)
  return { kind: 'room', with: { line: lineOf(record) }, also }
}

/** The run that a trigger started last, where that decides about the next one. */
const lastRunKey = ({ workflowId, triggerId }: TriggerRecord): string =>
  `trigger-run/${encodeURIComponent(workflowId)}/${encodeURIComponent(triggerId)}`
