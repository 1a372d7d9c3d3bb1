/** How many of a node may run at a time, and how often: the part of its settings that counts against others. */

import type { JsonObject } from '../../../src-engine/model/json.ts'
import { choice, count, duration, words } from './setting-fields.ts'

const isLimited = { running: ['TASK', 'ARGUMENTS', 'KEYS'] }

const concurrency: JsonObject = {
  type: 'object',
  title: 'How many at a time',
  group: 'How many at a time',
  properties: {
    running: choice(
      'Limit how many run at a time',
      {
        DISABLED: { title: 'No limit' },
        TASK: { title: 'Of this step', hint: 'Over all runs of the workflow and all runners.' },
        ARGUMENTS: {
          title: 'Of this step with the same parameters',
          hint: 'Others with any other parameter don’t count.',
        },
        KEYS: {
          title: 'Of this step with the same key',
          hint: 'The parameters named below have to be the same, such as one per customer.',
        },
      },
      { default: 'DISABLED' },
    ),
    keys: {
      ...words('Key parameters', 'Names of its parameters that are the key.'),
      when: [{ running: ['KEYS'] }, { registration: ['KEYS'] }],
    },
    limit: { ...count('At a time', 'So many run, over all runs and runners.', 1), when: isLimited },
    onFull: choice(
      'When there is no room',
      {
        reroute: { title: 'Wait for its turn' },
        final: { title: 'End without running' },
      },
      { when: isLimited },
    ),
    delayMs: {
      ...duration('Wait at least', 'Before it asks again, even if there is room earlier.'),
      default: 0,
      when: { ...isLimited, onFull: ['reroute'] },
    },
    onFinal: choice(
      'When it ends without running',
      {
        fail: { title: 'The run fails' },
        skip: { title: 'The run goes on without it', hint: 'As if the step was switched off.' },
      },
      { default: 'fail', when: { ...isLimited, onFull: ['final'] } },
    ),
    registration: choice(
      'The same work asked for twice',
      {
        DISABLED: { title: 'Runs twice' },
        TASK: {
          title: 'Is one: any of this step',
          hint: 'A second one takes the result of the one that is under way.',
        },
        ARGUMENTS: {
          title: 'Is one: same parameters',
          hint: 'A second one takes the result of the one that is under way.',
        },
        KEYS: {
          title: 'Is one: same key',
          hint: 'A second one takes the result of the one that is under way.',
        },
      },
      { default: 'DISABLED' },
    ),
    onDifferentNonKeyArguments: choice(
      'But with other parameters',
      {
        reuse: { title: 'Take that result all the same' },
        raise: { title: 'Fail and say what differs' },
      },
      { default: 'reuse', when: { registration: ['TASK', 'KEYS'] } },
    ),
  },
}

const rateLimit: JsonObject = {
  type: 'object',
  title: 'How often',
  group: 'How often',
  properties: {
    count: {
      type: 'integer',
      title: 'Starts at most',
      description: 'Over all runs and runners.',
      placeholder: 'no limit',
      minimum: 1,
      expressions: false,
    },
    perMs: { ...duration('… within', 'Any span of this length.'), placeholder: 'no limit' },
  },
}

export const concurrencyFields: JsonObject = { concurrency, rateLimit }
