/** Notify: a short message where people see it: on this computer, in a chat, on a phone. */

import { z } from 'zod'
import { isJsonObject } from '../../model/json.ts'
import { lazily } from '../../model/lazily.ts'
import { shortened, textParameter } from '../../model/summary.ts'
import type { TaskSpec } from '../../model/task-spec.ts'
import { singleOutput } from '../../model/task-spec.ts'

const hook = lazily(() =>
  z.string().min(1).meta({
    title: 'Webhook address',
    description: 'Who has it can write there: keep it in the vault.',
    secret: 'expected',
  }),
)

const channel = lazily(() =>
  z
    .discriminatedUnion('kind', [
      z.object({ kind: z.literal('desktop') }).meta({ title: 'This computer' }),
      z.object({ kind: z.literal('slack'), address: hook() }).meta({ title: 'Slack' }),
      z.object({ kind: z.literal('teams'), address: hook() }).meta({ title: 'Teams' }),
      z.object({ kind: z.literal('discord'), address: hook() }).meta({ title: 'Discord' }),
      z
        .object({
          kind: z.literal('ntfy'),
          server: z.string().min(1).default('https://ntfy.sh').meta({ title: 'Server' }),
          topic: z
            .string()
            .regex(/^[A-Za-z0-9_-]{1,64}$/, 'Letters, digits, - and _ only.')
            .meta({ title: 'Topic', description: 'Without a token, who knows it can read it.' }),
          token: z.string().default('').meta({ title: 'Token', secret: 'expected' }),
          priority: z
            .enum(['min', 'low', 'default', 'high', 'max'])
            .default('default')
            .meta({
              title: 'Priority',
              choices: {
                min: { title: 'Lowest' },
                low: { title: 'Low' },
                default: { title: 'Usual' },
                high: { title: 'High' },
                max: { title: 'Highest' },
              },
            }),
        })
        .meta({ title: 'ntfy' }),
    ])
    .default({ kind: 'desktop' })
    .meta({ title: 'Where' }),
)

const parameters = lazily(() =>
  z.strictObject({
    channel: channel(),
    title: z.string().default('').meta({ title: 'Title', placeholder: 'Order {{ input.id }} failed' }),
    message: z.string().min(1).meta({ title: 'Message', widget: 'multiline' }),
    link: z
      .string()
      .default('')
      .meta({ title: 'Link', description: 'Not on this computer’s notifications.' }),
    timeoutMs: z.int().min(1).max(600_000).default(15_000).meta({
      title: 'Timeout',
      widget: 'duration',
      group: 'Limits',
    }),
  }),
)

/** The resolved parameters of a notification. */
export type NotifyParameters = z.infer<ReturnType<typeof parameters>>

export const notifySpec = {
  kind: 'notify',
  title: 'Notify',
  description: 'Shows a short message on this computer, in Slack, Teams or Discord, or by ntfy.',
  icon: 'bell-ring',
  category: 'network',
  keywords: [
    'notify',
    'notification',
    'slack',
    'teams',
    'discord',
    'ntfy',
    'alert',
    'message',
    'chat',
    'push',
  ],
  get parameters() {
    return parameters()
  },
  defaults: { channel: { kind: 'desktop' }, message: '' },
  hasInput: true,
  outputs: () => singleOutput,
  reach: [
    { what: 'hosts', field: 'channel.address' },
    {
      what: 'hosts',
      field: 'channel.server',
      absent: ({ channel }) => (isJsonObject(channel) && channel['kind'] === 'ntfy' ? 'https://ntfy.sh' : ''),
    },
  ],
  sideEffect: 'idempotent',
  execution: 'runner',
  summary: (raw) => shortened(textParameter(raw, 'message', 'a message')),
} satisfies TaskSpec<NotifyParameters>
