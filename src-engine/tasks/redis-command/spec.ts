/** Redis command: asks or changes a Redis server; several commands at once, if wished as one. */

import { z } from 'zod'
import { lazily } from '../../model/lazily.ts'
import { authorityField, tlsField } from '../../model/server-fields.ts'
import { shortened } from '../../model/summary.ts'
import type { TaskSpec } from '../../model/task-spec.ts'
import { singleOutput } from '../../model/task-spec.ts'

const command = lazily(() =>
  z.object({
    name: z
      .string()
      .regex(/^[A-Za-z][A-Za-z0-9._-]*( [A-Za-z]+)?$/, 'Write one command, such as SET or XINFO STREAM.')
      .meta({ title: 'Command', placeholder: 'SET' }),
    args: z.array(z.unknown()).max(10_000).default([]).meta({
      title: 'Arguments',
      description: 'Each reaches the server exactly as it is; what is no text or number goes as JSON.',
    }),
  }),
)

const parameters = lazily(() =>
  z.strictObject({
    host: z.string().min(1).meta({
      title: 'Server',
      description:
        'Name or address. One outside the public internet must be in the workflow’s approved hosts.',
      placeholder: 'redis.example.com',
      group: 'Server',
    }),
    port: z.int().min(1).max(65_535).default(6379).meta({ title: 'Port', group: 'Server' }),
    db: z.int().min(0).max(1_000).default(0).meta({ title: 'Database', group: 'Server' }),
    user: z.string().default('').meta({ title: 'User', secret: 'allowed', group: 'Server' }),
    password: z.string().default('').meta({ title: 'Password', secret: 'expected', group: 'Server' }),
    tls: tlsField({ group: 'Server' }),
    authority: authorityField({ when: { tls: ['verify'] }, group: 'Server' }),
    commands: z.array(command()).min(1).max(1_000).meta({ title: 'Commands' }),
    atomic: z.boolean().default(false).meta({
      title: 'As one',
      description: 'In a transaction: nobody else comes in between (MULTI … EXEC).',
    }),
    timeoutMs: z.int().min(1).max(600_000).default(10_000).meta({
      title: 'Timeout',
      widget: 'duration',
      group: 'Limits',
    }),
  }),
)

/** The resolved parameters of Redis commands. */
export type RedisCommandParameters = z.infer<ReturnType<typeof parameters>>

export const redisCommandSpec = {
  kind: 'redis-command',
  title: 'Redis command',
  description: 'Asks or changes a Redis server, by one command or several at once.',
  icon: 'server',
  category: 'data',
  keywords: [
    'redis',
    'cache',
    'key',
    'value',
    'get',
    'set',
    'stream',
    'publish',
    'queue',
    'pipeline',
    'valkey',
  ],
  get parameters() {
    return parameters()
  },
  defaults: { host: '', commands: [{ name: 'GET', args: [''] }] },
  hasInput: true,
  outputs: () => singleOutput,
  reach: [{ what: 'hosts', field: 'host' }],
  sideEffect: 'unsafe',
  execution: 'runner',
  summary: (raw) => {
    const { commands } = raw
    const names = (Array.isArray(commands) ? commands : []).map((one) => {
      const name = typeof one === 'object' && one !== null && 'name' in one ? one['name'] : ''
      return typeof name === 'string' ? name : ''
    })
    return shortened(names.join(', ') || 'a command')
  },
} satisfies TaskSpec<RedisCommandParameters>
