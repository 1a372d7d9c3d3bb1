/** The schema of every method's input: what the engine accepts from outside. */

import { z } from 'zod'
import { blobHash, definitionHash, invocationId, nodeId, runId, workflowId } from '../model/ids.ts'
import type { JsonObject, JsonValue } from '../model/json.ts'
import { isJsonObject } from '../model/json.ts'
import {
  callerIdCharsMax,
  checkedExpressionsMax,
  expressionBytesMax,
  inlinePayloadBytesMax,
  pageSizeMax,
  secretBytesMax,
} from '../model/limits.ts'
import { poolStatuses } from '../model/pools.ts'
import { runStatuses } from '../model/run-status.ts'
import { keyProviders, secretKinds } from '../model/secret.ts'
import {
  definitionHashPattern,
  definitionSignature,
  keyNamePattern,
  publicKeyPattern,
} from '../model/trust.ts'
import type { InputOf, Method } from './api.ts'
import { approvalSchemas } from './approval-schemas.ts'
import { auditSchemas } from './audit-schemas.ts'
import { clusterColours } from './clusters.ts'
import { crashSchemas } from './crash.ts'
import { customTaskSchemas } from './custom-tasks.ts'
import { breakpointList, debuggingSchemas } from './debugging.ts'
import { documentTrustSchemas } from './document-trust.ts'
import { documentSchemas } from './documents.ts'
import { outputSchemas } from './output-schemas.ts'
import { pictureSchemas } from './pictures.ts'
import { policySchemas } from './policy-schemas.ts'
import { bulkActions, controlActions } from './run-control.ts'
import { runBeginnings } from './run-search.ts'
import { sagaSchemas } from './saga-schemas.ts'
import { triggerSchemas } from './trigger-schemas.ts'
import { trustDecisions } from './trust.ts'
import { watchingSchemas } from './watching.ts'
import { webhookSchemas } from './webhook-schemas.ts'
import { workflowTestSchemas } from './workflow-tests.ts'

/** Longer than any path or id that a system gives out. */
const textMax = 4_096

const name = z.string().min(1).max(textMax)
const tenantName = z.string().regex(/^[A-Za-z0-9_.@-]{1,128}$/)
const runSearch = {
  since: z.number().nullable().optional(),
  until: z.number().nullable().optional(),
  origin: z.enum(runBeginnings).nullable().optional(),
  tenant: tenantName.nullable().optional(),
  error: name.nullable().optional(),
  failedAt: name.nullable().optional(),
  waitsFor: name.nullable().optional(),
  text: name.nullable().optional(),
}
/** Ids that callers make up become part of ours. */
const callerId = z
  .string()
  .min(1)
  .max(callerIdCharsMax)
  .regex(/^\P{Cc}+$/u, 'Has control characters')
// Values come out of a JSON parser, so they are JSON already; walking megabytes again would prove nothing.
const json = z.custom<JsonValue>((value) => value !== undefined, 'Required')
const object = z.custom<JsonObject>(isJsonObject, 'Expected an object')
const nothing: z.ZodType<Record<string, never>> = z.object({}).transform(() => ({}))

const run = name.transform(runId)
const invocation = name.transform(invocationId)
const hash = name.transform(definitionHash)

/** One that becomes part of a list, and not only a question. */
const knownHash = z.string().regex(definitionHashPattern).transform(definitionHash)
const keyName = z.string().regex(keyNamePattern)

/** Part of keys, and of lists for people. */
const tenantLimit = z.union([z.int().min(1), z.literal('settings')]).nullable()

/** Where a secret may go; null is everywhere. */
const bound = z.array(name).max(pageSizeMax).nullable()

const otherInput = z.object({ value: json }).nullable()

const decision = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('run-again') }),
  z.object({ kind: z.literal('take-as-done'), output: json }),
  z.object({ kind: z.literal('fail') }),
])

const payload = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('inline'), json: z.string().max(inlinePayloadBytesMax) }),
  z.object({
    kind: z.literal('blob'),
    hash: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .transform(blobHash),
    bytes: z.number().int().nonnegative(),
    fleeting: z.object({ summary: z.string().max(textMax).nullable() }).exactOptional(),
  }),
  // Asked for by who was shown that it is sealed, perhaps before the key came.
  z
    .object({ kind: z.literal('sealed'), token: z.string().max(2 * inlinePayloadBytesMax) })
    .transform(({ kind, token }) => ({ kind, token, blob: null })),
])

const sealFile = z.object({ path: name, passphrase: z.string().min(1).max(textMax).nullable() })

const teleportResume = z.object({
  runId: run,
  cluster: name.nullable(),
  document: object.nullable(),
  nodeId: name.transform(nodeId).nullable(),
  by: name.nullable(),
  reason: z.string().max(textMax).nullable(),
})

const teleportHere = teleportResume.omit({ cluster: true }).extend({ there: z.enum(['leave', 'cancel']) })

type InputSchemas = { readonly [M in Method]: z.ZodType<InputOf<M>> }

/** Method → schema of its input. */
export const inputSchemas = {
  'engine.info': nothing,
  'settings.list': nothing,
  'workflows.validate': z.object({ document: object }),
  'workflows.version': z.object({ hash }),
  'workflows.preview': z.object({ document: object, baseDirectory: name.nullable() }),
  'workflows.publish': z.object({ document: object, baseDirectory: name.nullable() }),
  'workflows.sign': z.object({ hash, signature: definitionSignature }),
  'workflows.versions': z.object({
    workflowId: name.transform(workflowId),
    limit: z.int().min(1).max(pageSizeMax),
  }),
  'runs.start': z.object({
    document: object,
    input: json,
    baseDirectory: name.nullable(),
    requestId: callerId.nullable(),
    tenant: tenantName.optional(),
    by: name.optional(),
    breakpoints: breakpointList.optional(),
  }),
  ...debuggingSchemas,
  ...crashSchemas,
  'runs.cancel': z.object({ runId: run }),
  'runs.control': z.object({
    runIds: z.array(run).min(1).max(pageSizeMax),
    action: z.enum(controlActions),
    nodeId: name.transform(nodeId).nullable(),
    by: name.nullable(),
    reason: z.string().max(textMax).nullable(),
    wait: z.boolean(),
  }),
  'signals.send': z.object({
    runId: run,
    name: name,
    correlation: name.nullable(),
    payload: json,
    messageId: callerId.nullable(),
  }),
  'events.emit': z.object({
    name: name,
    correlation: name.nullable(),
    payload: json,
    messageId: callerId.nullable(),
    runId: run.nullable(),
  }),
  'runs.rerun': z.object({
    runId: run,
    document: object.nullable(),
    otherVersion: z.boolean(),
    input: otherInput,
    requestId: callerId.nullable(),
    by: name.nullable(),
    reason: z.string().max(textMax).nullable(),
  }),
  'runs.retry': z.object({
    runId: run,
    nodeId: name.transform(nodeId).nullable(),
    input: otherInput,
    version: z.enum(['same', 'newest']),
    document: object.nullable(),
    by: name.nullable(),
    reason: z.string().max(textMax).nullable(),
    ifVersion: z.int().min(1).optional(),
  }),
  'runs.bulk': z.object({
    action: z.enum(bulkActions),
    filter: z.object({
      workflowId: name.transform(workflowId).nullable(),
      statuses: z.array(z.enum(runStatuses)).max(runStatuses.length).nullable(),
      ...runSearch,
    }),
    dryRun: z.boolean(),
    version: z.enum(['same', 'newest']),
    requestId: callerId.nullish(),
    by: name.nullable(),
    reason: z.string().max(textMax).nullable(),
    after: run.nullable(),
    limit: z.number().int().min(1).max(pageSizeMax),
  }),
  'deadLetters.list': z.object({
    reason: name.nullable(),
    workflowId: name.transform(workflowId).nullable(),
    runId: run.nullable(),
    after: name.nullable(),
    limit: z.number().int().min(1).max(pageSizeMax),
  }),
  'deadLetters.get': z.object({ id: name }),
  'deadLetters.replay': z.object({ id: name, input: otherInput, by: name.nullable() }),
  'deadLetters.discard': z.object({ id: name, by: name.nullable() }),
  ...outputSchemas,
  'store.prune': nothing,
  'runs.list': z.object({
    statuses: z.array(z.enum(runStatuses)).max(runStatuses.length).nullable(),
    workflowId: name.transform(workflowId).nullable(),
    includeCore: z.boolean().optional(),
    ...runSearch,
    after: run.nullable(),
    limit: z.number().int().min(1).max(pageSizeMax),
  }),
  ...watchingSchemas,
  'runs.counts': z.object({ workflowId: name.transform(workflowId).nullable() }),
  'runs.get': z.object({ runId: run }),
  'runs.family': z.object({
    runId: run,
    after: invocation.nullable(),
    limit: z.int().min(1).max(pageSizeMax),
  }),
  'runs.stateAt': z.object({ runId: run, seq: z.number().int().nonnegative() }),
  'runs.why': z.object({ runId: run, nodeId: name.transform(nodeId).nullable() }),
  'runs.attempts': z.object({ runId: run, invocationId: invocation.nullable() }),
  'invocations.resolve': z.object({
    runId: run,
    invocationId: invocation,
    decision,
    by: name.optional(),
  }),
  ...approvalSchemas,
  ...auditSchemas,
  ...sagaSchemas,
  ...triggerSchemas,
  ...webhookSchemas,
  'circuits.list': z.object({ workflowId: name.nullable() }),
  'circuits.reset': z.object({ id: z.string().min(1).max(2_000) }),
  'pools.list': nothing,
  'pools.set': z
    .object({
      name,
      status: z.enum(poolStatuses),
      limit: z.int().min(1).nullable(),
      topics: z.array(name).max(pageSizeMax),
    })
    .partial({ status: true, limit: true, topics: true }),
  ...documentSchemas,
  ...documentTrustSchemas,
  ...pictureSchemas,
  ...customTaskSchemas,
  ...workflowTestSchemas,
  ...policySchemas,
  'tenants.list': nothing,
  'tenants.set': z
    .object({ name: tenantName, runs: tenantLimit, jobs: tenantLimit })
    .partial({ runs: true, jobs: true }),
  'atomicService.status': z.object({ limit: z.int().min(0).max(pageSizeMax) }),
  'runners.list': nothing,
  'results.get': z.object({
    runId: run,
    nodeId: name.transform(nodeId).nullable(),
    path: z.string().max(textMax),
  }),
  'payloads.get': z.object({ payload }),
  'expressions.preview': z.object({
    document: object,
    nodeId: name.transform(nodeId),
    text: z.string().max(expressionBytesMax),
    mode: z.enum(['expression', 'template']),
    runId: run.nullable(),
    path: z.string().max(textMax).optional(),
    mocks: name.nullable().optional(),
    sees: z.enum(['output', 'error']).nullable().optional(),
  }),
  'expressions.check': z.object({
    expressions: z.array(z.string().max(expressionBytesMax)).max(checkedExpressionsMax),
  }),
  'rehearsal.run': z.object({
    document: object,
    input: json,
    mocks: name.nullable(),
    baseDirectory: name.nullable(),
  }),
  'seal.state': nothing,
  'seal.keys': nothing,
  'seal.begin': nothing,
  'seal.rotate': z.object({ prepare: z.boolean() }),
  'seal.export': sealFile,
  'seal.import': sealFile,
  'seal.remove': z.object({ key: name }),
  'secrets.list': nothing,
  'secrets.users': nothing,
  'secrets.set': z
    .object({
      name,
      value: z.string().max(secretBytesMax),
      kind: z.enum(secretKinds),
      note: z.string().max(textMax),
      hosts: bound,
      kinds: bound,
      nodes: bound,
    })
    .partial({ value: true, kind: true, note: true, hosts: true, kinds: true, nodes: true }),
  'secrets.rename': z.object({ from: name, to: name }),
  'secrets.remove': z.object({ name }),
  'secrets.check': nothing,
  'secrets.protect': z.object({
    provider: z.enum(keyProviders),
    passphrase: z.string().min(1).max(textMax).nullable(),
  }),
  'secrets.unlock': z.object({ passphrase: z.string().min(1).max(textMax) }),
  'clusters.list': nothing,
  'clusters.put': z.object({
    name,
    address: name,
    colour: z.enum(clusterColours),
    readOnly: z.boolean(),
  }),
  'clusters.remove': z.object({ name }),
  'clusters.check': z.object({ cluster: name }),
  'teleport.pull': z.object({ cluster: name, runId: run, family: z.boolean() }),
  'teleport.progress': z.object({ runId: run }),
  'teleport.list': nothing,
  'teleport.save': z.object({
    runId: run,
    cluster: name.nullable(),
    family: z.boolean(),
    at: z.int().min(0).nullable(),
  }),
  'teleport.open': z.object({ name, base64: z.base64() }),
  'teleport.drop': z.object({ runId: run }),
  'teleport.replay': z.object({
    runId: run,
    document: object.nullable(),
    nodeId: name.transform(nodeId).nullable(),
    mocks: name.nullable(),
  }),
  'teleport.preview': teleportResume,
  'teleport.resume': teleportResume,
  'teleport.previewHere': teleportHere,
  'teleport.here': teleportHere,
  'trust.definition': z.object({ hash }),
  'trust.list': nothing,
  'trust.decide': z.object({
    hashes: z.array(knownHash).min(1).max(pageSizeMax),
    decision: z.enum(trustDecisions),
  }),
  'trust.sign': z.object({ hashes: z.array(knownHash).min(1).max(pageSizeMax), key: keyName }),
  'trust.createKey': z.object({ name: keyName }),
  'trust.setKey': z.object({ name: keyName, key: z.string().regex(publicKeyPattern).nullable() }),
  'library.list': nothing,
  'library.read': z.object({ path: name }),
  'library.save': z.object({ path: name, document: object, etag: name.nullable() }),
  'samples.list': nothing,
  'samples.open': z.object({ name: z.string().regex(/^[a-z0-9][a-z0-9-]{0,99}$/) }),
  'drafts.list': nothing,
} satisfies InputSchemas

/** Whether the engine has a method of that name. */
export const isMethod = (text: string): text is Method => Object.hasOwn(inputSchemas, text)
