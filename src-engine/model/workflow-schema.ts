/**
 * The form of a workflow document. Objects are loose at every level: what a newer version or a plug-in wrote
 * is kept. Bounds come from `limits.ts`; meaning (ports, cycles, kinds) is checked by `validate-workflow.ts`.
 */

import { z } from 'zod'
import {
  cacheTtlMsMax,
  redactPathsMax,
  retriesMax,
  tagCharsMax,
  tagsMax,
  taskVersionCharsMax,
  timerAheadMsMax,
} from './limits.ts'
import { documentFormat, documentSchemaVersion } from './workflow.ts'

/** Also the names by which expressions read nodes; `/`, `@`, `#` and `~` would clash with invocation ids. */
const idPattern = /^[A-Za-z0-9_][A-Za-z0-9_-]{0,127}$/

/** `constructor` and its like are found on every object, also where no such node is. */
const isReserved = (id: string): boolean => id in Object.prototype

/** Whether a text may be the id of something in a document. */
export const isDocumentId = (text: string): boolean => idPattern.test(text) && !isReserved(text)

const idKey = z
  .string()
  .regex(idPattern, 'has an id that is not made of up to 128 letters, digits, _ and -')
  .refine((id) => !isReserved(id), 'has an id that is a reserved word')

const millis = z.number().min(0).max(timerAheadMsMax)
const timeoutMillis = z.number().min(1).max(timerAheadMsMax)
const parameters = z.record(z.string(), z.unknown())
const priority = z.enum(['CRITICAL', 'HIGH', 'NORMAL', 'LOW', 'MINIMAL'])
const names = z.array(z.string())
const endpoint = z.looseObject({ node: z.string(), port: z.string().min(1) })

const retry = z
  .looseObject({
    maxAttempts: z.int().min(1).max(retriesMax).describe('Tries in all, the first included. Default 1.'),
    backoff: z.enum(['fixed', 'exponential']),
    delayMs: millis.describe('Before the second try. Default 1000.'),
    factor: z.number().min(1).max(100).describe('Default 2.'),
    maxDelayMs: millis.describe('The longest pause, also where a server asks for more. Default 60000.'),
    jitter: z.number().min(0).max(1).describe('Share of the delay that is random. Default 0.2.'),
    retryOn: names.describe('Only these error codes are tried again.'),
    neverOn: names,
    retryIf: z.string().describe('JSONata over `error`; where it isn’t true, nothing is tried again.'),
  })
  .partial()
  .describe('When a failed attempt is tried again.')

const timeout = z
  .looseObject({
    attemptMs: timeoutMillis.describe('Per attempt. Default 3600000.'),
    totalMs: timeoutMillis.describe('Over all attempts and pauses.'),
    heartbeatMs: timeoutMillis.describe('An attempt that says nothing for longer is ended.'),
  })
  .partial()

const join = z
  .looseObject({
    mode: z.enum(['all', 'any', 'count']),
    count: z.int().min(1),
    cancelLosers: z.boolean(),
  })
  .partial()
  .describe('How a node with several ways in waits for them.')

const route = z
  .looseObject({
    topic: z.string().min(1),
    labels: z.record(z.string(), z.string()),
    requires: names,
    preferredPool: z.string(),
    preferredRunner: z.string(),
  })
  .partial()
  .describe('Where a node may run.')

const taskVersion = z
  .string()
  .min(1)
  .max(taskVersionCharsMax)
  .describe('The version of a task with code that the parameters were set up for.')

const compensation = z
  .looseObject({
    node: z.string(),
    task: z.looseObject({ kind: z.string().min(1), parameters, taskVersion: taskVersion.optional() }),
    impossible: z.string().min(1).describe('Why this node can’t be undone.'),
    input: z.unknown().describe('What arrives at what undoes; texts may hold expressions.'),
    retry: retry.describe('Default: three tries.'),
    timeout,
    idempotencyKey: z.string().min(1),
    labels: z.record(z.string(), z.string()),
    env: z.record(z.string(), z.string()).describe('Variables of a program that undoes.'),
    pool: z.string(),
    route,
  })
  .partial()
  .describe('What undoes this node, or why nothing can.')

const concurrencyMode = z.enum(['DISABLED', 'TASK', 'ARGUMENTS', 'KEYS'])

const concurrency = z
  .looseObject({
    registration: concurrencyMode,
    running: concurrencyMode,
    keys: names,
    limit: z.int().min(1),
    onFull: z.enum(['reroute', 'final']),
    delayMs: millis,
    onFinal: z.enum(['fail', 'skip']),
    onDifferentNonKeyArguments: z.enum(['reuse', 'raise']),
  })
  .partial()

const rateLimit = z
  .looseObject({ count: z.int().min(1), perMs: timeoutMillis })
  .describe('At most `count` starts within any `perMs`.')

const cache = z
  .looseObject({
    ttlMs: z.int().min(1).max(cacheTtlMsMax).describe('How old a result of an earlier run may be.'),
    key: z.string().optional().describe('JSONata; results with the same value stand for each other.'),
  })
  .describe('Takes over what the step gave in an earlier run instead of running it.')

const mock = z
  .looseObject({
    output: z.unknown(),
    port: z.string(),
    error: z.looseObject({ code: z.string(), message: z.string() }),
    delayMs: millis,
  })
  .partial()

const node = z.looseObject({
  kind: z.string().min(1).describe('The task kind.'),
  title: z.string().optional(),
  note: z.string().optional(),
  color: z.string().optional(),
  parameters: parameters.optional().describe('By the kind; texts may hold expressions in {{ }}.'),
  taskVersion: taskVersion.optional(),
  retry: retry.optional(),
  timeout: timeout.optional(),
  join: join.optional(),
  onError: z.enum(['fail', 'continue']).optional(),
  fallbackOutput: z.unknown().optional(),
  outputSchema: parameters.optional().describe('A JSON Schema that the output of the task must fit.'),
  compensation: compensation.optional(),
  sideEffect: z.enum(['pure', 'idempotent', 'keyed', 'unsafe']).optional(),
  concurrency: concurrency.optional(),
  priority: priority.optional(),
  rateLimit: rateLimit.optional(),
  pool: z.string().optional(),
  route: route.optional(),
  onLost: z.enum(['ask', 'retry', 'fail', 'verify']).optional(),
  parent: z.string().optional().describe('The map or loop node whose body this node belongs to.'),
  tags: z.array(z.string().min(1).max(tagCharsMax)).max(tagsMax).optional(),
  mocks: z.record(z.string(), mock).optional(),
  skipIf: z.string().optional().describe('JSONata; where it is true, the step doesn’t run.'),
  onSkip: z
    .enum(['skip', 'pass'])
    .optional()
    .describe('Whether what it leads to is skipped, too. Default skip.'),
  cache: cache.optional(),
  stopAfterIf: z
    .string()
    .optional()
    .describe('JSONata over `output`; where it is true, the run ends after this step.'),
  stopAs: z
    .enum(['succeeded', 'failed', 'cancelled'])
    .optional()
    .describe('How the run ends then. Default succeeded.'),
  redact: z
    .array(z.string())
    .max(redactPathsMax)
    .optional()
    .describe('Places of the output that are replaced by a mark before anything is written.'),
  keepOutput: z
    .enum(['full', 'summary', 'none'])
    .optional()
    .describe('How much of what it gives stays once the run is over. Default full.'),
  disabled: z.boolean().optional(),
  bypassed: z.boolean().optional(),
})

const trigger = z.looseObject({
  kind: z.string().min(1),
  title: z.string().optional(),
  parameters: parameters.optional(),
  enabled: z.boolean().optional(),
})

const sagaScope = z.looseObject({
  title: z.string().optional(),
  nodes: names,
  order: z.enum(['reverse', 'parallel']).optional(),
  onFailure: z
    .enum(['ask', 'retry', 'stop'])
    .optional()
    .describe('What happens when something that undoes one of them has failed for good. Default ask.'),
})

const settings = z
  .looseObject({
    timeoutMs: timeoutMillis,
    priority,
    onFailure: z.enum(['stop', 'finish']),
    output: z.string(),
    concurrency: z
      .looseObject({
        limit: z.int().min(1),
        key: z.string(),
        onFull: z.enum(['queue', 'skip', 'replace', 'fail']),
      })
      .partial(),
    rateLimit,
    rollbackOn: z.array(z.enum(['failed', 'timed-out', 'cancelled', 'denied', 'quarantined'])),
  })
  .partial()

const point = { x: z.number(), y: z.number(), byHand: z.boolean().optional() }
const size = { width: z.number(), height: z.number() }

const layout = z
  .looseObject({
    nodes: z.record(z.string(), z.looseObject(point)),
    notes: z.record(z.string(), z.looseObject({ ...point, ...z.object(size).partial().shape })),
    frames: z.record(z.string(), z.looseObject({ ...point, ...size, collapsed: z.boolean().optional() })),
  })
  .partial()
  .describe('Where things stand on the canvas; means nothing to a run.')

/** The whole form of a document. While the skeleton holds, what doesn't fit is a problem of its field. */
export const workflowSchema = z.looseObject({
  $schema: z.string().optional(),
  format: z.literal(documentFormat),
  schemaVersion: z.literal(documentSchemaVersion),
  id: z.string().min(1).max(128),
  title: z.string(),
  description: z.string().optional(),
  input: parameters.optional().describe('JSON Schema of the form for a manual start.'),
  variables: parameters.optional(),
  settings: settings.optional(),
  capabilities: z
    .looseObject({ hosts: names, paths: names, commands: names, secrets: names, databases: names })
    .partial()
    .optional()
    .describe('What the workflow needs from the machine it runs on.'),
  nodes: z.record(idKey, node),
  edges: z.record(idKey, z.looseObject({ from: endpoint, to: endpoint, label: z.string().optional() })),
  triggers: z.record(idKey, trigger).optional(),
  sagaScopes: z.record(idKey, sagaScope).optional(),
  mockSets: z.record(idKey, z.looseObject({ title: z.string().optional() })).optional(),
  presets: z
    .record(idKey, z.looseObject({ title: z.string(), input: parameters }))
    .optional()
    .describe('Inputs that runs may be started with by hand.'),
  notes: z.record(idKey, z.looseObject({ text: z.string(), color: z.string().optional() })).optional(),
  frames: z
    .record(
      idKey,
      z.looseObject({
        title: z.string(),
        nodes: names,
        notes: names.optional(),
        parent: z.string().optional(),
        color: z.string().optional(),
      }),
    )
    .optional(),
  layout: layout.optional(),
})

const unknownMap = z.record(idKey, z.looseObject({})).optional()

/** What must hold for a document to be opened at all: without it there is nothing to draw or to keep. */
export const skeletonSchema = z.looseObject({
  format: z.literal(documentFormat),
  schemaVersion: z.literal(documentSchemaVersion),
  id: z.string().min(1).max(128),
  title: z.string(),
  nodes: z.record(idKey, z.looseObject({ kind: z.string().min(1), parameters: parameters.optional() })),
  edges: z.record(idKey, z.looseObject({ from: endpoint, to: endpoint })),
  triggers: z
    .record(idKey, z.looseObject({ kind: z.string(), parameters: parameters.optional() }))
    .optional(),
  sagaScopes: z.record(idKey, z.looseObject({ nodes: names })).optional(),
  mockSets: unknownMap,
  presets: unknownMap,
  notes: unknownMap,
  frames: unknownMap,
  layout: z.looseObject({}).optional(),
})
