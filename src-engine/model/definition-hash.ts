/**
 * The hash of what a workflow means. Layout, notes, titles, triggers, mocks and presets don't change what a run does,
 * and a field that equals its default is the same as none. Fields this version doesn't know count: they may
 * mean something to the one that wrote them. The workflow's id and the ids of nodes and edges count: runs,
 * expressions and recorded states name them.
 */

import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import type { DefinitionHash } from './ids.ts'
import { definitionHash } from './ids.ts'
import type { JsonObject, JsonValue } from './json.ts'
import { canonicalJson, isJsonObject } from './json.ts'
import { attemptTimeoutMsDefault } from './limits.ts'
import { inputJsonSchema, schemaCursor } from './schema-walk.ts'
import type { TaskSpec } from './task-spec.ts'
import type { NormalShape } from './without-defaults.ts'
import { mapObject, normalForm, withoutSchemaDefaults } from './without-defaults.ts'
import type { WorkflowDocument } from './workflow.ts'

/** Specs by task kind, as the caller has them. */
export type TaskSpecs = ReadonlyMap<string, TaskSpec>

/** Grows when the normal form changes, so that hashes of different forms never look alike. */
const hashVersion = 'w1'

const retry: NormalShape = {
  defaults: {
    maxAttempts: 1,
    backoff: 'exponential',
    delayMs: 1_000,
    factor: 2,
    maxDelayMs: 60_000,
    jitter: 0.2,
    retryIf: '',
  },
  // No codes at all is a policy of its own: nothing is tried again.
  strictSets: ['retryOn'],
  sets: ['neverOn'],
}

/** What it doesn't say is the undoing node's to say, so nothing is a default. */
const undoRetry: NormalShape = { strictSets: ['retryOn'] }

const timeout: NormalShape = { defaults: { attemptMs: attemptTimeoutMsDefault } }

// A node without a priority has its run's, so none of its own is a default.
const node: NormalShape = {
  dropped: ['title', 'note', 'color', 'mocks'],
  defaults: {
    onError: 'fail',
    fallbackOutput: null,
    pool: 'default',
    skipIf: '',
    onSkip: 'skip',
    stopAfterIf: '',
    stopAs: 'succeeded',
    keepOutput: 'full',
    disabled: false,
    bypassed: false,
  },
  sets: ['tags', 'redact'],
  nested: {
    parameters: {},
    retry,
    timeout,
    join: { defaults: { mode: 'all', count: 1, cancelLosers: false } },
    compensation: { nested: { retry: undoRetry, timeout: {}, route: { sets: ['requires'] } } },
    // What happens when it is full is the engine's to say, so no value of the node's is a default.
    concurrency: {
      defaults: {
        registration: 'DISABLED',
        running: 'DISABLED',
        limit: 1,
        delayMs: 0,
        onFinal: 'fail',
        onDifferentNonKeyArguments: 'reuse',
      },
      sets: ['keys'],
    },
    route: { sets: ['requires'] },
    cache: { defaults: { key: '' } },
  },
}

const document: NormalShape = {
  dropped: [
    '$schema',
    'format',
    'schemaVersion',
    'title',
    'description',
    'triggers',
    'mockSets',
    'presets',
    'notes',
    'frames',
    'layout',
  ],
  nested: {
    input: {},
    variables: {},
    settings: {
      defaults: { priority: 'NORMAL', onFailure: 'stop', output: '' },
      nested: { concurrency: { defaults: { onFull: 'queue' } } },
      strictSets: ['rollbackOn'],
    },
    capabilities: { sets: ['hosts', 'paths', 'commands', 'secrets', 'databases'] },
  },
  records: {
    nodes: node,
    edges: { dropped: ['label'] },
    sagaScopes: { dropped: ['title'], defaults: { order: 'reverse', onFailure: 'ask' }, sets: ['nodes'] },
  },
}

/**
 * The document in its normal form: what is hashed. With the spec of a kind its default parameters and side
 * effect are known; without it the raw ones count.
 */
export function normalDocument(workflow: WorkflowDocument, specsByKind: TaskSpecs): JsonObject {
  // A document is JSON; its type has no index signature.
  const json = workflow as unknown as JsonObject
  const nodes = mapObject(json['nodes'] as JsonObject, (raw) => withoutKindDefaults(raw, specsByKind))
  return normalForm({ ...json, nodes }, document)
}

/** The hash of what the document means: `w1_` and 64 hex digits. */
export function definitionHashOf(
  workflow: WorkflowDocument,
  specsByKind: TaskSpecs = new Map(),
): DefinitionHash {
  const text = canonicalJson(normalDocument(workflow, specsByKind))
  return definitionHash(`${hashVersion}_${bytesToHex(sha256(utf8ToBytes(text)))}`)
}

function withoutKindDefaults(raw: JsonValue, specsByKind: TaskSpecs): JsonValue {
  if (!isJsonObject(raw) || !speaksOfItsKind(raw)) return raw
  const kind = raw['kind']
  const spec = typeof kind === 'string' ? specsByKind.get(kind) : undefined
  const changed: Record<string, JsonValue> = {}
  for (const [key, item] of Object.entries(raw)) {
    if (key === 'sideEffect' && item === spec?.sideEffect) continue
    changed[key] = key === 'parameters' ? normalParameters(item, spec) : item
  }
  const undo = changed['compensation']
  if (isJsonObject(undo) && isJsonObject(undo['task'])) {
    changed['compensation'] = { ...undo, task: normalTask(undo['task'], specsByKind) }
  }
  return changed
}

/** Whether it has a field that may say what is usual for its kind. */
const speaksOfItsKind = (raw: JsonObject): boolean =>
  raw['sideEffect'] !== undefined || raw['parameters'] !== undefined || raw['compensation'] !== undefined

function normalTask(task: JsonObject, specsByKind: TaskSpecs): JsonObject {
  const kind = task['kind']
  const spec = typeof kind === 'string' ? specsByKind.get(kind) : undefined
  return { ...task, parameters: normalParameters(task['parameters'] ?? {}, spec) }
}

function normalParameters(raw: JsonValue, spec: TaskSpec | undefined): JsonValue {
  if (spec === undefined) return raw
  return withoutSchemaDefaults(raw, [schemaCursor(inputJsonSchema(spec.parameters))])
}
