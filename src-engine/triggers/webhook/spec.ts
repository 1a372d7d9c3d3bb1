/** Webhook: starts when an address of the engine is called. */

import { z } from 'zod'
import { isJsonObject } from '../../model/json.ts'
import { lazily } from '../../model/lazily.ts'
import { webhookAnswerMsMax, webhookBodyBytesMax } from '../../model/limits.ts'
import { shortened, textParameter } from '../../model/summary.ts'
import type { TriggerSpec } from '../../model/trigger-spec.ts'

const secret = lazily(() =>
  z.string().min(1).meta({
    title: 'Name of the secret',
    widget: 'secret-name',
    description: 'In the vault. The secret itself is never kept with the workflow.',
  }),
)
const previousSecret = lazily(() =>
  z.string().default('').meta({
    title: 'Name of the secret before',
    widget: 'secret-name',
    description: 'Still accepted while senders change over to the new one. Empty: none.',
  }),
)
const keyed = lazily(() => ({ secret: secret(), previousSecret: previousSecret() }))

const auth = lazily(() =>
  z
    .discriminatedUnion('kind', [
      z.object({ kind: z.literal('standard'), ...keyed() }).meta({ title: 'Standard Webhooks' }),
      z.object({ kind: z.literal('github'), ...keyed() }).meta({ title: 'GitHub' }),
      z.object({ kind: z.literal('stripe'), ...keyed() }).meta({ title: 'Stripe' }),
      z.object({ kind: z.literal('slack'), ...keyed() }).meta({ title: 'Slack' }),
      z
        .object({
          kind: z.literal('hmac'),
          ...keyed(),
          header: z
            .string()
            .regex(/^[A-Za-z0-9-]+$/)
            .default('x-signature')
            .meta({ title: 'Header of the signature' }),
          algorithm: z.enum(['sha256', 'sha512', 'sha1']).default('sha256').meta({ title: 'Algorithm' }),
          encoding: z.enum(['hex', 'base64']).default('hex').meta({ title: 'Written as' }),
          prefix: z.string().max(40).default('').meta({ title: 'Text before the signature' }),
          idHeader: z
            .string()
            .regex(/^[A-Za-z0-9-]*$/)
            .default('')
            .meta({
              title: 'Header of the message’s id',
              description: 'A message with an id that came before starts nothing again.',
            }),
        })
        .meta({ title: 'Another signature (HMAC)' }),
      z.object({ kind: z.literal('bearer'), ...keyed() }).meta({ title: 'Bearer token' }),
      z
        .object({
          kind: z.literal('basic'),
          ...keyed(),
          username: z
            .string()
            .min(1)
            .regex(/^[^:]*$/, 'A user name has no colon.')
            .meta({ title: 'User name' }),
        })
        .meta({ title: 'Basic' }),
      z.object({ kind: z.literal('none') }).meta({
        title: 'None: whoever knows the address',
        description: 'Anybody who learns the address can start this workflow.',
      }),
    ])
    .default({ kind: 'standard', secret: '', previousSecret: '' })
    .meta({ title: 'Sign in', description: 'How callers prove who they are.' }),
)

/** How callers prove who they are. */
export type WebhookAuth = z.infer<ReturnType<typeof auth>>

const respond = lazily(() =>
  z
    .discriminatedUnion('kind', [
      z.object({ kind: z.literal('now') }).meta({ title: 'At once, with the run’s id' }),
      z.object({ kind: z.literal('end') }).meta({ title: 'At the end, with the run’s output' }),
      z
        .object({ kind: z.literal('node'), node: z.string().min(1).meta({ title: 'Step' }) })
        .meta({ title: 'With the output of a step' }),
    ])
    .default({ kind: 'now' })
    .meta({ title: 'Answer', description: 'When callers get their answer, and what it is.' }),
)

/** As a form has them: it may say yet that a secret is needed, and not which. */
export const webhookFields = lazily(() =>
  z.strictObject({
    path: z
      .string()
      .max(200)
      .regex(/^[A-Za-z0-9][A-Za-z0-9/_-]*$/, 'Use letters, digits, “-”, “_” and “/”.')
      .meta({
        title: 'Path',
        description: 'The last part of the address, for people to know it by. What guards it comes before.',
        placeholder: 'orders/new',
        expressions: false,
      }),
    method: z.enum(['POST', 'PUT', 'GET']).default('POST').meta({ title: 'Method' }),
    auth: auth(),
    filter: z.unknown().default('').meta({
      title: 'Only if',
      description: 'JSONata over the call, or fields that it must have. Empty: every call that is believed.',
      widget: 'expression',
      language: 'jsonata',
      placeholder: 'event.payload.body.action = "opened"',
      group: 'What it starts',
    }),
    input: z.unknown().default('').meta({
      title: 'Input',
      description:
        'JSONata over the call for what the run gets. Empty: method, path, query, headers and body.',
      widget: 'expression',
      language: 'jsonata',
      placeholder: 'event.payload.body',
      group: 'What it starts',
    }),
    respond: respond(),
    answerTimeoutMs: z.int().min(1_000).max(webhookAnswerMsMax).default(30_000).meta({
      title: 'Wait for the answer',
      description: 'Callers who would wait longer get the run’s id instead.',
      widget: 'duration',
      group: 'Limits',
    }),
    maxBodyBytes: z.int().min(1).max(webhookBodyBytesMax).default(webhookBodyBytesMax).meta({
      title: 'Largest body',
      description: 'In bytes.',
      group: 'Limits',
    }),
    callsPerMinute: z.int().min(1).max(60_000).default(600).meta({
      title: 'Calls per minute',
      description: 'From one caller. What is more is refused.',
      group: 'Limits',
    }),
  }),
)

// A default isn't held against its own schema.
const parameters = lazily(() =>
  webhookFields().refine(({ auth: given }) => given.kind === 'none' || given.secret !== '', {
    path: ['auth', 'secret'],
    error: 'Name the secret that callers prove themselves with, or say that none is needed.',
  }),
)

/** What a webhook says, with its defaults. */
export type WebhookParameters = z.infer<ReturnType<typeof parameters>>

export const webhookSpec = {
  kind: 'webhook',
  title: 'On a web call',
  description: 'Starts when an address of the engine is called.',
  icon: 'webhook',
  get parameters() {
    return parameters()
  },
  defaults: { path: '', method: 'POST' },
  reach: [
    { what: 'secrets', field: 'auth.secret' },
    { what: 'secrets', field: 'auth.previousSecret' },
  ],
  startsOn: (raw) => {
    const { auth: given = { kind: 'standard' } } = raw
    const kind = isJsonObject(given) ? textParameter(given, 'kind') : ''
    const who = kind === 'none' ? 'whoever knows the address' : `callers with a secret (${kind})`
    return `${textParameter(raw, 'method', 'POST')} /${textParameter(raw, 'path')} from ${who}`
  },
  summary: (raw) => shortened(`${textParameter(raw, 'method', 'POST')} /${textParameter(raw, 'path')}`),
} satisfies TriggerSpec<WebhookParameters>
