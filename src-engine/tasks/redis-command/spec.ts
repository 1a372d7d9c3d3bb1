/** Redis command: asks or changes a Redis server; several commands at once, if wished as one. */

import { z } from 'zod'
import { lazily } from '../../model/lazily.ts'
import { authorityField, tlsField } from '../../model/server-fields.ts'
import { shortened, textParameter } from '../../model/summary.ts'
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
    ttlMs: z.int().min(0).max(315_360_000_000).default(0).meta({
      title: 'Its key goes away after',
      description: 'Counted from now, for the first argument. 0: as it is.',
      widget: 'duration',
    }),
  }),
)

const parameters = lazily(() =>
  z
    .strictObject({
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
      mode: z
        .enum(['commands', 'script'])
        .default('commands')
        .meta({
          title: 'Send',
          choices: {
            commands: { title: 'Commands', hint: 'All in one go (a pipeline).' },
            script: { title: 'A script', hint: 'In Lua; the server runs all of it before anything else.' },
          },
        }),
      commands: z
        .array(command())
        .max(1_000)
        .default([])
        .meta({ title: 'Commands', when: { mode: ['commands'] } }),
      atomic: z
        .boolean()
        .default(false)
        .meta({
          title: 'As one',
          description: 'In a transaction: nobody else comes in between (MULTI … EXEC).',
          when: { mode: ['commands'] },
        }),
      script: z
        .string()
        .max(200_000)
        .default('')
        .meta({
          title: 'Script',
          description:
            'Lua. Data never stands in it: it reads KEYS[1] and ARGV[1]. Expressions mean nothing here.',
          widget: 'code',
          language: 'lua',
          expressions: false,
          placeholder: "return redis.call('INCRBY', KEYS[1], ARGV[1])",
          when: { mode: ['script'] },
        }),
      keys: z
        .array(z.string())
        .max(10_000)
        .default([])
        .meta({
          title: 'Keys',
          description: 'What it reads or writes. On a cluster all in one slot: {order}:1, {order}:2.',
          when: { mode: ['script'] },
        }),
      arguments: z
        .array(z.unknown())
        .max(10_000)
        .default([])
        .meta({
          title: 'Arguments',
          description: 'What is no text or number goes as JSON.',
          when: { mode: ['script'] },
        }),
      readsOnly: z
        .boolean()
        .default(false)
        .meta({
          title: 'It only reads',
          description: 'Then the server refuses what writes (EVAL_RO, from Redis 7).',
          when: { mode: ['script'] },
        }),
      timeoutMs: z.int().min(1).max(600_000).default(10_000).meta({
        title: 'Timeout',
        widget: 'duration',
        group: 'Limits',
      }),
    })
    .refine(({ mode, commands }) => mode !== 'commands' || commands.length > 0, {
      path: ['commands'],
      message: 'Write at least one command.',
    })
    .refine(({ mode, script }) => mode !== 'script' || script.trim() !== '', {
      path: ['script'],
      message: 'Write the script.',
    }),
)

/** The resolved parameters of Redis commands. */
export type RedisCommandParameters = z.infer<ReturnType<typeof parameters>>

export const redisCommandSpec = {
  kind: 'redis-command',
  title: 'Redis command',
  description: 'Asks or changes a Redis server, by commands or a script.',
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
    'lua',
    'script',
    'ttl',
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
    const { commands, mode } = raw
    if (mode === 'script') return shortened(textParameter(raw, 'script', 'a script'))
    const names = (Array.isArray(commands) ? commands : []).map((one) => {
      const name = typeof one === 'object' && one !== null && 'name' in one ? one['name'] : ''
      return typeof name === 'string' ? name : ''
    })
    return shortened(names.join(', ') || 'a command')
  },
} satisfies TaskSpec<RedisCommandParameters>
