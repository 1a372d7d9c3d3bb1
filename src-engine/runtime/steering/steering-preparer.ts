/** Finds the runs that a step asks for something. What it asks is written with the step's success, not here. */

import type { SteerEnd } from '../../core/steer-runs.ts'
import type { EmittedEvent } from '../../model/effect.ts'
import { isStartOf } from '../../model/effect.ts'
import { SagasmithError } from '../../model/errors.ts'
import type { RunId } from '../../model/ids.ts'
import { runId, workflowId } from '../../model/ids.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import type { JsonObject, JsonValue } from '../../model/json.ts'
import { canonicalJson, isJsonObject } from '../../model/json.ts'
import {
  pageSizeMax,
  steeredRunsLookedAtMax,
  subWorkflowDepthMax,
  taskOutputBytesMax,
} from '../../model/limits.ts'
import type { Clock } from '../../model/ports.ts'
import type { RunRecord } from '../../model/run.ts'
import type { RunStatus } from '../../model/run-status.ts'
import { isRollingBack, runMachine } from '../../model/run-status.ts'
import type { Store } from '../../store/store.ts'
import type { SteeredRuns, TaskOutcome } from '../../tasks/task.ts'
import { hasEffect } from '../outbox/find-effect.ts'
import type { PayloadStore } from '../payload-store.ts'

type Steering = Extract<TaskOutcome, { readonly kind: 'steers' }>

/** Why a run that was named is asked for nothing. */
type LeftAlone = 'not-found' | 'ended' | 'itself' | 'too-many'

export interface SteeringPreparer {
  /** Throws where more runs are meant than may be, or one of another tenant. */
  readonly prepare: (
    steering: Steering,
    step: { readonly run: RunRecord; readonly record: InvocationRecord },
  ) => Promise<SteerEnd>
}

export interface SteeringParts {
  readonly store: Store
  readonly partition: number
  readonly payloads: PayloadStore
  readonly clock: Clock
}

/** Prepares what this engine's steps ask of other runs. */
export function createSteering(parts: SteeringParts): SteeringPreparer {
  return {
    prepare: async (steering, { run, record }) => {
      const own = await withAncestors(parts, run)
      const search: Search = { parts, steering, run, spared: steering.includesItself ? new Set() : own }
      const { which } = steering
      const found = which.kind === 'ids' ? await named(search, which.ids) : await fitting(search, which)
      const meant = found.meant.slice(0, steering.atMost)
      if (found.meant.length > meant.length && !steering.takesSome) throw tooMany(steering)
      const rest = found.meant.slice(meant.length).map(({ id }) => ({ runId: id, why: 'too-many' as const }))
      const requested = meant.map(({ id, workflowId: of }) => ({ runId: id, workflowId: of }))
      const output = await parts.payloads.keep(
        JSON.stringify({ requested, left: [...found.left, ...rest] }),
        taskOutputBytesMax,
      )
      const asked = { kind: 'steers', output, cancels: [], reason: '', signals: [] } as const
      const { ask } = steering
      const cancels = meant.map(({ id, generation }) => ({ runId: id, generation }))
      if (ask.kind === 'cancel') return { ...asked, cancels, reason: ask.reason }
      return { ...asked, signals: await signalsTo(parts, ask, { runs: meant, record }) }
    },
  }
}

interface Search {
  readonly parts: SteeringParts
  readonly steering: Steering
  /** The run of the step itself. */
  readonly run: RunRecord
  /** Runs that are left alone, whatever is meant. */
  readonly spared: ReadonlySet<RunId>
}

interface Found {
  readonly meant: readonly RunRecord[]
  readonly left: readonly { readonly runId: RunId; readonly why: LeftAlone }[]
}

/** The run, and those that wait for it: who ends one of these ends the run itself. */
async function withAncestors(
  { store, partition }: SteeringParts,
  run: RunRecord,
): Promise<ReadonlySet<RunId>> {
  const own = new Set([run.id])
  for (let parent = run.parentRunId; parent !== null && own.size <= subWorkflowDepthMax; ) {
    own.add(parent)
    parent = (await store.load(partition, 'run', { runId: parent }))?.parentRunId ?? null
  }
  return own
}

async function named({ parts, run: own, spared }: Search, ids: readonly string[]): Promise<Found> {
  const meant: RunRecord[] = []
  const left: { readonly runId: RunId; readonly why: LeftAlone }[] = []
  for (const id of new Set(ids.map(runId))) {
    const run = await loadSoon(parts, id)
    const why = run === null || isCore(run) ? 'not-found' : whyNot(run, own, spared)
    if (why === null && run !== null) meant.push(run)
    else left.push({ runId: id, why: why ?? 'not-found' })
  }
  return { meant, left }
}

/** What a step before this one has started may not be there yet: it is for a moment that it is waited for. */
async function loadSoon(parts: SteeringParts, id: RunId): Promise<RunRecord | null> {
  const { store, partition, clock } = parts
  for (let look = 0; ; look += 1) {
    const run = await store.load(partition, 'run', { runId: id })
    if (run !== null || !(await isAboutToStart(parts, id))) return run
    if (look >= looksMax) throw new SagasmithError('run_not_begun', { details: { runId: id } })
    await new Promise<void>((resolve) => clock.after(lookAgainMs, resolve))
  }
}

const lookAgainMs = 100
const looksMax = 50

/** Its start is written, and hasn't been brought about. */
const isAboutToStart = (parts: SteeringParts, id: RunId): Promise<boolean> =>
  hasEffect(parts, (record) => isStartOf(record, id))

/** Throws for a run of another tenant: nobody may steer what isn't theirs, be it by mistake. */
function whyNot(run: RunRecord, own: RunRecord, spared: ReadonlySet<RunId>): LeftAlone | null {
  if (run.tenant !== own.tenant) {
    const message = `The run ${run.id} belongs to the tenant “${run.tenant}”, and this one to “${own.tenant}”.`
    throw new SagasmithError('run_of_other_tenant', { message, details: { runId: run.id } })
  }
  if (spared.has(run.id)) return 'itself'
  return hasEnded(run.status) ? 'ended' : null
}

/** Newest first, until it is known whether there are more than are meant. */
async function fitting(
  search: Search,
  which: Extract<SteeredRuns, { readonly kind: 'filter' }>,
): Promise<Found> {
  const { parts, steering } = search
  const { store, partition } = parts
  const meant: RunRecord[] = []
  const filter = {
    statuses: statusesOf[which.state],
    workflowId: which.workflowId === null ? null : workflowId(which.workflowId),
    includeCore: false,
  }
  let lookedAt = 0
  for (let after: string | null = null; ; ) {
    const page: readonly RunRecord[] = await store.list(partition, 'runs', {
      filter,
      page: { after, limit: pageSizeMax },
    })
    for (const run of page) if (await fits(run, search, which)) meant.push(run)
    lookedAt += page.length
    after = page.at(-1)?.id ?? null
    if (meant.length > steering.atMost || page.length < pageSizeMax || after === null)
      return { meant, left: [] }
    if (lookedAt >= steeredRunsLookedAtMax) throw tooManyToLookAt()
  }
}

async function fits(
  run: RunRecord,
  { parts, run: own, spared }: Search,
  { match, startedBefore }: Extract<SteeredRuns, { readonly kind: 'filter' }>,
): Promise<boolean> {
  if (run.tenant !== own.tenant || spared.has(run.id)) return false
  if (startedBefore !== null && run.createdAt > startedBefore) return false
  return match === null || hasFields(await parts.payloads.value(run.input), match)
}

const hasFields = (input: JsonValue, match: JsonObject): boolean =>
  isJsonObject(input) &&
  Object.entries(match).every(([name, value]) => {
    const own = Object.hasOwn(input, name) ? input[name] : undefined
    return own !== undefined && canonicalJson(own) === canonicalJson(value)
  })

const statusesOf: Readonly<
  Record<Extract<SteeredRuns, { readonly kind: 'filter' }>['state'], readonly RunStatus[]>
> = {
  'under-way': ['CREATED', 'RUNNING', 'WAITING', 'PAUSED'],
  queued: ['CREATED'],
  running: ['RUNNING'],
  waiting: ['WAITING'],
  paused: ['PAUSED'],
}

/** What is being undone is on its way to an end by itself. */
const hasEnded = (status: RunStatus): boolean => runMachine.final.has(status) || isRollingBack(status)

const isCore = (run: RunRecord): boolean => run.workflowId.startsWith('core.')

async function signalsTo(
  { payloads, clock }: SteeringParts,
  ask: Extract<Steering['ask'], { readonly kind: 'signal' }>,
  to: { readonly runs: readonly RunRecord[]; readonly record: InvocationRecord },
): Promise<readonly EmittedEvent[]> {
  const { name, correlation } = ask
  const payload = await payloads.keep(JSON.stringify(ask.payload), taskOutputBytesMax)
  const source = to.record.id
  const at = clock.now()
  // The same in every attempt and after every recovery.
  return to.runs.map(({ id }) => {
    return { messageId: `of:${source}:${id}`, name, correlation, payload, runId: id, at, source }
  })
}

function tooMany({ atMost }: Steering): SagasmithError {
  const message = `More than ${atMost} ${atMost === 1 ? 'run is' : 'runs are'} meant, which is more than this step may ask.`
  return new SagasmithError('too_many_runs_meant', { message, details: { atMost } })
}

const tooManyToLookAt = (): SagasmithError =>
  new SagasmithError('too_many_runs_meant', {
    message: `More than ${steeredRunsLookedAtMax} runs are under way: not all could be looked at.`,
    hint: 'Name a workflow or a state, so that fewer have to be looked at.',
    details: { max: steeredRunsLookedAtMax },
  })
