/**
 * The settings every node has, as a schema: the same form machinery draws them. Defaults that depend on the
 * node, its workflow or the engine are put in by `usual-settings.ts`.
 */

import type { JsonObject } from '../../../src-engine/model/json.ts'
import { attemptTimeoutMsDefault } from '../../../src-engine/model/limits.ts'
import { fullRetryPolicy } from '../../../src-engine/model/retry.ts'
import { concurrencyFields } from './concurrency-schema.ts'
import { choice, count, duration, priorityChoices, text, words } from './setting-fields.ts'

const usual = fullRetryPolicy(undefined)
const isRetried = { maxAttempts: 2 }

/** When a failed attempt is tried again: of a step, and of what undoes one. */
export const retryField: JsonObject = {
  type: 'object',
  title: 'Retry',
  group: 'Retry',
  properties: {
    maxAttempts: count('Attempts', 'In all, the first included.', usual.maxAttempts),
    backoff: choice(
      'Wait between attempts',
      {
        fixed: { title: 'The same each time' },
        exponential: { title: 'Longer each time', hint: 'Gentle to a service that is down.' },
      },
      { default: usual.backoff, when: isRetried },
    ),
    delayMs: {
      ...duration('First wait', 'Before the second attempt.'),
      default: usual.delayMs,
      when: isRetried,
    },
    maxDelayMs: {
      ...duration(
        'Longest wait',
        'However often it failed, and whatever a server asks for (at most 10 minutes).',
      ),
      default: usual.maxDelayMs,
      when: isRetried,
    },
    factor: {
      type: 'number',
      title: 'Growth',
      default: usual.factor,
      description: 'Each wait is so many times the one before.',
      expressions: false,
      when: { ...isRetried, backoff: ['exponential'] },
    },
    jitter: {
      type: 'number',
      title: 'Randomness',
      default: usual.jitter,
      description: 'The share of a wait that is random, from 0 to 1, so that many don’t come back at once.',
      expressions: false,
      when: isRetried,
    },
    retryOn: {
      ...words('Only on these error codes', 'None: on whatever the error itself calls worth it.'),
      when: isRetried,
    },
    neverOn: { ...words('Never on these error codes', 'Wins over everything else.'), when: isRetried },
    retryIf: {
      type: 'string',
      title: 'Only if',
      widget: 'expression',
      language: 'jsonata',
      sees: 'error',
      placeholder: 'error.details.status >= 500',
      description: 'JSONata over the error; where it isn’t true, the step isn’t tried again.',
      when: isRetried,
    },
  },
}

/** Whether a result of an earlier run may stand for running it. */
const cacheField: JsonObject = {
  type: 'object',
  title: 'Cache',
  group: 'Cache',
  properties: {
    ttlMs: {
      ...duration(
        'Take over results up to',
        'A result of an earlier run that is no older stands for running the step. Only for steps without effects.',
      ),
      placeholder: 'always run',
    },
    key: {
      type: 'string',
      title: 'The same if this is the same',
      widget: 'expression',
      language: 'jsonata',
      placeholder: 'what arrives and all of its fields',
      description: 'JSONata. Where it gives nothing, the step runs and its result isn’t kept.',
    },
  },
}

/** How long it may take. */
export const timeoutField: JsonObject = {
  type: 'object',
  title: 'Timeouts',
  group: 'Timeouts',
  properties: {
    attemptMs: {
      ...duration('Per attempt', 'Then the task is stopped, with everything it started.'),
      default: attemptTimeoutMsDefault,
    },
    totalMs: { ...duration('In all', 'Over all attempts and waits.'), placeholder: 'no limit' },
    heartbeatMs: {
      ...duration('Without a sign of life', 'An attempt that says nothing for longer is ended.'),
      placeholder: 'no limit',
    },
  },
}

const join: JsonObject = {
  type: 'object',
  title: 'Several ways in',
  group: 'Several ways in',
  properties: {
    mode: choice(
      'Begins when',
      {
        all: { title: 'All branches have come' },
        any: { title: 'The first branch has come' },
        count: { title: 'A number of branches have come' },
      },
      { default: 'all' },
    ),
    count: { ...count('Number of branches', 'So many of them.', 1), when: { mode: ['count'] } },
    cancelLosers: {
      type: 'boolean',
      default: false,
      title: 'Cancel the others',
      description: 'Branches that are still under way are cancelled once this begins.',
      expressions: false,
      when: { mode: ['any', 'count'] },
    },
  },
}

/** Who takes it. */
export const poolField: JsonObject = {
  ...text('Pool', 'Only runners of this pool take it.'),
  group: 'Where it runs',
}

/** Where it may run. */
export const routeField: JsonObject = {
  type: 'object',
  title: 'Where it runs',
  group: 'Where it runs',
  properties: {
    topic: text('Topic', 'Chooses the pools that this topic is mapped to.'),
    labels: {
      type: 'object',
      widget: 'key-value',
      title: 'Labels',
      description: 'The runner must have each of them: placement.zone is eu.',
      additionalProperties: { type: 'string' },
      expressions: false,
    },
    requires: words('Abilities', 'What the runner must be able to do besides.'),
    preferredPool: text('Preferred pool', 'Asked first, if it works for this step.'),
    preferredRunner: text('Preferred runner', 'Others leave it the step for two seconds.'),
  },
}

export const settingsSchema: JsonObject = {
  type: 'object',
  properties: {
    title: text('Title', 'What the card says.'),
    note: { ...text('Note', 'For people who read this workflow.'), widget: 'multiline' },
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
    skipIf: {
      type: 'string',
      title: 'Skip if',
      widget: 'expression',
      language: 'jsonata',
      group: 'Skipping',
      placeholder: 'input.total = 0',
      description: 'JSONata; where it is true, the step doesn’t run.',
    },
    onSkip: choice(
      'What follows',
      {
        skip: { title: 'Is skipped, too', hint: 'What only this step leads to.' },
        pass: { title: 'Goes on', hint: 'With what arrived at this step.' },
      },
      { default: 'skip', group: 'Skipping' },
    ),
    cache: cacheField,
    retry: retryField,
    timeout: timeoutField,
    onError: choice(
      'When it finally fails',
      {
        fail: { title: 'The run fails' },
        continue: { title: 'The run goes on', hint: 'With the value below as its output.' },
      },
      {
        default: 'fail',
        group: 'When it fails',
        description: 'Only while nothing is connected to its error way.',
      },
    ),
    fallbackOutput: {
      title: 'Hand on instead',
      widget: 'code',
      language: 'json',
      group: 'When it fails',
      description: 'As JSON; nothing is null.',
      expressions: false,
      when: { onError: ['continue'] },
    },
    outputSchema: {
      title: 'Output must fit',
      widget: 'code',
      language: 'json',
      group: 'Output check',
      placeholder: '{ "type": "object", "required": ["id"] }',
      description: 'A JSON Schema. A result that breaks it fails the step; nothing behind it sees it.',
      expressions: false,
    },
    redact: {
      ...words(
        'Take out of the output',
        'Places such as customer.email or items.*.token. A mark stands there in everything that is written: history, ' +
          'logs, exports. Steps that read them get the mark, and so does what undoes this one.',
      ),
      group: 'Kept output',
    },
    keepOutput: choice(
      'When the run is over',
      {
        full: { title: 'All of it stays' },
        summary: {
          title: 'Its shape stays',
          hint: 'Names of fields, kinds and sizes; nothing that stood in it.',
        },
        none: { title: 'Nothing stays' },
      },
      {
        default: 'full',
        group: 'Kept output',
        description:
          'Also of what the step was called with. Until then all steps read it; a run that failed keeps it for a ' +
          'day, so that it can go on.',
      },
    ),
    stopAfterIf: {
      type: 'string',
      title: 'End the run after it if',
      widget: 'expression',
      language: 'jsonata',
      group: 'Ending the run',
      sees: 'output',
      placeholder: 'output.status = "nothing to do"',
      description: 'JSONata over what the step gave; where it is true, what else is under way is cancelled.',
    },
    stopAs: choice(
      'As',
      {
        succeeded: { title: 'Succeeded', hint: 'With what this step gave.' },
        failed: { title: 'Failed' },
        cancelled: { title: 'Cancelled' },
      },
      { default: 'succeeded', group: 'Ending the run' },
    ),
    join,
    sideEffect: choice(
      'Running it twice',
      {
        pure: { title: 'Does nothing outside', hint: 'It only computes or reads.' },
        idempotent: { title: 'Does no more than once', hint: 'The outside is the same afterwards.' },
        keyed: {
          title: 'Is noticed by the receiver',
          hint: 'It is sent an idempotency key that tells it of repeats.',
        },
        unsafe: { title: 'Does it twice', hint: 'Two mails, two payments: it must not just be repeated.' },
      },
      { group: 'When it is cut off', description: 'What a repeat does to the outside world.' },
    ),
    onLost: choice(
      'When nobody knows whether it happened',
      {
        ask: { title: 'Ask a person', hint: 'The step waits until somebody decides.' },
        verify: {
          title: 'Find out first',
          hint: 'For kinds that can, like tasks with code that have a probe. Where it can’t be told, a person is asked.',
        },
        retry: { title: 'Run it again' },
        fail: { title: 'Fail' },
      },
      { group: 'When it is cut off', description: 'After its runner died under it.' },
    ),
    ...concurrencyFields,
    priority: choice('Priority', priorityChoices, { default: 'NORMAL', group: 'Priority and tags' }),
    tags: {
      ...words('Tags', 'Runners that have tags only take steps whose tags are all among theirs.'),
      group: 'Priority and tags',
    },
    pool: poolField,
    route: routeField,
  },
}
