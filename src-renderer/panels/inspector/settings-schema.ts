/** The settings every node has, as a schema: the same form machinery draws them. */

import type { JsonObject } from '../../../src-engine/model/json.ts'

const duration = (title: string, description: string): JsonObject => ({
  type: 'integer',
  widget: 'duration',
  title,
  description,
  expressions: false,
})
const count = (title: string, description: string, value: number): JsonObject => ({
  type: 'integer',
  title,
  description,
  default: value,
  expressions: false,
})
const choice = (title: string, values: readonly string[], rest: JsonObject): JsonObject => ({
  type: 'string',
  enum: values,
  title,
  expressions: false,
  ...rest,
})

const modes = ['DISABLED', 'TASK', 'ARGUMENTS', 'KEYS']

export const settingsSchema: JsonObject = {
  type: 'object',
  properties: {
    title: { type: 'string', title: 'Title', description: 'What the card says.', expressions: false },
    note: {
      type: 'string',
      widget: 'multiline',
      title: 'Note',
      description: 'For people who read this workflow.',
      expressions: false,
    },
    disabled: {
      type: 'boolean',
      default: false,
      title: 'Switched off',
      description: 'Skipped in runs, and so is what only it leads to.',
      expressions: false,
    },
    bypassed: {
      type: 'boolean',
      default: false,
      title: 'Bypassed',
      description: 'Hands its input on instead of running.',
      expressions: false,
    },
    retry: {
      type: 'object',
      title: 'Retry',
      group: 'Retry',
      properties: {
        maxAttempts: count('Attempts', 'In all, the first included.', 1),
        backoff: choice('Wait between attempts', ['fixed', 'exponential'], {
          default: 'exponential',
          description: 'The same each time, or longer each time.',
        }),
        delayMs: { ...duration('First wait', 'Before the second attempt.'), default: 1_000 },
        maxDelayMs: { ...duration('Longest wait', 'However often it failed.'), default: 60_000 },
        factor: {
          type: 'number',
          title: 'Factor',
          default: 2,
          description: 'How much longer each wait gets.',
          expressions: false,
        },
        jitter: {
          type: 'number',
          title: 'Jitter',
          default: 0.2,
          description: 'Share of the wait that is random, 0 to 1.',
          expressions: false,
        },
        retryOn: {
          type: 'array',
          title: 'Only on these error codes',
          items: { type: 'string', expressions: false },
        },
        neverOn: {
          type: 'array',
          title: 'Never on these error codes',
          items: { type: 'string', expressions: false },
        },
      },
    },
    timeout: {
      type: 'object',
      title: 'Timeouts',
      group: 'Timeouts',
      properties: {
        attemptMs: {
          ...duration('Per attempt', 'Then the task is stopped, with everything it started.'),
          default: 3_600_000,
        },
        totalMs: duration('In all', 'Over all attempts and waits. Empty: no limit.'),
        heartbeatMs: duration(
          'Without a sign of life',
          'An attempt that says nothing for longer is ended. Empty: no limit.',
        ),
      },
    },
    onError: choice('When it finally fails', ['fail', 'continue'], {
      default: 'fail',
      group: 'On error',
      description: 'Only while nothing is connected to its error port.',
    }),
    fallbackOutput: {
      title: 'Hand on instead',
      widget: 'code',
      language: 'json',
      group: 'On error',
      description: 'The output when it goes on after a failure.',
      expressions: false,
    },
    outputSchema: {
      title: 'Output must fit',
      widget: 'code',
      language: 'json',
      group: 'Output',
      placeholder: '{ "type": "object", "required": ["id"] }',
      description: 'A JSON Schema. A result that breaks it fails the step; nothing behind it sees it.',
      expressions: false,
    },
    join: {
      type: 'object',
      title: 'Several ways in',
      group: 'Several ways in',
      properties: {
        mode: choice('Wait for', ['all', 'any', 'count'], {
          default: 'all',
          description: 'All branches, the first one, or a number of them.',
        }),
        count: {
          type: 'integer',
          title: 'Number of branches',
          description: 'With “count”.',
          expressions: false,
        },
        cancelLosers: {
          type: 'boolean',
          default: false,
          title: 'Cancel the others',
          description: 'Branches that are still under way are cancelled once this goes on.',
          expressions: false,
        },
      },
    },
    sideEffect: choice('Side effects', ['pure', 'idempotent', 'keyed', 'unsafe'], {
      group: 'Safety',
      description:
        'What running it twice would do. An unsafe step that was cut off asks a person before it runs again.',
    }),
    onLost: choice('When nobody knows whether it happened', ['ask', 'retry', 'fail'], {
      group: 'Safety',
      description:
        'After its runner died under it. Left open: an unsafe step asks a person, any other runs again.',
    }),
    concurrency: {
      type: 'object',
      title: 'Concurrency',
      group: 'Concurrency',
      properties: {
        running: choice('Not more at a time', modes, {
          default: 'DISABLED',
          description:
            'Counted per node, per node with the same parameters, or with the same key parameters.',
        }),
        limit: count('How many at a time', 'Over all runs and runners.', 1),
        keys: {
          type: 'array',
          title: 'Key parameters',
          items: { type: 'string', expressions: false },
          description: 'Names of parameters, with KEYS.',
        },
        onFull: choice('When there is no room', ['reroute', 'final'], {
          default: 'final',
          description: 'Wait for its turn, or end without running.',
        }),
        delayMs: { ...duration('Wait at least', 'Before it tries again.'), default: 0 },
        onFinal: choice('When it ends without running', ['fail', 'skip'], {
          default: 'fail',
          description: 'The run fails, or goes on as if the step was switched off.',
        }),
        registration: choice('The same demand twice is one', modes, {
          default: 'DISABLED',
          description: 'A second one waits for the result of the first instead of running.',
        }),
        onDifferentNonKeyArguments: choice('Same keys, other parameters', ['reuse', 'raise'], {
          default: 'reuse',
          description: 'Take the first one’s result, or fail and tell the difference.',
        }),
      },
    },
    rateLimit: {
      type: 'object',
      title: 'Rate limit',
      group: 'Concurrency',
      properties: {
        count: {
          type: 'integer',
          title: 'Starts',
          description: 'At most so many …',
          minimum: 1,
          expressions: false,
        },
        perMs: duration('… within', 'Over all runs and runners.'),
      },
    },
    priority: choice('Priority', ['CRITICAL', 'HIGH', 'NORMAL', 'LOW', 'MINIMAL'], {
      default: 'NORMAL',
      group: 'Queue',
    }),
    pool: {
      type: 'string',
      title: 'Pool',
      group: 'Queue',
      default: 'default',
      description: 'Only runners of this pool take it.',
      expressions: false,
    },
    route: {
      type: 'object',
      title: 'Where it may run',
      group: 'Where it may run',
      properties: {
        topic: {
          type: 'string',
          title: 'Topic',
          description: 'Chooses the pools that this topic is mapped to.',
          expressions: false,
        },
        labels: {
          type: 'object',
          widget: 'key-value',
          title: 'Labels',
          description: 'The runner must have each of them: placement.zone is eu.',
          additionalProperties: { type: 'string' },
          expressions: false,
        },
        requires: {
          type: 'array',
          title: 'Abilities',
          items: { type: 'string', expressions: false },
          description: 'What the runner must be able to do besides.',
        },
        preferredPool: { type: 'string', title: 'Preferred pool', expressions: false },
        preferredRunner: { type: 'string', title: 'Preferred runner', expressions: false },
      },
    },
    tags: {
      type: 'array',
      title: 'Tags',
      group: 'Queue',
      items: { type: 'string', expressions: false },
      description: 'For finding and routing it.',
    },
  },
}
