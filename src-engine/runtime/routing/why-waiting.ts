/** Why a run's steps aren't at work: read from the records, the permits and the runners. */

import { isHeld } from '../../core/control/hold.ts'
import { missingReason } from '../../core/permits/wait-reason.ts'
import { SagasmithError } from '../../model/errors.ts'
import type { DefinitionHash, NodeId, RunId } from '../../model/ids.ts'
import type { InvocationRecord, WaitReason } from '../../model/invocation.ts'
import { invocationMachine } from '../../model/invocation-status.ts'
import { pageSizeMax } from '../../model/limits.ts'
import type { RunRecord } from '../../model/run.ts'
import type { RunnerRecord } from '../../model/runner.ts'
import { defaultEngineSettings } from '../../model/settings/engine-settings.ts'
import type { TenantLimit } from '../../model/tenants.ts'
import { readTenantLimits, tenantsRegister } from '../../model/tenants.ts'
import type { Instant } from '../../model/time.ts'
import type { WhyWaiting } from '../../protocol/why-waiting.ts'
import type { Store } from '../../store/store.ts'
import type { LineSeen, WaitLine } from '../permits/wait-lines.ts'
import { lineOf, runLine } from '../permits/wait-lines.ts'
import { loadPoolRules } from '../pools/pool-book.ts'
import { loadSealMark } from '../sealing/seal-mark.ts'
import type { OverloadLimits } from './load.ts'
import { isOverloaded } from './load.ts'
import { ableRunners, livingRunners, missingRunner, missingSealKey, missingTrust } from './missing-runner.ts'

export interface WhyRequest {
  readonly runId: RunId
  /** Only this step; null for all of the run. */
  readonly nodeId: NodeId | null
  readonly now: Instant
  /** From where on a runner is overloaded; the defaults when absent. */
  readonly limits?: OverloadLimits
  /** What counts for tenants without a limit of their own; what was told them in line when absent. */
  readonly otherTenants?: TenantLimit
}

/**
 * Answers for every step of the run that is under way but not at work, or for a run that stands in line.
 * Throws `run_not_found`.
 */
export async function whyWaiting(store: Store, request: WhyRequest): Promise<readonly WhyWaiting[]> {
  const partition = store.info.partitions[0] ?? 0
  const run = await store.load(partition, 'run', { runId: request.runId })
  if (run === null) {
    const { runId } = request
    throw new SagasmithError('run_not_found', { message: `There is no run ${runId}.`, details: { runId } })
  }
  const rules = await loadPoolRules(store, partition)
  const tenants = await store.load(partition, 'register', { key: tenantsRegister })
  const lines: LineSeen = {
    store,
    partition,
    rules,
    tenants: readTenantLimits(tenants?.value),
    otherTenants: request.otherTenants ?? null,
  }
  if (run.status === 'CREATED' && request.nodeId === null) {
    return [await answerForRun(lines, run, request.now)]
  }
  const records = await store.load(partition, 'invocations', { runId: request.runId })
  const waiting = records.filter(
    (record) =>
      (record.lease === null || record.status === 'PAUSED') &&
      !invocationMachine.final.has(record.status) &&
      (request.nodeId === null || record.nodeId === request.nodeId),
  )
  if (waiting.length === 0) return []
  const page = { after: null, limit: pageSizeMax }
  const runners = await store.list(partition, 'runners', { filter: null, page })
  const living = await withWork(store, partition, livingRunners(runners, request.now))
  const limits = request.limits ?? defaultEngineSettings
  const seen: Seen = {
    ...lines,
    living,
    limits,
    definition: run.definitionHash,
    sealKey: (await loadSealMark(store)).mark?.key ?? null,
    pausedAt: run.pauseRequestedAt,
  }
  return Promise.all(waiting.map((record) => answerFor(seen, record, request.now)))
}

interface Seen extends LineSeen {
  readonly living: readonly RunnerRecord[]
  readonly limits: OverloadLimits
  /** What the run is bound to. */
  readonly definition: DefinitionHash
  /** The key that the workspace seals with; null when it seals nothing. */
  readonly sealKey: string | null
  /** When somebody asked for the pause of the whole run; null when nobody did. */
  readonly pausedAt: Instant | null
}

async function answerFor(seen: Seen, record: InvocationRecord, now: Instant): Promise<WhyWaiting> {
  const line = await lineOf(seen, record, now)
  const told = record.waitReason ?? availableReason(seen, record, now)
  const reason = record.status === 'CONCURRENCY_CONTROLLED' ? reasonOf(line, told) : told
  return {
    invocationId: record.id,
    nodeId: record.nodeId,
    status: record.status,
    code: reason.code,
    message: reason.message,
    since: sinceOf(seen, record, reason),
    // What is set aside has no instant of its own until it is resumed.
    until: isHeld(record) ? null : (record.notBefore ?? line?.until ?? null),
    permit: line?.permit ?? null,
    help: helpFor(reason.code),
  }
}

/** A paused step stands still since somebody asked for that, not since it was registered. */
function sinceOf({ pausedAt }: Seen, record: InvocationRecord, reason: WaitReason): Instant {
  const pausedSince = reason.code === 'paused' ? (record.dispatch?.pauseRequestedAt ?? pausedAt) : null
  return pausedSince ?? record.permits?.blockedSince ?? record.registeredAt
}

/** In the words of now: the limit and who has it may have changed since it stood in line. */
const reasonOf = (line: WaitLine | null, told: WaitReason): WaitReason =>
  line === null ? told : missingReason(line.permit, line.permit.limit)

async function answerForRun(seen: LineSeen, run: RunRecord, now: Instant): Promise<WhyWaiting> {
  const key = run.permits?.blockedBy ?? null
  const line = key === null ? null : await runLine(seen, { run, key, now })
  const isPaused = run.pauseRequestedAt !== null
  const reason = isPaused
    ? pausedInLine
    : reasonOf(line, run.waitReason ?? { code: 'created', message: 'It is about to begin.' })
  return {
    invocationId: null,
    nodeId: null,
    status: run.status,
    code: reason.code,
    message: reason.message,
    since: run.permits?.blockedSince ?? run.createdAt,
    until: line?.until ?? null,
    permit: line?.permit ?? null,
    help: helpFor(reason.code),
  }
}

const pausedInLine: WaitReason = {
  code: 'paused',
  message: 'It is paused: it keeps its place in line, but doesn’t begin before somebody resumes it.',
}

/** The rows as they are now: what each says of its work is as old as its heartbeat. */
async function withWork(
  store: Store,
  partition: number,
  runners: readonly RunnerRecord[],
): Promise<readonly RunnerRecord[]> {
  const counts = await store.load(partition, 'workCounts', { what: 'owned' })
  return runners.map((runner) => {
    const own = counts.filter(({ owner }) => owner === runner.id)
    return { ...runner, active: own.reduce((sum, { count }) => sum + count, 0) }
  })
}

/** What keeps available work from being claimed. */
function availableReason(
  { living, rules, limits, definition, sealKey }: Seen,
  record: InvocationRecord,
  now: Instant,
): WaitReason {
  if (record.notBefore !== null && record.notBefore > now) {
    return { code: 'backoff', message: 'It is not to begin before its time.' }
  }
  const missing = missingRunner(living, record, rules)
  if (missing !== null) return missing
  const { placed } = ableRunners(living, record, record.route?.pools ?? [record.pool])
  const distrust = missingTrust(placed, definition)
  if (distrust !== null) return distrust
  const keyless = missingSealKey(placed, sealKey)
  if (keyless !== null) return keyless
  if (placed.length > 1 && placed.every((runner) => isOverloaded(runner, limits))) {
    return { code: 'pool_overloaded', message: 'Every runner that may do it is overloaded.' }
  }
  return { code: 'no_slot', message: 'The runners that may do it are busy with other work.' }
}

const help: Readonly<Record<string, string>> = {
  workflow_limit:
    'It begins when a run that has a permit ends. Raise the limit of the workflow, or cancel a holder.',
  reuse: 'It goes on with the result of the invocation that is named. Look at why that one waits.',
  paused: 'Resume it: sagasmith runs resume RUN.',
  concurrency_limit: 'It goes on when a holder ends. Raise the limit of the step, or cancel a holder.',
  rate_limit: 'It goes on when its window has passed. Raise the rate limit.',
  pool_limit: 'It goes on when work of its pool ends. Raise the limit of the pool.',
  tenant_limit: 'It goes on when other work of its tenant ends. Raise the limit of the tenant.',
  no_workers: 'Start a runner with what is missing: its pools, labels and task kinds decide.',
  no_pool_mapping: 'Map a pool to its topic: sagasmith pools topics NAME TOPIC.',
  pool_draining: 'Put the pool back, sagasmith pools activate NAME, or route the step to another one.',
  pool_inactive: 'Put the pool back, sagasmith pools activate NAME, or route the step to another one.',
  pool_overloaded: 'Start another runner, or raise overload_slots_fraction or overload_cpu_percent.',
  not_trusted:
    'Look at it, then approve it on a runner (sagasmith trust approve HASH), or push it with a signature that runners trust.',
  seal_key_missing:
    'Give its runners the key: sagasmith seal export FILE where it is, sagasmith seal import FILE there.',
  no_slot: 'Start another runner, or give the runners more slots (max_concurrent_tasks).',
  backoff: 'It is tried again by itself.',
  timer: 'It goes on by itself when its time has come.',
  signal: 'Send it: sagasmith signal RUN NAME, or sagasmith event emit NAME.',
  call: 'Have its address called: sagasmith runs show RUN prints it.',
  indeterminate_effect: 'Decide: sagasmith runs resolve RUN STEP --as again|done|fail.',
}

const helpFor = (code: string): string => help[code] ?? 'Look at the step’s record for what it waits for.'
