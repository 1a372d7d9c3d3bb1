/** The forms of a rule of the safety policy, of the policy around it, and of what it is asked about. */

import type { JsonObject } from '../../../../src-engine/model/json.ts'
import type { PolicyDecision } from '../../../../src-engine/model/policy/policy.ts'
import { policyDecisions } from '../../../../src-engine/model/policy/policy.ts'
import { policyWords } from '../../../text/policy-words.ts'
import { choice, duration, text, words } from '../../inspector/setting-fields.ts'

const { fields, decisions, hints, otherwises } = policyWords

const ofDecision = (...wanted: readonly PolicyDecision[]): JsonObject => ({ decision: [...wanted] })

const number = (title: string, description: string): JsonObject => ({
  type: 'integer',
  title,
  description,
  expressions: false,
})

const match: JsonObject = {
  type: 'object',
  title: fields.matchGroup,
  group: fields.matchGroup,
  description: fields.matchHint,
  properties: {
    at: choice(
      'When',
      {
        '': { title: 'Both' },
        start: { title: 'When a run starts' },
        step: { title: 'Before a step begins' },
      },
      { default: '' },
    ),
    workflows: words('Workflows', 'Their ids; * stands for any characters.'),
    kinds: words('Kinds of tasks', 'Such as shell-command, http-request.'),
    nodes: words('Steps', 'Their ids.'),
    topics: words('Topics', 'A step’s topic, which is its kind unless it names one.'),
    pools: words('Pools', ''),
    tenants: words('Tenants', ''),
    tags: words('Tags', 'One of them is enough.'),
    riskTags: words('Risk tags', 'One of them is enough.'),
    requires: words('Abilities', 'That the step asks of its runner: all of them.'),
    roles: {
      type: 'array',
      widget: 'choices',
      title: 'On the way',
      items: {
        enum: ['forward', 'compensation'],
        choices: { forward: { title: 'Forward' }, compensation: { title: 'While undoing' } },
      },
      expressions: false,
    },
    labels: {
      type: 'object',
      widget: 'key-value',
      title: 'Labels',
      description: 'Each with exactly this value.',
      additionalProperties: { type: 'string' },
      expressions: false,
    },
    labelAllowlist: {
      type: 'object',
      widget: 'key-value',
      title: 'Labels with another value',
      description: 'Applies where a label’s value is none of these, written one, two, three.',
      additionalProperties: { type: 'string' },
      expressions: false,
    },
    labelThreshold: {
      type: 'object',
      widget: 'key-value',
      title: 'Labels above',
      description: 'Applies where a label is a number above this one.',
      additionalProperties: { type: 'string' },
      expressions: false,
    },
    secretsPresent: choice(
      'It is given secrets',
      { '': { title: 'Whether or not' }, yes: { title: 'Yes' }, no: { title: 'No' } },
      { default: '' },
    ),
    secrets: words('Secrets', 'One of these names is enough.'),
    payloadBytesOver: number('Larger than', 'Bytes of a run’s input, or of a step’s parameters.'),
  },
}

const velocity: JsonObject = {
  type: 'object',
  title: fields.velocityGroup,
  group: fields.velocityGroup,
  properties: {
    max: number('More than', 'So many go by; the rule applies to those beyond.'),
    windowMs: duration('… within', 'Any span of this length.'),
    key: text('Counted per', 'tenant, workflow, node, kind, topic or labels.NAME, joined by “:”.'),
  },
}

const constraints: JsonObject = {
  type: 'object',
  title: fields.constraintsGroup,
  group: fields.constraintsGroup,
  when: ofDecision('ALLOW_WITH_CONSTRAINTS', 'REQUIRE_APPROVAL'),
  properties: {
    maxRuntimeMs: duration('Takes no longer than', 'An attempt, or a run.'),
    maxRetries: number('Retries at most', 'After it failed.'),
    maxConcurrent: number('At a time', 'How many that the rule applied to run at once.'),
    hosts: words('Hosts it may reach', '*.example.com for those below one.'),
  },
}

const approval: JsonObject = {
  type: 'object',
  title: fields.approvalGroup,
  group: fields.approvalGroup,
  when: ofDecision('REQUIRE_APPROVAL'),
  properties: {
    message: { ...text('Message', 'What people are told.'), widget: 'multiline' },
    approvers: words('May decide', 'Names; nothing: everybody.'),
    deadlineMs: duration('Until', 'How long somebody may take.'),
    escalateAfterMs: duration('Urgent after', 'When others are told that nobody has answered.'),
  },
}

export const ruleSchema: JsonObject = {
  type: 'object',
  required: ['id'],
  properties: {
    title: text(fields.title, ''),
    decision: choice(
      fields.decision,
      Object.fromEntries(policyDecisions.map((one) => [one, { title: decisions[one], hint: hints[one] }])),
      { default: 'REQUIRE_APPROVAL' },
    ),
    reason: { ...text(fields.reason, ''), widget: 'multiline' },
    enabled: { type: 'boolean', default: true, title: fields.enabled, expressions: false },
    id: text(fields.id, fields.idHint),
    match,
    velocity,
    constraints,
    approval,
  },
}

/** What counts where no rule applies, and for the policy as a whole. */
export const policySchema: JsonObject = {
  type: 'object',
  properties: {
    defaultDecision: choice(
      fields.otherwise,
      { ALLOW: { title: otherwises.ALLOW }, DENY: { title: otherwises.DENY } },
      { default: 'ALLOW', description: fields.otherwiseHint },
    ),
    title: text(fields.policyTitle, fields.policyTitleHint),
    tenantFailModes: {
      type: 'object',
      widget: 'key-value',
      title: fields.failModes,
      description: fields.failModesHint,
      additionalProperties: { type: 'string' },
      expressions: false,
    },
  },
}

const at: JsonObject = choice(
  'When',
  { step: { title: 'Before a step begins' }, start: { title: 'When a run starts' } },
  { default: 'step' },
)
const aboutStep: JsonObject = { at: ['step'] }

/** A made-up request. Fields are those of `PolicyRequest`; what isn’t said is as for any step. */
export const requestSchema: JsonObject = {
  type: 'object',
  properties: {
    at,
    kind: { ...text('Kind of task', 'Such as shell-command, http-request.'), when: aboutStep },
    workflowId: text('Workflow', 'Its id.'),
    tenant: text('Tenant', ''),
    nodeId: { ...text('Step', 'Its id.'), when: aboutStep },
    tags: words('Tags', ''),
    riskTags: words('Risk tags', 'network, code, files, unsafe, secrets, unknown.'),
    labels: {
      type: 'object',
      widget: 'key-value',
      title: 'Labels',
      additionalProperties: { type: 'string' },
      expressions: false,
    },
    secrets: words('Secrets', 'Names of those that it is given.'),
    payloadBytes: number('Bytes', 'Of a run’s input, or of a step’s parameters.'),
  },
}
