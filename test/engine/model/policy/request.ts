/** Requests and policies of which a test only says what matters to it. */

import type { PolicyDocument, PolicyRequest, PolicyRule } from '../../../../src-engine/model/policy/policy.ts'
import { policyFormat, policySchemaVersion } from '../../../../src-engine/model/policy/policy.ts'

export const stepRequest = (given: Partial<PolicyRequest> = {}): PolicyRequest => ({
  at: 'step',
  tenant: 'local',
  workflowId: 'orders',
  runId: 'run_1',
  nodeId: 'charge',
  kind: 'http-request',
  topic: 'http-request',
  pool: 'default',
  role: 'forward',
  tags: [],
  riskTags: [],
  requires: [],
  labels: {},
  secrets: [],
  payloadBytes: null,
  ...given,
})

export const startRequest = (given: Partial<PolicyRequest> = {}): PolicyRequest =>
  stepRequest({ at: 'start', nodeId: null, kind: null, topic: null, pool: null, ...given })

export const policyOf = (
  rules: readonly PolicyRule[],
  given: Partial<PolicyDocument> = {},
): PolicyDocument => ({
  format: policyFormat,
  schemaVersion: policySchemaVersion,
  defaultDecision: 'ALLOW',
  rules,
  ...given,
})
