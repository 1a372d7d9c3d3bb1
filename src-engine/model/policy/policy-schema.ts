/**
 * The form of a policy file. Unlike a workflow's it is strict at every level: a criterion that nobody knows
 * would make a rule apply to everything.
 */

import { z } from 'zod'
import { timerAheadMsMax } from '../limits.ts'
import { isVelocityPart, velocityParts } from './evaluate-policy.ts'
import { policyDecisions, policyFormat, policySchemaVersion } from './policy.ts'

/** Rules of a policy: more than people can keep in mind. */
const policyRulesMax = 500

const patternCharsMax = 256
const patternsMax = 200

const pattern = z.string().min(1).max(patternCharsMax)
const patterns = z.array(pattern).min(1).max(patternsMax)
const labelName = z.string().min(1).max(patternCharsMax)
const span = z.int().min(1).max(timerAheadMsMax)

const hasAny = (value: object): boolean => Object.keys(value).length > 0

const match = z
  .strictObject({
    at: z.enum(['start', 'step']),
    tenants: patterns,
    workflows: patterns,
    nodes: patterns,
    kinds: patterns,
    topics: patterns,
    pools: patterns,
    roles: z.array(z.enum(['forward', 'compensation'])).min(1),
    tags: patterns,
    riskTags: patterns,
    requires: patterns,
    labels: z.record(labelName, z.string()).refine(hasAny, 'needs at least one label'),
    labelAllowlist: z
      .record(labelName, z.array(pattern).max(patternsMax))
      .refine(hasAny, 'needs at least one label'),
    labelThreshold: z.record(labelName, z.number()).refine(hasAny, 'needs at least one label'),
    secretsPresent: z.boolean(),
    secrets: patterns,
    payloadBytesOver: z.int().min(0),
  })
  .partial()

const velocity = z.strictObject({
  max: z.int().min(1).max(1_000_000),
  windowMs: span,
  key: z
    .string()
    .refine(
      (key) => velocityParts(key).every(isVelocityPart),
      'must be made of tenant, workflow, node, kind, topic and labels.NAME, joined by “:”',
    ),
})

const constraints = z
  .strictObject({
    maxRuntimeMs: span,
    maxRetries: z.int().min(0).max(100),
    maxConcurrent: z.int().min(1),
    hosts: z.array(pattern).max(patternsMax),
  })
  .partial()
  .refine(hasAny, 'needs at least one bound')

const approval = z
  .strictObject({
    message: z.string().min(1).max(2_000),
    approvers: z.array(z.string().min(1)).min(1).max(patternsMax),
    deadlineMs: span,
    escalateAfterMs: span,
  })
  .partial()

const rule = z
  .strictObject({
    id: z
      .string()
      .regex(/^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$/, 'must be up to 128 letters, digits, _ . and -'),
    title: z.string().max(200).optional(),
    enabled: z.boolean().optional(),
    match: match.optional(),
    velocity: velocity.optional(),
    decision: z.enum(policyDecisions),
    reason: z.string().max(2_000).optional(),
    constraints: constraints.optional(),
    approval: approval.optional(),
  })
  .superRefine((given, context) => {
    const issue = (path: string, message: string): void => {
      context.addIssue({ code: 'custom', path: [path], message })
    }
    const { decision } = given
    if (decision === 'ALLOW_WITH_CONSTRAINTS' && given.constraints === undefined)
      issue('constraints', 'is missing: ALLOW_WITH_CONSTRAINTS needs them')
    if (given.constraints !== undefined && (decision === 'DENY' || decision === 'THROTTLE'))
      issue('constraints', `mean nothing with ${decision}`)
    if (given.approval !== undefined && decision !== 'REQUIRE_APPROVAL')
      issue('approval', `means nothing with ${decision}`)
    if (given.match?.at !== 'start') return
    for (const name of ['maxRetries', 'hosts'] as const) {
      if (given.constraints?.[name] !== undefined)
        issue('constraints', `“${name}” bounds steps, and the rule is about starts`)
    }
  })

/** Reads what a person wrote; gives the policy as it is written. */
export const policySchema = z
  .strictObject({
    $schema: z.string().optional(),
    format: z.literal(policyFormat),
    schemaVersion: z.literal(policySchemaVersion),
    title: z.string().max(200).optional(),
    defaultDecision: z.enum(['ALLOW', 'DENY']),
    rules: z.array(rule).max(policyRulesMax),
    tenantFailModes: z.record(z.string().min(1), z.enum(['closed', 'open'])).optional(),
  })
  .superRefine(({ rules }, context) => {
    const known = new Set<string>()
    for (const [index, { id }] of rules.entries()) {
      if (known.has(id))
        context.addIssue({
          code: 'custom',
          path: ['rules', index, 'id'],
          message: `“${id}” names an earlier rule already`,
        })
      known.add(id)
    }
  })
