/** The form of what a workflow says of its runs as a whole. Fields are those of the document's `settings`. */

import type { JsonObject } from '../../../src-engine/model/json.ts'

export const workflowSettingsSchema: JsonObject = {
  type: 'object',
  properties: {
    timeoutMs: {
      type: 'integer',
      widget: 'duration',
      title: 'Timeout of a run',
      group: 'Settings',
      description: 'Empty: no limit. The time in which a run is paused counts.',
      expressions: false,
    },
    onFailure: {
      type: 'string',
      enum: ['stop', 'finish'],
      default: 'stop',
      title: 'When a step fails',
      group: 'Settings',
      description: '“stop” ends what is under way, “finish” lets the other branches end first.',
      expressions: false,
    },
    priority: {
      type: 'string',
      enum: ['CRITICAL', 'HIGH', 'NORMAL', 'LOW', 'MINIMAL'],
      default: 'NORMAL',
      title: 'Priority',
      group: 'Settings',
      description: 'Of every step that has none of its own.',
      expressions: false,
    },
    output: {
      type: 'string',
      widget: 'expression',
      language: 'jsonata',
      title: 'Output of a run',
      group: 'Settings',
      description: 'JSONata. Empty: the outputs of the last nodes.',
    },
    concurrency: {
      type: 'object',
      title: 'Runs at a time',
      group: 'Runs at a time',
      properties: {
        limit: {
          type: 'integer',
          title: 'Not more than',
          minimum: 1,
          description: 'Empty: no limit.',
          expressions: false,
        },
        key: {
          type: 'string',
          widget: 'expression',
          language: 'jsonata',
          title: 'Counted per',
          description: 'JSONata on the input, such as input.customer. Empty: all runs count together.',
        },
        onFull: {
          type: 'string',
          enum: ['queue', 'skip', 'replace', 'fail'],
          default: 'queue',
          title: 'One too many',
          description: 'Waits its turn, isn’t run, takes the place of the one that runs, or fails.',
          expressions: false,
        },
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
      group: 'Approved by you',
      items: { type: 'string', expressions: false },
      description: 'Loopback and private addresses are only reached when they are listed, such as 127.0.0.1.',
    },
  },
}
