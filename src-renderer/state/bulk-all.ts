/** One wish for every run that the list's filter fits, also those that aren't loaded: counted first, then asked. */

import { runId } from '../../src-engine/model/ids.ts'
import { pageSizeMax } from '../../src-engine/model/limits.ts'
import type { RunStatus } from '../../src-engine/model/run-status.ts'
import { runMachine } from '../../src-engine/model/run-status.ts'
import type { BulkAction, BulkOutcome, BulkPage, BulkRequest } from '../../src-engine/protocol/run-control.ts'
import type { RunSearch } from '../../src-engine/protocol/run-search.ts'
import type { Designer } from './designer.ts'
import type { RunListFilter } from './runs-store.ts'

/** What is asked of which runs. `until` keeps runs out that begin while a person still reads the number. */
export interface BulkWish extends RunListFilter, RunSearch {
  readonly action: BulkAction
  readonly until: number
  /** What retried runs go on, and what is run again starts, on. */
  readonly version: BulkRequest['version']
  /** The wish's own id: a page that is sent again starts no run twice. */
  readonly requestId: string
}

/** What became of one run that something was asked of. */
export type BulkResult = Pick<BulkOutcome, 'runId' | 'workflowTitle' | 'startedRunId' | 'error'>

/** More are counted as `more than`, and reached all the same. */
export const countedMax = 5_000

/** In the order of the buttons. */
export const bulkOrder = [
  'pause',
  'resume',
  'retry',
  'rerun',
  'cancel',
] as const satisfies readonly BulkAction[]

const begun: readonly RunStatus[] = ['CREATED', 'RUNNING', 'WAITING']
const reachable: Readonly<Record<BulkAction, readonly RunStatus[]>> = {
  pause: begun,
  resume: ['PAUSED'],
  cancel: [...begun, 'PAUSED'],
  retry: [...runMachine.final].filter(
    (status) => runMachine.validateTransition(status, 'RUNNING', { kind: 'operator', id: null }) === null,
  ),
  rerun: [...runMachine.final],
}
/** Of all runs, those are retried that failed by themselves: what somebody cancelled, somebody wanted to end. */
const failedByThemselves: readonly RunStatus[] = ['FAILED', 'TIMED_OUT']

/** The states among the filter's in which a run can follow the action; none when there are no such. Pure. */
export function statusesFor(action: BulkAction, statuses: readonly RunStatus[] | null): readonly RunStatus[] {
  if (statuses === null) return action === 'retry' ? failedByThemselves : reachable[action]
  return statuses.filter((status) => reachable[action].includes(status))
}

/** How many runs are meant; at most `countedMax` are counted. */
export async function countRuns(designer: Designer, wish: BulkWish): Promise<number> {
  let count = 0
  for await (const { counts } of pages(designer, wish, true)) {
    count += counts.matched
    if (count >= countedMax) break
  }
  return count
}

/** Asks it of every run, a page at a time, until it is done or `isStopped`; tells what became of each so far. */
export async function askAll(
  designer: Designer,
  wish: BulkWish,
  watch: { readonly isStopped: () => boolean; readonly told: (soFar: readonly BulkResult[]) => void },
): Promise<readonly BulkResult[]> {
  let soFar: readonly BulkResult[] = []
  for await (const { outcomes } of pages(designer, wish, false)) {
    soFar = [...soFar, ...outcomes]
    watch.told(soFar)
    if (watch.isStopped()) break
  }
  return soFar
}

async function* pages(designer: Designer, wish: BulkWish, dryRun: boolean): AsyncGenerator<BulkPage> {
  const { action, workflowId, since, until, origin, tenant, error, text, version, requestId } = wish
  const { failedAt, waitsFor } = wish
  const statuses = statusesFor(action, wish.statuses)
  if (statuses.length === 0) return
  const filter = { workflowId, statuses, since, until, origin, tenant, error, failedAt, waitsFor, text }
  const rest = { version, requestId, by: null, reason: null, limit: pageSizeMax }
  let after: BulkRequest['after'] = null
  do {
    const request: BulkRequest = { action, filter, dryRun, after, ...rest }
    const page: BulkPage = await designer.connection.call('runs.bulk', request)
    yield page
    after = page.next === null ? null : runId(page.next)
  } while (after !== null)
}
