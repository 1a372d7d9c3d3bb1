/** The form of what a workflow says of its runs as a whole. Fields are those of the document's `settings`. */

import type { JsonObject } from '../../../src-engine/model/json.ts'
import { choice, priorityChoices } from './setting-fields.ts'
import { rollbackField } from './undo-schema.ts'

export const workflowSettingsSchema: JsonObject = {
  type: 'object',
  properties: {
    timeoutMs: {
      type: 'integer',
      widget: 'duration',
      title: 'Timeout of a run',
      group: 'Settings',
      placeholder: 'no limit',
      description: 'From its start to its end. The time in which it is paused counts.',
      expressions: false,
    },
    onFailure: choice(
      'When a step fails',
      {
        stop: { title: 'Stop what is under way' },
        finish: { title: 'Let other branches end first' },
      },
      { default: 'stop', group: 'Settings', description: 'Then the run fails.' },
    ),
    priority: choice('Priority', priorityChoices, {
      default: 'NORMAL',
      group: 'Settings',
      description: 'Of every step that has none of its own.',
    }),
    output: {
      type: 'string',
      widget: 'expression',
      language: 'jsonata',
      title: 'Output of a run',
      group: 'Settings',
      description: 'JSONata. Empty: the outputs of the last nodes.',
    },
    rollbackOn: rollbackField,
    concurrency: {
      type: 'object',
      title: 'Runs at a time',
      group: 'Runs at a time',
      properties: {
        limit: {
          type: 'integer',
          title: 'Not more than',
          minimum: 1,
          placeholder: 'no limit',
          expressions: false,
        },
        key: {
          type: 'string',
          widget: 'expression',
          language: 'jsonata',
          title: 'Counted per',
          description: 'JSONata on the input, such as input.customer. Empty: all runs count together.',
        },
        onFull: choice(
          'One too many',
          {
            queue: { title: 'Waits for its turn' },
            skip: { title: 'Is not run', hint: 'It ends as cancelled.' },
            replace: { title: 'Takes the place of the one that runs', hint: 'That one is cancelled.' },
            fail: { title: 'Fails' },
          },
          { default: 'queue' },
        ),
      },
    },
    rateLimit: {
      type: 'object',
      title: 'Starts at most',
      group: 'Runs at a time',
      properties: {
        count: { type: 'integer', title: 'Starts', minimum: 1, expressions: false },
        perMs: { type: 'integer', widget: 'duration', title: '… within', expressions: false },
      },
    },
    hosts: {
      type: 'array',
      title: 'Hosts it may reach',
      group: 'Private hosts',
      items: { type: 'string', expressions: false },
      description: 'Loopback and private addresses are only reached when they are listed, such as 127.0.0.1.',
    },
  },
}
