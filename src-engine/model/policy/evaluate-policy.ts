/** Asks a policy: the first rule that applies decides. Pure; counts of velocity rules are told by the caller. */

import { matchesAny, matchesGlob } from './glob.ts'
import type {
  PolicyAnswer,
  PolicyConstraints,
  PolicyDecision,
  PolicyDocument,
  PolicyMatch,
  PolicyRequest,
  PolicyRule,
  VelocityPlace,
} from './policy.ts'
import { policyDecisions } from './policy.ts'

/** What is known about velocity rules beside the policy itself. */
export interface VelocityCounts {
  /** Whether this place's count is full for the request. */
  readonly isFull: (place: VelocityPlace) => boolean
}

/** Nobody counts. */
export const noCounts: VelocityCounts = { isFull: () => false }

/** The policy's answer. Never throws: a decision that it doesn't know denies. */
export function evaluatePolicy(
  policy: PolicyDocument,
  request: PolicyRequest,
  counts: VelocityCounts = noCounts,
): PolicyAnswer {
  const velocity: VelocityPlace[] = []
  for (const rule of policy.rules) {
    if (rule.enabled === false || !ruleMatches(rule, request)) continue
    if (rule.velocity !== undefined) {
      const place = placeOf(rule, request)
      if (place === null) continue
      if (!counts.isFull(place)) {
        velocity.push(place)
        continue
      }
    }
    return answerOf(rule, velocity)
  }
  return defaultAnswer(policy, request, velocity)
}

/** Whether the policy can say anything about starts of runs: without a rule about them all go on. */
export const speaksOfStarts = (policy: PolicyDocument): boolean =>
  policy.rules.some(({ enabled, match = {} }) => enabled !== false && !isAboutSteps(match))

/** Whether an answer may depend on how large the payload is. */
export const asksForPayload = (policy: PolicyDocument): boolean =>
  policy.rules.some(({ enabled, match }) => enabled !== false && match?.payloadBytesOver !== undefined)

/** Whether the criteria can only hold for a step. */
function isAboutSteps(match: PolicyMatch): boolean {
  if (match.at === 'step') return true
  const { nodes, kinds, topics, pools, requires, labels, labelAllowlist, labelThreshold } = match
  const ofSteps = [nodes, kinds, topics, pools, requires, labels, labelAllowlist, labelThreshold]
  return ofSteps.some((criterion) => criterion !== undefined)
}

function answerOf(rule: PolicyRule, velocity: readonly VelocityPlace[]): PolicyAnswer {
  const { id, reason, title, constraints = null, approval = null } = rule
  const decision = knownDecision(rule.decision, constraints)
  const said = reason ?? title ?? `The rule “${id}” applies.`
  const isUnknown = !policyDecisions.includes(rule.decision)
  return {
    decision,
    ruleId: id,
    reason: isUnknown ? `The rule “${id}” has an unknown decision.` : said,
    constraints:
      decision === 'ALLOW_WITH_CONSTRAINTS' || decision === 'REQUIRE_APPROVAL' ? constraints : null,
    approval: decision === 'REQUIRE_APPROVAL' ? approval : null,
    velocity,
  }
}

/** An allowance with bounds is one under constraints; what nobody knows denies. */
function knownDecision(given: PolicyDecision, constraints: PolicyConstraints | null): PolicyDecision {
  if (!policyDecisions.includes(given)) return 'DENY'
  return given === 'ALLOW' && constraints !== null ? 'ALLOW_WITH_CONSTRAINTS' : given
}

function defaultAnswer(
  policy: PolicyDocument,
  request: PolicyRequest,
  velocity: readonly VelocityPlace[],
): PolicyAnswer {
  const isAllowed = request.at === 'start' || policy.defaultDecision === 'ALLOW'
  const reason = isAllowed ? 'No rule applies.' : 'No rule allows it, and what no rule allows is denied.'
  const decision = isAllowed ? 'ALLOW' : 'DENY'
  return { decision, ruleId: null, reason, constraints: null, approval: null, velocity }
}

/** Whether all criteria of the rule hold; its velocity aside. */
export function ruleMatches({ match }: PolicyRule, request: PolicyRequest): boolean {
  if (match === undefined) return true
  if (match.at !== undefined && match.at !== request.at) return false
  if (request.at === 'start' && isAboutSteps(match)) return false
  if (match.roles !== undefined && !match.roles.includes(request.role)) return false
  return (
    isNamed(match.tenants, request.tenant) &&
    isNamed(match.workflows, request.workflowId) &&
    isNamed(match.nodes, request.nodeId) &&
    isNamed(match.kinds, request.kind) &&
    isNamed(match.topics, request.topic) &&
    isNamed(match.pools, request.pool) &&
    hasOneOf(match.tags, request.tags) &&
    hasOneOf(match.riskTags, request.riskTags) &&
    hasAll(match.requires, request.requires) &&
    secretsMatch(match, request) &&
    labelsMatch(match, request) &&
    (match.payloadBytesOver === undefined || (request.payloadBytes ?? 0) > match.payloadBytesOver)
  )
}

const isNamed = (patterns: readonly string[] | undefined, text: string | null): boolean =>
  patterns === undefined || (text !== null && matchesAny(patterns, text))

const hasOneOf = (patterns: readonly string[] | undefined, texts: readonly string[]): boolean =>
  patterns === undefined || texts.some((text) => matchesAny(patterns, text))

const hasAll = (patterns: readonly string[] | undefined, texts: readonly string[]): boolean =>
  patterns === undefined || patterns.every((pattern) => texts.some((text) => matchesGlob(pattern, text)))

function secretsMatch({ secretsPresent, secrets }: PolicyMatch, request: PolicyRequest): boolean {
  if (secretsPresent !== undefined && secretsPresent !== request.secrets.length > 0) return false
  return hasOneOf(secrets, request.secrets)
}

function labelsMatch(
  { labels, labelAllowlist, labelThreshold }: PolicyMatch,
  request: PolicyRequest,
): boolean {
  const valueOf = (name: string): string | null =>
    Object.hasOwn(request.labels, name) ? (request.labels[name] ?? null) : null
  const isExact = Object.entries(labels ?? {}).every(([name, wanted]) => isSame(valueOf(name), wanted))
  if (!isExact) return false
  if (labelAllowlist !== undefined) {
    const isOutside = Object.entries(labelAllowlist).some(([name, listed]) => {
      const value = valueOf(name)
      return value !== null && !matchesAny(listed, value)
    })
    if (!isOutside) return false
  }
  if (labelThreshold === undefined) return true
  return Object.entries(labelThreshold).some(([name, max]) => {
    const value = valueOf(name)
    return value !== null && value.trim() !== '' && Number(value) > max
  })
}

const isSame = (value: string | null, wanted: string): boolean =>
  value !== null && value.toLowerCase() === wanted.toLowerCase()

/** The place of a velocity rule that the request would take; null where a part of its key is missing. */
function placeOf({ id, velocity }: PolicyRule, request: PolicyRequest): VelocityPlace | null {
  if (velocity === undefined) return null
  const parts = velocityParts(velocity.key).map((name) => velocityPart(name, request))
  if (parts.some((part) => part === null)) return null
  const key = JSON.stringify([id, request.at, ...parts])
  return { key, max: velocity.max, windowMs: velocity.windowMs }
}

const wordsOfKey: ReadonlySet<string> = new Set(['tenant', 'workflow', 'node', 'kind', 'topic'])

/** The parts of a velocity key. */
export const velocityParts = (key: string): readonly string[] => key.split(':').map((part) => part.trim())

/** Whether a part of a velocity key means something. */
export const isVelocityPart = (part: string): boolean =>
  wordsOfKey.has(part) || (part.startsWith('labels.') && part.length > 'labels.'.length)

function velocityPart(name: string, request: PolicyRequest): string | null {
  if (name === 'tenant') return request.tenant
  if (name === 'workflow') return request.workflowId
  if (name === 'node') return request.nodeId
  if (name === 'kind') return request.kind
  if (name === 'topic') return request.topic
  if (!name.startsWith('labels.')) return null
  const label = name.slice('labels.'.length)
  return Object.hasOwn(request.labels, label) ? (request.labels[label] ?? null) : null
}
