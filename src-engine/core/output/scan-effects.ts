/** Results that are looked into once they are handed on: an effect of the checkpoint that hands them on. */

import type { OutboxRecord } from '../../model/checkpoint.ts'
import { outboxRecordOf } from '../../model/effect.ts'
import type { InvocationId } from '../../model/ids.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import type { InvocationStatus } from '../../model/invocation-status.ts'
import type { RunRecord } from '../../model/run.ts'
import type { Instant } from '../../model/time.ts'

/** Whether a step's result may be one that has to be looked into; `wasJudged`: before it was handed on. */
export type NeedsScan = (run: RunRecord, record: InvocationRecord, wasJudged: boolean) => boolean

/** Steps in these have an attempt under way, whose result is judged. */
const atWork: ReadonlySet<InvocationStatus> = new Set(['RUNNING', 'PAUSED', 'RESUMED'])

/** What of a decision its scans depend on. */
export interface HandedOn {
  readonly run: RunRecord
  readonly now: Instant
  /** What the decision writes. */
  readonly records: readonly InvocationRecord[]
  readonly before: ReadonlyMap<InvocationId, InvocationRecord>
  /** Its effects without the scans; null for none. */
  readonly outbox: ReadonlyMap<string, OutboxRecord> | null
}

/** The effects of a decision with the scans of what it hands on; call only where results are judged at all. */
export function withScans(handed: HandedOn, needsScan: NeedsScan): ReadonlyMap<string, OutboxRecord> | null {
  const { run, now, records, before, outbox } = handed
  let all: Map<string, OutboxRecord> | null = null
  for (const record of records) {
    if (record.status !== 'SUCCESS' || record.role !== 'forward' || record.output === null) continue
    const from = before.get(record.id)?.status
    // Made and ended at once: it hands on what others gave.
    if (from === undefined || from === 'SUCCESS' || from === 'OUTPUT_QUARANTINED') continue
    if (!needsScan(run, record, atWork.has(from))) continue
    const id = `scan:${record.id}`
    all ??= new Map(outbox)
    const scan = { kind: 'output.scan', runId: run.id, invocationId: record.id } as const
    all.set(id, outboxRecordOf(id, scan, now))
  }
  return all ?? outbox
}
