/** Wait for webhook: stands still until somebody outside calls an address that is this step’s alone. */

import { z } from 'zod'
import type { JsonObject } from '../../model/json.ts'
import { lazily } from '../../model/lazily.ts'
import { bufferedSignalsMax, webhookBodyBytesMax } from '../../model/limits.ts'
import { secretNamePattern } from '../../model/secret.ts'
import { secretMention } from '../../model/secret-references.ts'
import { shortened } from '../../model/summary.ts'
import type { PortSpec, TaskSpec } from '../../model/task-spec.ts'

const header = lazily(() =>
  z
    .string()
    .max(100)
    .regex(/^[A-Za-z0-9-]*$/, 'Use letters, digits and “-”.'),
)

const secret = lazily(() =>
  z.string().min(1).meta({
    title: 'Secret',
    description: 'What callers prove themselves with.',
    secret: 'expected',
    placeholder: '{{ secrets.NAME }}',
  }),
)

// Calls may come before the step has begun: what is asked of them can’t depend on data.
const auth = lazily(() =>
  z
    .discriminatedUnion('kind', [
      z.object({ kind: z.literal('none') }).meta({ title: 'None: whoever knows the address' }),
      z.object({ kind: z.literal('standard'), secret: secret() }).meta({ title: 'Standard Webhooks' }),
      z
        .object({
          kind: z.literal('hmac'),
          secret: secret(),
          header: header()
            .min(1)
            .default('x-signature')
            .meta({ title: 'Header of the signature', expressions: false }),
          algorithm: z
            .enum(['sha256', 'sha512', 'sha1'])
            .default('sha256')
            .meta({
              title: 'Algorithm',
              expressions: false,
              choices: {
                sha256: { title: 'SHA-256' },
                sha512: { title: 'SHA-512' },
                sha1: { title: 'SHA-1' },
              },
            }),
          encoding: z
            .enum(['hex', 'base64'])
            .default('hex')
            .meta({
              title: 'Written as',
              expressions: false,
              choices: { hex: { title: 'Hexadecimal' }, base64: { title: 'Base64' } },
            }),
          prefix: z
            .string()
            .max(40)
            .default('')
            .meta({ title: 'Text before the signature', expressions: false }),
          idHeader: header().default('').meta({
            title: 'Header of the message’s id',
            description: 'A message with an id that came before counts once.',
            expressions: false,
          }),
        })
        .meta({ title: 'Another signature (HMAC)' }),
      z.object({ kind: z.literal('bearer'), secret: secret() }).meta({ title: 'Bearer token' }),
      z
        .object({
          kind: z.literal('basic'),
          username: z
            .string()
            .min(1)
            .regex(/^[^:]*$/, 'A user name has no colon.')
            .meta({ title: 'User name', expressions: false }),
          secret: secret(),
        })
        .meta({ title: 'Basic' }),
    ])
    .default({ kind: 'none' })
    .meta({
      title: 'Sign in',
      description: 'What callers must prove beside knowing the address.',
      group: 'Who may call',
    }),
)

/** How callers of a step prove who they are. */
export type CallAuth = z.infer<ReturnType<typeof auth>>

/** What is asked of a call and what it gets: known before the step begins. */
const rules = lazily(() => ({
  method: z
    .enum(['POST', 'PUT', 'GET', 'any'])
    .default('POST')
    .meta({
      title: 'Method',
      expressions: false,
      choices: {
        POST: { title: 'POST' },
        PUT: { title: 'PUT' },
        GET: { title: 'GET', hint: 'For links and QR codes. What looks at links beforehand calls it, too.' },
        any: { title: 'Any of them' },
      },
    }),
  calls: z.int().min(1).max(bufferedSignalsMax).default(1).meta({
    title: 'Calls',
    expressions: false,
    description: 'How many it waits for. More than one are handed on as a list.',
  }),
  auth: auth(),
  check: z
    .enum(['none', 'schema', 'condition'])
    .default('none')
    .meta({
      title: 'It must fit',
      expressions: false,
      group: 'What is taken',
      choices: {
        none: { title: 'Nothing' },
        schema: { title: 'A JSON Schema' },
        condition: { title: 'A condition' },
      },
    }),
  schema: z
    .unknown()
    .default(null)
    .meta({
      title: 'JSON Schema',
      description: 'Of the body. What doesn’t fit is refused, and the caller is told why.',
      widget: 'code',
      language: 'json',
      expressions: false,
      group: 'What is taken',
      when: { check: ['schema'] },
    }),
  condition: z
    .string()
    .max(10_000)
    .default('')
    .meta({
      title: 'Condition',
      description: 'JSONata that must be true. Its input is the call: method, query, headers and body.',
      widget: 'code',
      language: 'jsonata',
      expressions: false,
      placeholder: 'input.body.status = "paid"',
      group: 'What is taken',
      when: { check: ['condition'] },
    }),
  maxBodyBytes: z.int().min(0).max(webhookBodyBytesMax).default(webhookBodyBytesMax).meta({
    title: 'Largest body',
    expressions: false,
    description: 'In bytes.',
    group: 'What is taken',
  }),
  answerStatus: z
    .int()
    .min(200)
    .max(299)
    .default(200)
    .meta({ title: 'Status', expressions: false, group: 'Answer' }),
  answerBody: z.string().max(10_000).default('Thank you.').meta({
    title: 'Text',
    description: 'What callers get when their call is taken. JSON is sent as such.',
    widget: 'multiline',
    expressions: false,
    group: 'Answer',
  }),
}))

const parameters = lazily(() =>
  z
    .strictObject({
      ...rules(),
      onTimeout: z
        .enum(['wait', 'port', 'fail'])
        .default('wait')
        .meta({
          title: 'When nothing comes',
          group: 'Time',
          choices: {
            wait: { title: 'Wait for ever' },
            port: { title: 'Leave by the timeout way' },
            fail: { title: 'Fail' },
          },
        }),
      amount: z
        .number()
        .min(0)
        .max(1_000_000_000)
        .default(1)
        .meta({
          title: 'Amount',
          description: 'How long to wait for it.',
          group: 'Time',
          when: { onTimeout: ['port', 'fail'] },
        }),
      unit: z
        .enum(['milliseconds', 'seconds', 'minutes', 'hours', 'days'])
        .default('days')
        .meta({ title: 'Unit', group: 'Time', when: { onTimeout: ['port', 'fail'] } }),
    })
    .refine(({ check, condition }) => check !== 'condition' || condition.trim() !== '', {
      path: ['condition'],
      message: 'Say what must be true of a call.',
    }),
)

/** The resolved parameters of a wait for web calls. */
export type WaitWebhookParameters = z.infer<ReturnType<typeof parameters>>

const callRules = lazily(() => z.object(rules()))

/** What a document says of calls; `secret` in it as it is written there. */
export type CallRules = z.infer<ReturnType<typeof callRules>>

/** Of raw parameters; null for those that don't fit. */
export function callRulesOf(raw: JsonObject): CallRules | null {
  const read = callRules().safeParse(raw)
  return read.success ? read.data : null
}

/** The secret that callers prove themselves with, by its name or as the text itself; null for none. */
export function callSecretOf(given: CallAuth): { readonly name: string } | { readonly text: string } | null {
  if (given.kind === 'none') return null
  const inner = /^\s*\{\{([\s\S]*)\}\}\s*$/.exec(given.secret)?.[1]
  const mention = inner === undefined ? null : secretMention(inner)
  if (mention?.kind === 'whole' && secretNamePattern.test(mention.name)) return { name: mention.name }
  return { text: given.secret }
}

const callPort: PortSpec = { id: 'out', title: 'Call' }
const onlyCall: readonly PortSpec[] = [callPort]
const withTimeout: readonly PortSpec[] = [callPort, { id: 'timeout', title: 'Timeout' }]

export const waitWebhookSpec = {
  kind: 'wait-webhook',
  title: 'Wait for webhook',
  description: 'Waits until somebody outside calls an address of its own. Calls that come early are kept.',
  icon: 'phone-incoming',
  category: 'flow',
  keywords: ['webhook', 'callback', 'wait', 'call', 'address', 'url', 'link', 'qr', 'external', 'resume'],
  get parameters() {
    return parameters()
  },
  defaults: { method: 'POST', onTimeout: 'wait' },
  hasInput: true,
  outputs: (raw) => (raw['onTimeout'] === 'port' ? withTimeout : onlyCall),
  sideEffect: 'pure',
  execution: 'runner',
  summary: (raw) => {
    const calls = typeof raw['calls'] === 'number' && raw['calls'] > 1 ? `${raw['calls']} × ` : ''
    const method = typeof raw['method'] === 'string' ? raw['method'] : 'POST'
    return shortened(`${calls}${method === 'any' ? 'any call' : method}`)
  },
} satisfies TaskSpec<WaitWebhookParameters>
