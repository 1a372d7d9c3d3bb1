/** Webhook: starts when an address of the engine is called. */

import { z } from 'zod'
import { webhookBodyBytesMax } from '../../model/limits.ts'
import { shortened, textParameter } from '../../model/summary.ts'
import type { TriggerSpec } from '../../model/trigger-spec.ts'

const auth = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('none') }).meta({ title: 'None' }),
    z
      .object({ kind: z.literal('hmac'), secret: z.string().min(1).meta({ title: 'Name of the secret' }) })
      .meta({ title: 'Signature (HMAC)' }),
    z
      .object({ kind: z.literal('bearer'), secret: z.string().min(1).meta({ title: 'Name of the secret' }) })
      .meta({ title: 'Bearer token' }),
    z
      .object({
        kind: z.literal('basic'),
        username: z.string().min(1).meta({ title: 'User name' }),
        secret: z.string().min(1).meta({ title: 'Name of the secret' }),
      })
      .meta({ title: 'Basic' }),
  ])
  .default({ kind: 'none' })
  .meta({ title: 'Sign in', description: 'How callers prove who they are.' })

const parameters = z.strictObject({
  path: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9/_-]*$/, 'Use letters, digits, “-”, “_” and “/”.')
    .meta({
      title: 'Path',
      description: 'The last part of the address.',
      placeholder: 'orders/new',
      expressions: false,
    }),
  method: z.enum(['POST', 'PUT', 'GET']).default('POST').meta({ title: 'Method' }),
  auth,
  respond: z.enum(['now', 'end']).default('now').meta({
    title: 'Answer',
    description: 'At once with the run’s id, or at the end with its output.',
  }),
  maxBodyBytes: z.int().min(1).max(webhookBodyBytesMax).default(webhookBodyBytesMax).meta({
    title: 'Largest body',
    description: 'In bytes.',
    group: 'Limits',
  }),
})

export const webhookSpec = {
  kind: 'webhook',
  title: 'On a web call',
  description: 'Starts when an address of the engine is called.',
  icon: 'webhook',
  parameters,
  defaults: { path: '', method: 'POST' },
  summary: (raw) => shortened(`${textParameter(raw, 'method', 'POST')} /${textParameter(raw, 'path')}`),
} satisfies TriggerSpec<z.infer<typeof parameters>>
