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
    priority: choice('Priority', ['CRITICAL', 'HIGH', 'NORMAL', 'LOW', 'MINIMAL'], {
      default: 'NORMAL',
      group: 'Queue',
    }),
    tags: {
      type: 'array',
      title: 'Tags',
      group: 'Queue',
      items: { type: 'string', expressions: false },
      description: 'For finding and routing it.',
    },
  },
}
