/** What people do with the safety policy. */

import { SagasmithError } from '../../model/errors.ts'
import type { JsonValue } from '../../model/json.ts'
import { breakerRules } from '../../model/policy/breaker.ts'
import { evaluatePolicy, noCounts, ruleMatches } from '../../model/policy/evaluate-policy.ts'
import type { PolicyDocument, PolicyRequest } from '../../model/policy/policy.ts'
import { noPolicy } from '../../model/policy/policy.ts'
import { policyHashOf } from '../../model/policy/policy-snapshots.ts'
import { parsePolicy } from '../../model/policy/read-policy.ts'
import type { Clock } from '../../model/ports.ts'
import type { EngineSettings } from '../../model/settings/engine-settings.ts'
import type {
  PolicyApi,
  PolicyOfStep,
  PolicyQuestion,
  PolicyReplay,
  PolicyTrial,
  PolicyView,
  RemoteKernelView,
} from '../../protocol/policy.ts'
import type { PolicyBook, PolicyChange } from './policy-book.ts'
import type { OfStepParts } from './policy-of-step.ts'
import { policyOfStep } from './policy-of-step.ts'
import type { PastRuns } from './policy-replay.ts'
import { replayPolicy } from './policy-replay.ts'
import type { SharedBreaker } from './shared-breaker.ts'
import { loadBreaker } from './shared-breaker.ts'

type Input<Method extends keyof PolicyApi> = PolicyApi[Method]['input']

export interface PolicyDesk {
  readonly view: () => Promise<PolicyView>
  readonly set: (change: Input<'policy.set'>) => Promise<PolicyView>
  readonly ofStep: (asked: Input<'policy.ofStep'>) => Promise<PolicyOfStep>
  readonly test: (trial: Input<'policy.test'>) => Promise<PolicyTrial>
  readonly history: () => Promise<PolicyApi['policy.history']['output']>
  readonly rollback: (change: Input<'policy.rollback'>) => Promise<PolicyView>
  readonly replay: (asked: Input<'policy.replay'>) => Promise<PolicyReplay>
}

export interface PolicyDeskDependencies {
  readonly book: PolicyBook
  readonly breaker: SharedBreaker | null
  readonly past: PastRuns
  readonly clock: Clock
  readonly settings: Pick<EngineSettings, 'policyCheckFailMode'>
  readonly ofStep: OfStepParts
}

/** Whom a change is told of when nobody said. */
const nobody = 'local'

export function createPolicyDesk(dependencies: PolicyDeskDependencies): PolicyDesk {
  const { book, past, clock, settings } = dependencies
  const view = async (): Promise<PolicyView> => {
    await book.refresh()
    const known = book.known()
    const isUsable = known.kind === 'policy' || known.kind === 'none'
    return {
      hash: known.kind === 'policy' ? known.hash : null,
      policy: known.kind === 'policy' ? known.policy : null,
      problem: isUsable ? null : 'What is stored as the policy can’t be read.',
      failMode: settings.policyCheckFailMode,
      remote: await remoteView(dependencies),
    }
  }
  const put = async (policy: PolicyDocument, said: Omit<PolicyChange, 'to'>): Promise<PolicyView> => {
    const snapshot = {
      hash: policyHashOf(policy),
      at: clock.now(),
      by: said.by,
      note: said.note ?? '',
      title: policy.title ?? '',
      ruleCount: policy.rules.length,
    }
    await book.change({ ...said, to: { policy, snapshot } })
    return view()
  }
  return {
    view,
    set: async ({ policy, by, note, expected }) => {
      const wanted = policy === null ? null : usable(policy)
      const said = { by: by ?? nobody, note, expected }
      if (wanted !== null) return put(wanted, said)
      await book.change({ ...said, to: null })
      return view()
    },
    ofStep: async (asked) => {
      const { policy, problem, failMode, remote } = await view()
      return {
        ...policyOfStep(dependencies.ofStep, policy ?? noPolicy, asked),
        unreadable: problem === null ? null : failMode,
        isRemoteAsked: remote !== null,
      }
    },
    test: async ({ policy, request }) => trialOf(await candidate(book, policy), request),
    history: () => book.index(),
    rollback: async ({ hash, by, note }) => {
      const kept = await book.kept(hash)
      if (kept === null) {
        throw new SagasmithError('policy_not_found', {
          message: `There is no policy ${hash} among those that are kept.`,
          details: { hash },
        })
      }
      return put(kept, { by: by ?? nobody, note })
    },
    replay: async ({ policy, workflowId, limit }) =>
      replayPolicy(past, await candidate(book, policy), { workflowId, limit }),
  }
}

/** As all share it: a process that only looks has seen nothing of it itself. */
async function remoteView({ breaker, past }: PolicyDeskDependencies): Promise<RemoteKernelView | null> {
  const seen = breaker?.seen() ?? null
  const known = (await loadBreaker(past, 'input').catch(() => null)) ?? seen
  if (known === null) return null
  return {
    breaker: 'input',
    status: known.status,
    failures: known.status === 'closed' ? known.failures : 0,
    openUntil: known.status === 'open' ? known.openedAt + breakerRules.openMs : null,
    here: breaker !== null,
  }
}

function usable(policy: JsonValue): PolicyDocument {
  const read = parsePolicy(policy)
  if (read.ok) return read.value
  throw read.error
}

/** A policy that is given, or the one that counts. */
async function candidate(book: PolicyBook, given: JsonValue): Promise<PolicyDocument> {
  if (given !== null) return usable(given)
  await book.refresh()
  const known = book.known()
  return known.kind === 'policy' ? known.policy : noPolicy
}

function trialOf(policy: PolicyDocument, given: PolicyQuestion): PolicyTrial {
  const said = Object.entries(given).filter(([, value]) => value !== undefined)
  const request: PolicyRequest = { ...anyStep, ...Object.fromEntries(said) }
  const { decision, ruleId, reason, constraints } = evaluatePolicy(policy, request, noCounts)
  const passed: PolicyTrial['passed'][number][] = []
  for (const rule of policy.rules) {
    if (rule.id === ruleId) break
    const isOff = rule.enabled === false
    const why = isOff ? 'disabled' : ruleMatches(rule, request) ? 'within-velocity' : 'no-match'
    passed.push({ ruleId: rule.id, why })
  }
  return { decision, ruleId, reason, constraints, passed }
}

/** What a request is where nobody says otherwise. */
const anyStep: PolicyRequest = {
  at: 'step',
  tenant: 'local',
  workflowId: '',
  runId: '',
  nodeId: null,
  kind: null,
  topic: null,
  pool: 'default',
  role: 'forward',
  tags: [],
  riskTags: [],
  requires: [],
  labels: {},
  secrets: [],
  payloadBytes: null,
}
