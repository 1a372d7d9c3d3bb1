/**
 * The safety kernel of this process: asks the rules that count, and the remote kernel where there is one, and
 * says what the answer means for a step or for the start of a run.
 */

import type { CompiledWorkflow } from '../../core/compile.ts'
import type { Verdict } from '../../core/policy/verdict.ts'
import { schedulingBackoffMs } from '../../core/reconcile/unclaimable.ts'
import type { RunState } from '../../core/run-state.ts'
import { forwardId } from '../../core/run-state.ts'
import { gateStepId } from '../../model/engine-steps.ts'
import { recordOfThrown } from '../../model/errors.ts'
import { nodeId } from '../../model/ids.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import { asksForPayload, evaluatePolicy, speaksOfStarts } from '../../model/policy/evaluate-policy.ts'
import type { PolicyAnswer, PolicyRequest } from '../../model/policy/policy.ts'
import { letsGo } from '../../model/policy/policy.ts'
import { stricter } from '../../model/policy/remote-answer.ts'
import type { PolicyRuling } from '../../model/policy/ruling.ts'
import type { Clock, Logger, Random } from '../../model/ports.ts'
import type { RunRecord } from '../../model/run.ts'
import type { EngineSettings } from '../../model/settings/engine-settings.ts'
import type { Millis } from '../../model/time.ts'
import { second } from '../../model/time.ts'
import type { AskedStep, PolicyApprovals } from './policy-approvals.ts'
import type { KnownPolicy, PolicyBook } from './policy-book.ts'
import type { PolicySubjects } from './policy-subjects.ts'
import { isExempt } from './policy-subjects.ts'
import type { RemoteKernel } from './remote-kernel.ts'
import type { SharedBreaker } from './shared-breaker.ts'
import { goesUnder, velocityKey } from './verdict-of-answer.ts'

export interface PolicyKernel {
  /** Whether somebody has to be asked before a step begins. */
  readonly isActive: () => boolean
  /** Whether somebody has to be asked before the run starts. */
  readonly asksAboutStart: (run: RunRecord) => boolean
  /** Reads the policy: before any work is taken. */
  readonly refresh: () => Promise<void>
  /** `full` are the places of velocity rules that were found to be taken. Null where nobody is asked. */
  readonly ruleOnStep: (
    state: RunState,
    record: InvocationRecord,
    full: ReadonlySet<string>,
  ) => Promise<Verdict | null>
  /** The same for a run that is to start. */
  readonly ruleOnStart: (
    run: RunRecord,
    workflow: CompiledWorkflow,
    full: ReadonlySet<string>,
  ) => Promise<Verdict | null>
  /** From now on nobody is asked: work goes back instead of on. */
  readonly stop: () => void
}

export interface PolicyKernelDependencies {
  readonly book: PolicyBook
  /** Gives a short name to a text. */
  readonly nameOf: (text: string) => string
  readonly subjects: PolicySubjects
  readonly approvals: PolicyApprovals
  /** Null where there is none. */
  readonly remote: { readonly kernel: RemoteKernel; readonly breaker: SharedBreaker } | null
  readonly clock: Clock
  readonly random: Random
  readonly log: Logger
  readonly settings: Pick<
    EngineSettings,
    | 'policyCheckFailMode'
    | 'compensationPolicyFailMode'
    | 'compensationPolicyAttempts'
    | 'retryDelayThrottleMs'
    | 'schedulingAttemptsMax'
    | 'backoffInitialMs'
    | 'backoffMaxMs'
    | 'backoffJitterMs'
  >
}

/** A remote kernel that hasn't answered by then hasn't. */
const remoteWaitMs: Millis = 2 * second

/** What asking came to. */
type Asked =
  | {
      readonly kind: 'answered'
      readonly answer: PolicyAnswer
      readonly isUnknown: boolean
      readonly snapshot: string | null
      /** Why the remote kernel wasn't asked, and it goes on all the same; null where nothing was left out. */
      readonly bypassed: string | null
    }
  | { readonly kind: 'unavailable'; readonly reason: string }
  | { readonly kind: 'stopping' }

export function createPolicyKernel(dependencies: PolicyKernelDependencies): PolicyKernel {
  return new LocalKernel(dependencies)
}

class LocalKernel implements PolicyKernel {
  readonly #dependencies: PolicyKernelDependencies
  readonly #stopping = new AbortController()

  constructor(dependencies: PolicyKernelDependencies) {
    this.#dependencies = dependencies
  }

  isActive(): boolean {
    return this.#dependencies.remote !== null || this.#dependencies.book.known().kind !== 'none'
  }

  asksAboutStart(run: RunRecord): boolean {
    if (isExempt(run, null)) return false
    if (this.#dependencies.remote !== null) return true
    const known = this.#dependencies.book.known()
    return known.kind === 'policy' ? speaksOfStarts(known.policy) : known.kind !== 'none'
  }

  refresh(): Promise<void> {
    return this.#dependencies.book.refresh()
  }

  stop(): void {
    this.#stopping.abort()
  }

  async ruleOnStep(
    state: RunState,
    record: InvocationRecord,
    full: ReadonlySet<string>,
  ): Promise<Verdict | null> {
    if (isExempt(state.run, record)) return null
    const { approvals, subjects } = this.#dependencies
    const known = await this.#known()
    const isGate = record.nodeId === gateStepId
    const step: AskedStep = { state, record, isGate }
    const needsPayload = !isGate && known.kind === 'policy' && asksForPayload(known.policy)
    const payloadBytes = needsPayload ? await approvals.payloadBytes(step) : null
    const request = isGate
      ? subjects.ofStart(state.run, state.workflow)
      : subjects.ofStep(state, record, payloadBytes)
    const asked = await this.#ask(known, request, full)
    return this.#verdict(request, asked, {
      holder: isGate ? state.run.id : record.id,
      before: record.dispatch?.policy ?? null,
      pinned: [record, isGate ? undefined : state.invocations.get(forwardId(state, nodeId(gateStepId)))],
      step,
    })
  }

  async ruleOnStart(
    run: RunRecord,
    workflow: CompiledWorkflow,
    full: ReadonlySet<string>,
  ): Promise<Verdict | null> {
    const known = await this.#known()
    if (!this.asksAboutStart(run)) return null
    const request = this.#dependencies.subjects.ofStart(run, workflow)
    const asked = await this.#ask(known, request, full)
    const step = { state: null, record: null, run, workflow, isGate: true } as const
    return this.#verdict(request, asked, { holder: run.id, before: null, pinned: [], step })
  }

  async #known(): Promise<KnownPolicy> {
    const { book } = this.#dependencies
    const known = book.known()
    if (known.kind !== 'unread') return known
    await book.refresh()
    return book.known()
  }

  async #ask(known: KnownPolicy, request: PolicyRequest, full: ReadonlySet<string>): Promise<Asked> {
    if (this.#stopping.signal.aborted) return { kind: 'stopping' }
    if (known.kind === 'unread' || known.kind === 'unreadable')
      return { kind: 'unavailable', reason: 'The policy could not be read.' }
    const hash = this.#dependencies.nameOf
    const isFull = ({ key }: { readonly key: string }): boolean => full.has(velocityKey(hash(key)))
    const snapshot = known.kind === 'policy' ? known.hash : null
    const local = known.kind === 'policy' ? evaluatePolicy(known.policy, request, { isFull }) : nothingSaid
    const settled = { kind: 'answered', answer: local, isUnknown: false, snapshot, bypassed: null } as const
    const { remote } = this.#dependencies
    if (remote === null || local.decision === 'DENY' || local.decision === 'THROTTLE') return settled
    const told = await this.#askRemote(remote, request)
    if (told.kind === 'answered') {
      const answer = stricter(local, told.answer)
      return { ...settled, answer, isUnknown: told.isUnknown && answer.decision === 'DENY' }
    }
    if (told.kind === 'stopping' || this.#failMode(known, request) === 'closed') return told
    // The rules of this place still count; only what could not be asked is left out.
    return { ...settled, bypassed: told.reason }
  }

  async #askRemote(
    { kernel, breaker }: NonNullable<PolicyKernelDependencies['remote']>,
    request: PolicyRequest,
  ): Promise<
    | { readonly kind: 'answered'; readonly answer: PolicyAnswer; readonly isUnknown: boolean }
    | Extract<Asked, { readonly kind: 'unavailable' | 'stopping' }>
  > {
    const { clock, log } = this.#dependencies
    const call = await breaker.pass()
    if (this.#stopping.signal.aborted) return { kind: 'stopping' }
    if (call === null) return { kind: 'unavailable', reason: 'safety kernel circuit open' }
    const late = new AbortController()
    const cancel = clock.after(remoteWaitMs, () => late.abort(new Error('It did not answer in time.')))
    const signal = AbortSignal.any([late.signal, this.#stopping.signal])
    try {
      const { answer, isUnknown } = await settledBy(kernel.ask(request, signal), signal)
      await breaker.note(call, true)
      return { kind: 'answered', answer, isUnknown }
    } catch (thrown) {
      // That this process stops says nothing about the kernel, and must not let anything through.
      if (this.#stopping.signal.aborted) return { kind: 'stopping' }
      await breaker.note(call, false)
      const reason = recordOfThrown(thrown).message
      log.warn('policy.unavailable', { error: reason })
      return { kind: 'unavailable', reason }
    } finally {
      cancel()
    }
  }

  #failMode(known: KnownPolicy, { tenant, role }: PolicyRequest): 'closed' | 'open' {
    // Undoing unasked is a decision of its own.
    if (role === 'compensation') {
      return this.#dependencies.settings.compensationPolicyFailMode === 'open' ? 'open' : 'closed'
    }
    const own = known.kind === 'policy' ? (known.policy.tenantFailModes ?? {}) : {}
    const mode = Object.hasOwn(own, tenant) ? own[tenant] : this.#dependencies.settings.policyCheckFailMode
    return mode === 'open' ? 'open' : 'closed'
  }

  async #verdict(
    request: PolicyRequest,
    asked: Asked,
    about: {
      readonly holder: string
      readonly before: PolicyRuling | null
      readonly pinned: readonly (InvocationRecord | undefined)[]
      readonly step: AskedStep
    },
  ): Promise<Verdict> {
    const { clock, settings, approvals, nameOf, log } = this.#dependencies
    if (asked.kind === 'stopping') return { kind: 'stopping' }
    const at = clock.now()
    if (asked.kind === 'unavailable') {
      const mode = this.#failMode(this.#dependencies.book.known(), request)
      if (mode === 'open') return this.#opens(request, asked.reason)
      return this.#waits(request, asked.reason, about.before)
    }
    const { answer, snapshot, isUnknown, bypassed } = asked
    const { decision, ruleId, reason, constraints } = answer
    const ruling: PolicyRuling = { decision, ruleId, snapshot, reason, constraints, at }
    const goes = (under: PolicyRuling): Verdict =>
      goesUnder(under, { request, answer, holder: about.holder, hash: nameOf })
    if (letsGo(decision)) {
      const refused = unboundable(request, ruling)
      if (refused !== null) return { kind: 'denied', ruling: refused, code: 'safety_denied' }
      if (bypassed === null) return goes(ruling)
      log.warn('policy.bypassed', {
        workflowId: request.workflowId,
        nodeId: request.nodeId,
        reason: bypassed,
      })
      return goes({ ...ruling, bypassed: request.topic ?? 'start', reason: bypassed })
    }
    if (decision === 'THROTTLE')
      return { kind: 'waits', ruling, code: 'safety_throttled', delayMs: settings.retryDelayThrottleMs }
    if (decision === 'DENY')
      return { kind: 'denied', ruling, code: isUnknown ? 'safety_unknown' : 'safety_denied' }
    const approval = await approvals.requestOf(about.step, { ruling, answer })
    if (about.pinned.some((record) => approvals.isApproved(record, about.step, { ruling, approval })))
      return goes({ ...ruling, decision: constraints === null ? 'ALLOW' : 'ALLOW_WITH_CONSTRAINTS' })
    return { kind: 'asks', ruling, request: approval }
  }

  #opens(request: PolicyRequest, reason: string): Verdict {
    const { clock, log } = this.#dependencies
    log.warn('policy.bypassed', { workflowId: request.workflowId, nodeId: request.nodeId, reason })
    const ruling: PolicyRuling = {
      decision: 'UNAVAILABLE',
      ...{ ruleId: null, snapshot: null, reason, constraints: null },
      at: clock.now(),
      bypassed: request.topic ?? 'start',
    }
    return { kind: 'goes', ruling, takes: [], permits: [] }
  }

  #waits({ role }: PolicyRequest, reason: string, before: PolicyRuling | null): Verdict {
    const { clock, settings, random } = this.#dependencies
    const count = (before?.decision === 'UNAVAILABLE' ? (before.unavailableCount ?? 0) : 0) + 1
    const ruling: PolicyRuling = {
      decision: 'UNAVAILABLE',
      ...{ ruleId: null, snapshot: null, reason, constraints: null },
      at: clock.now(),
      unavailableCount: count,
    }
    if (role === 'compensation' && count >= settings.compensationPolicyAttempts)
      return { kind: 'parks', ruling, code: 'compensation_safety_unavailable' }
    // An open circuit is asked again like what is throttled; a kernel that fails, less and less often.
    const delayMs = reason.includes('circuit open')
      ? settings.retryDelayThrottleMs
      : schedulingBackoffMs(count - 1, settings, random.next())
    return { kind: 'waits', ruling, code: 'safety_unavailable', delayMs }
  }
}

const nothingSaid: PolicyAnswer = {
  decision: 'ALLOW',
  ruleId: null,
  reason: 'There is no policy.',
  constraints: null,
  approval: null,
  velocity: [],
}

/** Programs and scripts, in containers too, reach whatever they like: what may only reach some hosts can't be one. */
const reachAnything: ReadonlySet<string> = new Set(['shell-command', 'script', 'docker-run'])

function unboundable(request: PolicyRequest, ruling: PolicyRuling): PolicyRuling | null {
  if (ruling.constraints?.hosts === undefined || !reachAnything.has(request.kind ?? '')) return null
  const reason = 'It may only reach some hosts, and nobody can hold a program of the machine to that.'
  return { ...ruling, decision: 'DENY', reason }
}

/** What doesn't listen to its signal is left behind. */
function settledBy<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason instanceof Error ? signal.reason : new Error('Stopped.'))
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}
