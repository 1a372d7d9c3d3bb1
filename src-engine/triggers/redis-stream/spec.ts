/** Redis stream: starts when entries are added to a stream, which a consumer group hands out. */

import { z } from 'zod'
import { lazily } from '../../model/lazily.ts'
import { streamBatchMax, streamPendingMax } from '../../model/limits.ts'
import { occurrenceKeyFields } from '../../model/occurrence-key-fields.ts'
import { authorityField, tlsField } from '../../model/server-fields.ts'
import { shortened, textParameter } from '../../model/summary.ts'
import type { TriggerSpec } from '../../model/trigger-spec.ts'

const auth = lazily(() =>
  z
    .discriminatedUnion('kind', [
      z.object({ kind: z.literal('none') }).meta({ title: 'None' }),
      z
        .object({
          kind: z.literal('password'),
          user: z.string().max(200).default('').meta({
            title: 'User',
            description: 'Empty: the server’s default user.',
            expressions: false,
          }),
          secret: z.string().min(1).meta({
            title: 'Password',
            widget: 'secret-name',
            description: 'In the vault. The password itself is never kept with the workflow.',
          }),
        })
        .meta({ title: 'With a password' }),
    ])
    .default({ kind: 'none' })
    .meta({ title: 'Sign in' }),
)

const parameters = lazily(() =>
  z.strictObject({
    host: z.string().min(1).meta({
      title: 'Server',
      description:
        'Name or address; of a cluster any of its servers. One outside the public internet must be in the workflow’s approved hosts.',
      placeholder: 'redis.example.com',
      expressions: false,
    }),
    port: z.int().min(1).max(65_535).default(6379).meta({ title: 'Port' }),
    auth: auth(),
    stream: z.string().min(1).max(1_000).meta({
      title: 'Stream',
      description: 'Its key.',
      placeholder: 'orders',
      expressions: false,
    }),
    consumerGroup: z.string().min(1).max(200).default('sagasmith').meta({
      title: 'Consumer group',
      description: 'Remembers what was read. Each entry is handed to one reader of a group.',
      expressions: false,
    }),
    startAt: z
      .string()
      .regex(/^(\$|\d{1,20}(-\d{1,20})?)$/, 'Write $, 0 or the id of an entry, such as 1700000000000-0.')
      .default('$')
      .meta({
        title: 'A new group begins after',
        description: '$: with what is added from then on. 0: with all that is there. Or the id of an entry.',
        expressions: false,
      }),
    ack: z
      .enum(['recorded', 'succeeded', 'before'])
      .default('recorded')
      .meta({
        title: 'Acknowledge',
        description: 'When the group may forget an entry.',
        choices: {
          recorded: {
            title: 'Once its run is recorded',
            hint: 'Each entry starts one run, whatever crashes. The run itself survives by its own means.',
          },
          succeeded: {
            title: 'Once its run has succeeded',
            hint: 'The same; what fails stays pending in the group, for you to look at.',
          },
          before: {
            title: 'Before anything is done',
            hint: 'Never twice, also where others share the group; what a crash hits at that moment is lost.',
          },
        },
      }),
    filter: z.unknown().default('').meta({
      title: 'Only if',
      description:
        'JSONata over the entry, or fields of `event.payload` that it must have. Empty: every entry.',
      widget: 'expression',
      language: 'jsonata',
      placeholder: 'event.payload.fields.total > 100',
    }),
    input: z.unknown().default('').meta({
      title: 'Input',
      description:
        'JSONata over the entry for what the run gets. Empty: stream, id, at and fields; of several together their list, as entries.',
      widget: 'expression',
      language: 'jsonata',
      placeholder: '{ "order": event.payload.fields.order }',
    }),
    db: z.int().min(0).max(1_000).default(0).meta({ title: 'Database', group: 'Connection' }),
    tls: tlsField({ group: 'Connection' }),
    authority: authorityField({ when: { tls: ['verify'] }, group: 'Connection' }),
    create: z.boolean().default(true).meta({
      title: 'Make the group where there is none',
      description: 'And the stream with it. Off: it waits until somebody else has made them.',
      group: 'Reading',
    }),
    values: z
      .enum(['text', 'json'])
      .default('text')
      .meta({
        title: 'Values of fields',
        choices: {
          text: { title: 'Are texts' },
          json: { title: 'Are JSON where they can be read as that', hint: 'Others stay texts.' },
        },
        group: 'Reading',
      }),
    pendingMax: z.int().min(1).max(streamPendingMax).default(100).meta({
      title: 'Unacknowledged at most',
      description: 'So many entries are taken and not yet acknowledged; then no more are read.',
      group: 'Reading',
    }),
    claimIdleMs: z.int().min(0).max(2_678_400_000).default(0).meta({
      title: 'Take over what others left',
      description:
        'Entries that another reader of the group took and hasn’t acknowledged for this long. 0: never.',
      widget: 'duration',
      group: 'Reading',
    }),
    ...occurrenceKeyFields({ placeholder: 'event.payload.fields.order' }),
    batchMax: z.int().min(0).max(streamBatchMax).default(0).meta({
      title: 'Start with',
      description: 'Starts one run for this many entries. 0: one run for each.',
      group: 'Several entries together',
    }),
    batchMs: z.int().min(0).max(86_400_000).default(0).meta({
      title: 'At the latest after',
      description:
        'Starts with those that have come since the first of them, however few. 0: ten seconds, where it starts with several.',
      widget: 'duration',
      group: 'Several entries together',
    }),
  }),
)

/** Which stream, and what of its entries, with the defaults. */
export type RedisStreamParameters = z.infer<ReturnType<typeof parameters>>

export const redisStreamSpec = {
  kind: 'redis-stream',
  title: 'On a Redis stream',
  description: 'Starts when entries are added to a stream, once for each.',
  icon: 'layers',
  get parameters() {
    return parameters()
  },
  defaults: { host: '', stream: '' },
  reach: [
    { what: 'hosts', field: 'host' },
    { what: 'secrets', field: 'auth.secret' },
  ],
  startsOn: (raw) => {
    const server = `${textParameter(raw, 'host')}:${textParameter(raw, 'port', '6379')}`
    const database = textParameter(raw, 'db', '0')
    return `${textParameter(raw, 'stream')} on ${server}${database === '0' ? '' : `, database ${database}`}`
  },
  summary: (raw) =>
    shortened(`${textParameter(raw, 'stream', 'a stream')} on ${textParameter(raw, 'host', 'a server')}`),
} satisfies TriggerSpec<RedisStreamParameters>
