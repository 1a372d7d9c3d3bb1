/** Object store: put, get, list and delete objects of S3 and what speaks its protocol, and sign addresses. */

import { z } from 'zod'
import { lazily } from '../../model/lazily.ts'
import { taskOutputBytesMax } from '../../model/limits.ts'
import { shortened, textParameter } from '../../model/summary.ts'
import type { TaskSpec } from '../../model/task-spec.ts'
import { singleOutput } from '../../model/task-spec.ts'

/** Of a file; its parts are counted, and the disk has room for more than the memory. */
const bytesMax = 1_000_000_000_000

const parameters = lazily(() =>
  z
    .strictObject({
      mode: z
        .enum(['get', 'put', 'list', 'delete', 'presign'])
        .default('get')
        .meta({
          title: 'Do',
          choices: {
            get: { title: 'Get an object' },
            put: { title: 'Put an object' },
            list: { title: 'List objects' },
            delete: { title: 'Delete an object' },
            presign: { title: 'Sign an address', hint: 'Who has it can get or put the object for a while.' },
          },
        }),
      bucket: z
        .string()
        .regex(/^[a-z0-9][a-z0-9.-]{1,62}$/, 'A bucket’s name has small letters, digits, dots and dashes.')
        .meta({ title: 'Bucket' }),
      key: z
        .string()
        .max(1_024)
        .default('')
        .meta({
          title: 'Key',
          placeholder: 'reports/{{ input.day }}.csv',
          when: { mode: ['get', 'put', 'delete', 'presign'] },
        }),
      prefix: z
        .string()
        .default('')
        .meta({ title: 'Keys that begin with', when: { mode: ['list'] } }),
      file: z
        .string()
        .default('')
        .meta({
          title: 'File',
          description: 'Where it comes from, or goes to. Empty: the content itself.',
          widget: 'path',
          when: { mode: ['get', 'put'] },
        }),
      content: z
        .unknown()
        .default('')
        .meta({
          title: 'Content',
          description: 'When there is no file. Anything that is not a text is put as JSON.',
          widget: 'multiline',
          when: { mode: ['put'] },
        }),
      contentType: z
        .string()
        .default('')
        .meta({ title: 'Content type', placeholder: 'text/csv', when: { mode: ['put'] } }),
      existing: z
        .enum(['replace', 'fail'])
        .default('replace')
        .meta({
          title: 'If the key exists',
          choices: { replace: { title: 'Replace it' }, fail: { title: 'The step fails' } },
          when: { mode: ['put'] },
        }),
      as: z
        .enum(['text', 'json', 'base64'])
        .default('text')
        .meta({
          title: 'Read it as',
          choices: { text: { title: 'Text' }, json: { title: 'JSON' }, base64: { title: 'Base64' } },
          when: { mode: ['get'] },
        }),
      signedFor: z
        .enum(['get', 'put'])
        .default('get')
        .meta({
          title: 'Who has the address may',
          choices: {
            get: { title: 'Get the object' },
            put: {
              title: 'Put it',
              hint: 'With a PUT request, until it expires; what is there is replaced.',
            },
          },
          when: { mode: ['presign'] },
        }),
      maxKeys: z
        .int()
        .min(1)
        .max(10_000)
        .default(1_000)
        .meta({ title: 'Most keys', when: { mode: ['list'] }, group: 'Limits' }),
      validMs: z
        .int()
        .min(1_000)
        .max(604_800_000)
        .default(3_600_000)
        .meta({ title: 'Valid for', widget: 'duration', when: { mode: ['presign'] } }),
      endpoint: z.string().default('').meta({
        title: 'Service',
        description:
          'Empty: Amazon S3 in that region. Others: their address, such as https://minio.local:9000.',
        group: 'Service',
      }),
      region: z
        .string()
        .regex(/^[a-z0-9-]{1,40}$/, 'Such as eu-central-1.')
        .default('us-east-1')
        .meta({ title: 'Region', group: 'Service' }),
      accessKey: z.string().min(1).meta({
        title: 'Access key',
        description: 'The name of the key pair. It is no secret, and stands in every signed address.',
        secret: 'allowed',
        group: 'Service',
      }),
      secretKey: z.string().min(1).meta({ title: 'Secret key', secret: 'expected', group: 'Service' }),
      sessionToken: z
        .string()
        .default('')
        .meta({ title: 'Session token', secret: 'expected', group: 'Service' }),
      maxBytes: z
        .int()
        .min(1)
        .max(bytesMax)
        .default(taskOutputBytesMax)
        .meta({
          title: 'Largest object',
          description: `In bytes. Without a file at most ${taskOutputBytesMax}.`,
          group: 'Limits',
        }),
      partBytes: z
        .int()
        .min(5_242_880)
        .max(1_000_000_000)
        .default(16_777_216)
        .meta({
          title: 'Size of a part',
          description: 'In bytes. A larger file is sent part by part; one is in memory at a time.',
          when: { mode: ['put'] },
          group: 'Limits',
        }),
      timeoutMs: z.int().min(1).max(3_600_000).default(60_000).meta({
        title: 'Timeout',
        widget: 'duration',
        group: 'Limits',
      }),
    })
    .refine((value) => value.mode === 'list' || value.key !== '', {
      path: ['key'],
      message: 'Write the key of the object.',
    }),
)

/** The resolved parameters of an object store. */
export type S3Parameters = z.infer<ReturnType<typeof parameters>>

export const s3Spec = {
  kind: 's3',
  title: 'Object store',
  description: 'Puts, gets, lists and deletes objects in S3 and its like, and signs addresses.',
  icon: 'cloud-upload',
  category: 'network',
  keywords: ['s3', 'object', 'store', 'bucket', 'aws', 'minio', 'upload', 'download', 'presign', 'cloud'],
  get parameters() {
    return parameters()
  },
  defaults: { mode: 'get', bucket: '', key: '', accessKey: '', secretKey: '' },
  hasInput: true,
  outputs: () => singleOutput,
  reach: [
    {
      what: 'hosts',
      field: 'endpoint',
      absent: (raw) =>
        `https://${textParameter(raw, 'bucket')}.s3.${textParameter(raw, 'region', 'us-east-1')}.amazonaws.com/`,
    },
    { what: 'paths', field: 'file' },
  ],
  sideEffect: 'idempotent',
  undoneBy: (raw) => {
    if (raw['mode'] !== 'put') return null
    const service = ['bucket', 'endpoint', 'region', 'accessKey', 'secretKey', 'sessionToken']
    const same = Object.entries(raw).filter(([name]) => service.includes(name))
    const key = '{{ original.output.key }}'
    return { kind: 's3', parameters: { ...Object.fromEntries(same), mode: 'delete', key } }
  },
  execution: 'runner',
  summary: (raw) => {
    const name =
      raw['mode'] === 'list' ? textParameter(raw, 'prefix', '') : textParameter(raw, 'key', 'an object')
    return shortened(
      `${textParameter(raw, 'mode', 'get')} ${textParameter(raw, 'bucket', 'a bucket')}/${name}`,
    )
  },
} satisfies TaskSpec<S3Parameters>
