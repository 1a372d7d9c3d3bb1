/** HTTP request: calls a web address and hands the response on. */

import { z } from 'zod'
import { lazily } from '../../model/lazily.ts'
import { requestBodyBytesMax, responseFileBytesMax, taskOutputBytesMax } from '../../model/limits.ts'
import { pagesField } from '../../model/request-pages.ts'
import { authorityField } from '../../model/server-fields.ts'
import { shortened, textParameter } from '../../model/summary.ts'
import type { TaskSpec } from '../../model/task-spec.ts'
import { singleOutput } from '../../model/task-spec.ts'

const scalar = lazily(() => z.union([z.string(), z.number(), z.boolean()]))

const auth = lazily(() =>
  z
    .discriminatedUnion('kind', [
      z.object({ kind: z.literal('none') }).meta({ title: 'None' }),
      z
        .object({
          kind: z.literal('basic'),
          username: z.string().default('').meta({ title: 'User name', secret: 'allowed' }),
          password: z.string().default('').meta({ title: 'Password', secret: 'expected' }),
        })
        .meta({ title: 'Basic' }),
      z
        .object({
          kind: z.literal('bearer'),
          token: z
            .string()
            .min(1)
            .meta({ title: 'Token', description: 'Sent as “Authorization: Bearer …”.', secret: 'expected' }),
        })
        .meta({ title: 'Bearer token' }),
      z
        .object({
          kind: z.literal('api-key'),
          placement: z
            .enum(['header', 'query'])
            .default('header')
            .meta({
              title: 'Send it as',
              choices: { header: { title: 'A header' }, query: { title: 'A part of the address' } },
            }),
          name: z.string().min(1).default('X-API-Key').meta({ title: 'Name' }),
          value: z.string().min(1).meta({ title: 'Key', secret: 'expected' }),
        })
        .meta({ title: 'API key' }),
      z
        .object({
          kind: z.literal('oauth2'),
          tokenUrl: z.string().min(1).meta({
            title: 'Token address',
            description: 'Where the access token comes from. It is kept until it expires.',
            placeholder: 'https://login.example.com/oauth2/token',
          }),
          clientId: z.string().min(1).meta({ title: 'Client ID', secret: 'allowed' }),
          clientSecret: z.string().min(1).meta({ title: 'Client secret', secret: 'expected' }),
          scope: z.string().default('').meta({
            title: 'Scope',
            description: 'What the token is for, as the service names it. May be empty.',
          }),
          placement: z
            .enum(['header', 'body'])
            .default('header')
            .meta({
              title: 'Send the client as',
              choices: { header: { title: 'User name and password' }, body: { title: 'Form fields' } },
            }),
        })
        .meta({ title: 'OAuth 2 client' }),
    ])
    .default({ kind: 'none' })
    .meta({
      title: 'Sign in',
      description: 'How the request proves who you are. Never sent on to another host by a redirect.',
      group: 'Sign in',
    }),
)

/** A field of a form, or a file of it. */
const part = lazily(() =>
  z.object({
    name: z.string().min(1).meta({ title: 'Name' }),
    value: scalar().default('').meta({ title: 'Value', description: 'When there is no file.' }),
    file: z.string().default('').meta({ title: 'File', widget: 'path' }),
    contentType: z.string().default('').meta({ title: 'Content type', placeholder: 'text/csv' }),
  }),
)

const body = lazily(() =>
  z
    .discriminatedUnion('kind', [
      z.object({ kind: z.literal('none') }).meta({ title: 'None' }),
      z
        .object({
          kind: z.literal('json'),
          value: z.unknown().meta({
            title: 'JSON',
            description: 'The value to send. Texts in it may hold expressions.',
            widget: 'code',
            language: 'json',
            placeholder: '{{ input }}',
          }),
        })
        .meta({ title: 'JSON' }),
      z
        .object({
          kind: z.literal('form'),
          fields: z.record(z.string(), scalar()).default({}).meta({ title: 'Fields', widget: 'key-value' }),
        })
        .meta({ title: 'Form fields' }),
      z
        .object({
          kind: z.literal('text'),
          text: z.string().default('').meta({ title: 'Text', widget: 'multiline' }),
          contentType: z.string().min(1).default('text/plain').meta({ title: 'Content type' }),
        })
        .meta({ title: 'Text' }),
      z
        .object({
          kind: z.literal('multipart'),
          parts: z.array(part()).default([]).meta({ title: 'Parts' }),
        })
        .meta({ title: 'Form with files (multipart)' }),
      z
        .object({
          kind: z.literal('file'),
          file: z.string().min(1).meta({ title: 'File', widget: 'path' }),
          contentType: z.string().min(1).default('application/octet-stream').meta({ title: 'Content type' }),
        })
        .meta({ title: 'File' }),
    ])
    .default({ kind: 'none' })
    .meta({
      title: 'Body',
      description: `What is sent along: at most ${requestBodyBytesMax / 1_000_000} MB. A GET or HEAD request has none.`,
      secret: 'allowed',
    }),
)

const parameters = lazily(() =>
  z
    .strictObject({
      method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']).default('GET').meta({
        title: 'Method',
        description: 'GET reads, POST creates, PUT replaces, PATCH changes, DELETE removes.',
      }),
      url: z.string().min(1).meta({
        title: 'Address',
        description: 'The full address, starting with http:// or https://.',
        placeholder: 'https://example.com/orders/{{ input.id }}',
      }),
      query: z.record(z.string(), scalar()).default({}).meta({
        title: 'Query',
        description: 'Added to the address after the question mark.',
        widget: 'key-value',
      }),
      headers: z.record(z.string(), scalar()).default({}).meta({
        title: 'Headers',
        description: 'Sent with the request.',
        widget: 'key-value',
        secret: 'allowed',
      }),
      body: body(),
      auth: auth(),
      response: z
        .enum(['auto', 'json', 'text', 'base64', 'items', 'file'])
        .default('auto')
        .meta({
          title: 'Read the response as',
          choices: {
            auto: { title: 'What the server says', hint: 'By the content type that it names.' },
            json: { title: 'JSON' },
            text: { title: 'Text' },
            base64: { title: 'Base64', hint: 'For pictures and other binary files.' },
            items: {
              title: 'Items, while they come',
              hint: 'JSON lines, server-sent events or lines of text: each is seen in the log at once.',
            },
            file: { title: 'A file', hint: 'The body is written to the disk, and its place handed on.' },
          },
          group: 'Response',
        }),
      file: z
        .string()
        .default('')
        .meta({
          title: 'File',
          description: 'Replaced in one piece once everything is there. Missing folders are made.',
          widget: 'path',
          when: { response: ['file'] },
          group: 'Response',
        }),
      maxFileBytes: z
        .int()
        .min(1)
        .max(responseFileBytesMax)
        .default(100_000_000)
        .meta({
          title: 'Largest file',
          description: 'In bytes.',
          when: { response: ['file'] },
          group: 'Response',
        }),
      itemForm: z
        .enum(['auto', 'json', 'events', 'text'])
        .default('auto')
        .meta({
          title: 'Each item is',
          choices: {
            auto: { title: 'What the server says', hint: 'By the content type that it names.' },
            json: { title: 'A line of JSON' },
            events: { title: 'A server-sent event', hint: 'As “event”, “data” and “id”.' },
            text: { title: 'A line of text' },
          },
          when: { response: ['items'] },
          group: 'Response',
        }),
      lastItem: z
        .string()
        .default('')
        .meta({
          title: 'Ends with',
          description: 'The text after which nothing more is waited for. Empty: the end of the response.',
          placeholder: '[DONE]',
          when: { response: ['items'] },
          group: 'Response',
        }),
      maxItems: z
        .int()
        .min(1)
        .max(1_000_000)
        .default(10_000)
        .meta({ title: 'Most items', when: { response: ['items'] }, group: 'Response' }),
      whenMore: z
        .enum(['fail', 'cut'])
        .default('fail')
        .meta({
          title: 'If there are more',
          choices: {
            fail: { title: 'The step fails' },
            cut: { title: 'Keep what came', hint: 'The output says “isCut”.' },
          },
          when: { response: ['items'] },
          group: 'Response',
        }),
      successCodes: z
        .string()
        .regex(
          /^\s*\d{3}(\s*-\s*\d{3})?(\s*,\s*\d{3}(\s*-\s*\d{3})?)*\s*$/,
          'Write codes such as “200-299, 404”.',
        )
        .default('200-299')
        .meta({
          title: 'Success codes',
          description: 'Status codes that count as success. Any other fails the step.',
          placeholder: '200-299, 404',
          group: 'Response',
        }),
      maxResponseBytes: z.int().min(1).max(taskOutputBytesMax).default(5_000_000).meta({
        title: 'Largest response',
        description: 'In bytes. A larger response fails the step instead of filling the memory.',
        group: 'Response',
      }),
      pages: pagesField(),
      timeoutMs: z.int().min(1).max(3_600_000).default(30_000).meta({
        title: 'Timeout',
        description: 'How long the server may take, from connecting to the last byte. Each page has as long.',
        widget: 'duration',
        group: 'Connection',
      }),
      followRedirects: z.boolean().default(true).meta({
        title: 'Follow redirects',
        description: 'At most five. Each new address is checked like the first.',
        group: 'Connection',
      }),
      proxy: z.string().default('').meta({
        title: 'Proxy',
        description:
          'Every connection goes through it, by CONNECT. Its host must be one that the step may reach.',
        placeholder: 'http://proxy.example:3128',
        group: 'Connection',
      }),
      proxyUser: z.string().default('').meta({
        title: 'User name for the proxy',
        secret: 'allowed',
        group: 'Connection',
      }),
      proxyPassword: z.string().default('').meta({
        title: 'Password for the proxy',
        secret: 'expected',
        group: 'Connection',
      }),
      authority: authorityField({ group: 'Connection' }),
      clientCertificate: z.string().default('').meta({
        title: 'Client certificate',
        description:
          'PEM text, for servers that ask who you are by it. Never shown to another host by a redirect.',
        widget: 'multiline',
        secret: 'allowed',
        group: 'Connection',
      }),
      clientKey: z.string().default('').meta({
        title: 'Key of the certificate',
        description: 'PEM text.',
        widget: 'multiline',
        secret: 'expected',
        group: 'Connection',
      }),
    })
    .refine(
      ({ clientCertificate, clientKey }) => (clientCertificate.trim() === '') === (clientKey.trim() === ''),
      {
        path: ['clientKey'],
        message: 'A client certificate and its key go together.',
      },
    )
    .refine(({ response, file }) => response !== 'file' || file.trim() !== '', {
      path: ['file'],
      message: 'Name the file to write.',
    })
    .refine(({ response, pages }) => pages.kind === 'none' || (response !== 'file' && response !== 'items'), {
      path: ['response'],
      message: 'Pages are read as JSON: choose another way to read the response.',
    }),
)

/** The resolved parameters of an HTTP request. */
export type HttpRequestParameters = z.infer<ReturnType<typeof parameters>>

export const httpRequestSpec = {
  kind: 'http-request',
  title: 'HTTP request',
  description: 'Calls a web address and hands on status, headers and body of the response.',
  icon: 'globe',
  category: 'network',
  keywords: ['http', 'https', 'api', 'rest', 'web', 'url', 'fetch', 'get', 'post', 'webhook', 'call', 'curl'],
  get parameters() {
    return parameters()
  },
  defaults: { method: 'GET', url: '' },
  hasInput: true,
  outputs: () => singleOutput,
  reach: [
    { what: 'hosts', field: 'url' },
    { what: 'hosts', field: 'auth.tokenUrl' },
    { what: 'hosts', field: 'proxy' },
    { what: 'paths', field: 'file' },
    { what: 'paths', field: 'body.file' },
    { what: 'paths', field: 'body.parts.*.file' },
  ],
  sideEffect: 'keyed',
  execution: 'runner',
  summary: (raw) => {
    const url = textParameter(raw, 'url').replace(/^https?:\/\//, '')
    return shortened(`${textParameter(raw, 'method', 'GET')} ${url === '' ? 'an address' : url}`)
  },
} satisfies TaskSpec<HttpRequestParameters>
