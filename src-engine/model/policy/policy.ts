/**
 * The safety policy: ordered rules that decide whether a run may start and a step may be dispatched. Data
 * only; `policy-schema.ts` reads what people wrote, `evaluate-policy.ts` asks it.
 */

import type { JsonValue } from '../json.ts'
import type { Millis } from '../time.ts'

export const policyFormat = 'sagasmith.policy'
export const policySchemaVersion = 1

/** What a policy may answer, from the mildest to the strictest. */
export const policyDecisions = [
  'ALLOW',
  'ALLOW_WITH_CONSTRAINTS',
  'REQUIRE_APPROVAL',
  'THROTTLE',
  'DENY',
] as const

export type PolicyDecision = (typeof policyDecisions)[number]

/** How strict an answer is: a larger number is stricter. */
export const severityOf = (decision: PolicyDecision): number => policyDecisions.indexOf(decision)

/** Whether what is asked about may go on now. */
export const letsGo = (decision: PolicyDecision): boolean =>
  decision === 'ALLOW' || decision === 'ALLOW_WITH_CONSTRAINTS'

/** When a rule is asked: as a run starts, or before a step is dispatched. */
export type PolicyPoint = 'start' | 'step'

/**
 * What a request must be for the rule to apply: all that is given must hold, and nothing given holds always.
 * Texts are compared without case; `*` in them stands for any characters. A criterion about a step never holds
 * for the start of a run.
 */
export interface PolicyMatch {
  /** Both when absent. */
  readonly at?: PolicyPoint
  readonly tenants?: readonly string[]
  /** By id. */
  readonly workflows?: readonly string[]
  readonly nodes?: readonly string[]
  readonly kinds?: readonly string[]
  /** A node's topic, which is its kind unless it names one. */
  readonly topics?: readonly string[]
  readonly pools?: readonly string[]
  readonly roles?: readonly PolicyRole[]
  /** One of them is enough. */
  readonly tags?: readonly string[]
  /** One of them is enough. */
  readonly riskTags?: readonly string[]
  /** Abilities that the step asks of its runner: all of them. */
  readonly requires?: readonly string[]
  /** Each label has exactly this value. */
  readonly labels?: Readonly<Record<string, string>>
  /** Holds where one of these labels has a value that isn't listed; a label that is missing is passed over. */
  readonly labelAllowlist?: Readonly<Record<string, readonly string[]>>
  /** Holds where one of these labels is a number above this one. */
  readonly labelThreshold?: Readonly<Record<string, number>>
  readonly secretsPresent?: boolean
  /** Names of secrets that the step is given: one of them is enough. */
  readonly secrets?: readonly string[]
  /** Holds where the payload has more bytes: a run's input, or a step's parameters as they were resolved. */
  readonly payloadBytesOver?: number
}

export type PolicyRole = 'forward' | 'compensation'

/** The rule applies only to what goes beyond `max` within the window; runs and steps count apart. */
export interface PolicyVelocity {
  readonly max: number
  readonly windowMs: Millis
  /**
   * What counts together: `tenant`, `workflow`, `node`, `kind`, `topic`, `labels.NAME`, several of them joined
   * by `:`. A request that lacks one of them is passed over.
   */
  readonly key: string
}

/** Bounds under which something may go on. */
export interface PolicyConstraints {
  /** An attempt, or a run, takes no longer. */
  readonly maxRuntimeMs?: Millis
  /** How often a step is tried again after it failed. */
  readonly maxRetries?: number
  /** How many that the rule applied to run at once, by tenant. */
  readonly maxConcurrent?: number
  /** Hosts that the step may reach over HTTP; `*.example.com` for those below one. */
  readonly hosts?: readonly string[]
}

/** What an approval that a rule asks for is to be like; the defaults are those of approvals. */
export interface PolicyApproval {
  readonly message?: string
  readonly approvers?: readonly string[]
  /** How long somebody may take to answer. */
  readonly deadlineMs?: Millis
  /** When to tell others that nobody has answered. */
  readonly escalateAfterMs?: Millis
}

export interface PolicyRule {
  /** Unique within the policy. */
  readonly id: string
  readonly title?: string
  /** Default true. */
  readonly enabled?: boolean
  /** Everything when absent. */
  readonly match?: PolicyMatch
  readonly velocity?: PolicyVelocity
  readonly decision: PolicyDecision
  /** For people: why. */
  readonly reason?: string
  readonly constraints?: PolicyConstraints
  readonly approval?: PolicyApproval
}

/** What becomes of work while nobody can say whether it may go on. */
export type PolicyFailMode = 'closed' | 'open'

export interface PolicyDocument {
  readonly format: typeof policyFormat
  readonly schemaVersion: typeof policySchemaVersion
  readonly title?: string
  /** For a step that no rule applies to; anything but `ALLOW` denies. A start that none applies to goes on. */
  readonly defaultDecision: 'ALLOW' | 'DENY'
  /** The first one that applies decides. */
  readonly rules: readonly PolicyRule[]
  /** By tenant, where one differs from what the settings say. */
  readonly tenantFailModes?: Readonly<Record<string, PolicyFailMode>>
}

/** Without a policy everything goes on. */
export const noPolicy: PolicyDocument = {
  format: policyFormat,
  schemaVersion: policySchemaVersion,
  defaultDecision: 'ALLOW',
  rules: [],
}

/** What a policy is asked about. */
export interface PolicyRequest {
  readonly at: PolicyPoint
  readonly tenant: string
  readonly workflowId: string
  readonly runId: string
  /** Null for the start of a run, as all that is about a step. */
  readonly nodeId: string | null
  readonly kind: string | null
  readonly topic: string | null
  readonly pool: string | null
  readonly role: PolicyRole
  readonly tags: readonly string[]
  readonly riskTags: readonly string[]
  readonly requires: readonly string[]
  readonly labels: Readonly<Record<string, string>>
  /** Names of the secrets that it is given. */
  readonly secrets: readonly string[]
  /** Null while it isn't known. */
  readonly payloadBytes: number | null
}

/** A velocity rule that was passed because it had room: what goes on takes a place of it. */
export interface VelocityPlace {
  readonly key: string
  readonly max: number
  readonly windowMs: Millis
}

/** What a policy says about a request. */
export interface PolicyAnswer {
  readonly decision: PolicyDecision
  /** Null for the default, or where no rule was asked. */
  readonly ruleId: string | null
  readonly reason: string
  /** Null for none. */
  readonly constraints: PolicyConstraints | null
  /** Null unless an approval is asked for and its rule says something about it. */
  readonly approval: PolicyApproval | null
  readonly velocity: readonly VelocityPlace[]
}

/** The policy as JSON; its shape is one already, interfaces just have no index signature. */
export const policyJson = (policy: PolicyDocument): JsonValue => policy as unknown as JsonValue
