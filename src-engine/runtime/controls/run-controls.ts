/** Requests about runs that are under way: written at once, answered when they are in effect. */

import { isHeld, isPauseAsked } from '../../core/control/hold.ts'
import { pauseNode, pauseRun, resumeNode, resumeRun } from '../../core/control/pause.ts'
import { refuseFinal } from '../../core/control/refuse-final.ts'
import { skipNode } from '../../core/control/skip.ts'
import { stepOver } from '../../core/control/step-over.ts'
import type { Decision, DecisionContext } from '../../core/draft.ts'
import { cancelRun } from '../../core/requests.ts'
import type { RunState } from '../../core/run-state.ts'
import { SagasmithError } from '../../model/errors.ts'
import type { NodeId } from '../../model/ids.ts'
import { opId } from '../../model/ids.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import { invocationMachine } from '../../model/invocation-status.ts'
import type { RunRecord } from '../../model/run.ts'
import { runMachine } from '../../model/run-status.ts'
import type { Instant } from '../../model/time.ts'
import type { ControlAnswer, ControlRequest } from '../../protocol/run-control.ts'
import type { Claimer } from '../claimer.ts'
import { followEvents } from '../event-feed.ts'
import type { Runner, RunnerDependencies } from '../runner.ts'

export interface RunControls {
  readonly control: (request: ControlRequest) => Promise<ControlAnswer>
}

export function createRunControls(
  dependencies: RunnerDependencies,
  runner: Runner,
  claimer: Claimer,
): RunControls {
  return {
    control: async (request) => {
      const { clock, book } = dependencies
      refuseNonsense(request)
      let requestedAt = clock.now()
      dependencies.executor.failpoints('control.before-commit')
      const takes = dependencies.takesWhatItResumes && request.action === 'resume'
      if (takes) runner.open()
      const decision = await book.decide(
        request.runId,
        (state) => {
          requestedAt = askedAt(state, request) ?? clock.now()
          return decisionOf(state, contextOf(runner, request, { state, takes }), { ...request, takes })
        },
        { sent: (made) => runner.reserve(made), takenBack: (made) => runner.unreserve(made) },
      )
      // That was all that it takes.
      if (takes) runner.drain()
      if (decision !== null) runner.execute(decision.started)
      dependencies.executor.failpoints('control.after-commit')
      claimer.poke()
      const effect = await effectOf(dependencies, request)
      if (!request.wait || effect.inEffectAt !== null) return { ...effect, requestedAt }
      return { ...(await untilInEffect(dependencies, request)), requestedAt }
    },
  }
}

type Effect = Pick<ControlAnswer, 'status' | 'inEffectAt'>

function refuseNonsense({ action, nodeId }: ControlRequest): void {
  if (action === 'skip' && nodeId === null)
    throw new SagasmithError('bad_request', { message: 'Skipping needs the step that is to be skipped.' })
  if (action === 'cancel' && nodeId !== null)
    throw new SagasmithError('bad_request', { message: 'A run is cancelled as a whole: skip single steps.' })
}

function contextOf(
  runner: Runner,
  request: ControlRequest,
  { state, takes }: { readonly state: RunState; readonly takes: boolean },
): DecisionContext {
  const { runId, action, nodeId, by, reason } = request
  const { run } = state
  const name = nodeId === null ? runId : `${runId}/${nodeId}`
  const times = action === 'cancel' ? run.generation : run.version
  return runner.context({
    actor: 'operator',
    cause: { kind: action, by: by ?? 'local', detail: reason },
    opId: opId(`${action}:${name}:${times}`),
    runId,
    claims: takes,
  })
}

function decisionOf(
  state: RunState,
  context: DecisionContext,
  request: ControlRequest & { readonly takes: boolean },
): Decision | null {
  const { action, nodeId, takes } = request
  switch (action) {
    case 'pause':
      return nodeId === null ? pauseRun(state, context) : pauseNode(state, context, nodeId)
    case 'resume':
      return nodeId === null ? resumeRun(state, context, takes) : resumeNode(state, context, nodeId)
    case 'cancel':
      if (state.run.status !== 'CANCELLED') refuseFinal(state, 'cancel')
      return cancelRun(state, context)
    case 'step':
      return stepOver(state, context, nodeId)
    default:
      return nodeId === null ? null : skipNode(state, context, nodeId)
  }
}

/** When the same was asked before. */
function askedAt(state: RunState, { action, nodeId }: ControlRequest): Instant | null {
  if (action === 'cancel') return state.run.cancelRequestedAt
  if (action === 'pause' && nodeId === null) return state.run.pauseRequestedAt
  return null
}

async function effectOf(dependencies: RunnerDependencies, request: ControlRequest): Promise<Effect> {
  const { store, partition, clock } = dependencies
  const { runId } = request
  const run = await store.load(partition, 'run', { runId })
  if (run === null) throw new SagasmithError('run_not_found', { details: { runId } })
  const all = await store.load(partition, 'invocations', { runId })
  const invocations = all.filter(
    (record) =>
      record.generation === run.generation && (request.nodeId === null || isOf(record, request.nodeId)),
  )
  const { status } = run
  if (!isInEffect(request, run, invocations)) return { status, inEffectAt: null }
  return { status, inEffectAt: run.finishedAt ?? clock.now() }
}

/** The step itself, or what goes on inside of it. */
const isOf = ({ nodeId, path }: InvocationRecord, id: NodeId): boolean =>
  nodeId === id || (path !== '' && path.split('/').some((place) => place.startsWith(`${id}:`)))

function isInEffect(
  request: ControlRequest,
  run: RunRecord,
  invocations: readonly InvocationRecord[],
): boolean {
  // Nothing is left that it could still reach.
  if (runMachine.final.has(run.status)) return true
  const isFinal = (record: InvocationRecord) => invocationMachine.final.has(record.status)
  switch (request.action) {
    case 'cancel':
      return false
    case 'pause':
      if (request.nodeId === null) return run.status === 'PAUSED' || isPausedInLine(run)
      return invocations.every((record) => isFinal(record) || standsStill(record))
    case 'resume':
      return invocations.every(
        (record) => record.status !== 'PAUSED' && !isHeld(record) && !isPauseAsked(record),
      )
    case 'step':
      return invocations.every((record) => record.dispatch?.stepped !== true || isFinal(record))
    default:
      return invocations.every(isFinal)
  }
}

/** Set aside, its program stopped, or in line or before a person with nothing that may begin. */
const standsStill = (record: InvocationRecord): boolean =>
  isHeld(record) || record.status === 'PAUSED' || (record.lease === null && isPauseAsked(record))

/** A run that hasn't begun yet keeps its place in line, and doesn't begin before it is resumed. */
const isPausedInLine = ({ status, pauseRequestedAt }: RunRecord): boolean =>
  status === 'CREATED' && pauseRequestedAt !== null

/** Events say when it is worth looking again. */
function untilInEffect(dependencies: RunnerDependencies, request: ControlRequest): Promise<Effect> {
  return new Promise((resolve, reject) => {
    let looking = false
    let again = false
    let done = false
    const stop = followEvents(dependencies, {
      runId: request.runId,
      cursor: null,
      receive: () => look(),
    })
    const end = (give: () => void): void => {
      done = true
      stop()
      give()
    }
    const look = (): void => {
      if (done) return
      again = looking
      if (looking) return
      looking = true
      effectOf(dependencies, request).then(
        (effect) => {
          looking = false
          if (effect.inEffectAt !== null) end(() => resolve(effect))
          else if (again) look()
        },
        (thrown: unknown) => end(() => reject(thrown)),
      )
    }
  })
}
