/** Docker run: runs a program in a container of an image, within limits, and hands on what it printed. */

import { z } from 'zod'
import type { JsonObject } from '../../model/json.ts'
import { isJsonObject } from '../../model/json.ts'
import { lazily } from '../../model/lazily.ts'
import {
  checkPattern,
  exitCodeFields,
  exitMeaningsField,
  exitWays,
  maxOutputBytesField,
  outputFields,
  wordTold,
} from '../../model/program-fields.ts'
import { shortened, textParameter, wordText } from '../../model/summary.ts'
import type { TaskSpec } from '../../model/task-spec.ts'
import { singleOutput } from '../../model/task-spec.ts'

const scalar = lazily(() => z.union([z.string(), z.number(), z.boolean()]))

/** Read by the command line of the container engine itself: what a step says must not change where that goes. */
const enginesOwn =
  /^(PATH|HOME|LANG|TMPDIR|GODEBUG|NOTIFY_SOCKET|((LD|DYLD|DOCKER|PODMAN|CONTAINERS?|REGISTRY|XDG|SSL_CERT)_.*)|.*_PROXY)$/i

const mount = lazily(() =>
  z.object({
    source: z.string().min(1).meta({
      title: 'Folder or file here',
      description: 'One that the workflow may use.',
      widget: 'path',
    }),
    target: z
      .string()
      .regex(/^\/[^\0\n]*$/, 'Write a path that begins with /.')
      .meta({ title: 'Path in the container', placeholder: '/data' }),
    isWritable: z.boolean().default(false).meta({ title: 'May be written' }),
  }),
)

const limits = {
  memoryMb: z.int().min(6).max(1_048_576).default(512).meta({
    title: 'Memory',
    description: 'In MB. A program that needs more is ended by the engine.',
    group: 'Limits',
  }),
  cpus: z
    .number()
    .min(0.01)
    .max(1_024)
    .default(1)
    .meta({ title: 'Processors', description: 'How many it may use; 0.5 is half of one.', group: 'Limits' }),
  processes: z.int().min(1).max(100_000).default(256).meta({
    title: 'Most processes',
    group: 'Limits',
  }),
  maxOutputBytes: maxOutputBytesField,
}

const parameters = lazily(() =>
  z
    .strictObject({
      image: z
        .string()
        .regex(/^[a-z0-9][\w./:@-]*$/i, 'Write a name such as “alpine:3.20”.')
        .meta({
          title: 'Image',
          description:
            'With its tag or digest: without one it is the latest, which may be another one tomorrow.',
          placeholder: 'python:3.13-slim',
        }),
      command: z.array(scalar()).max(1_000).default([]).meta({
        title: 'Command',
        description:
          'A program and its arguments, each as it is: quotes, spaces and $ mean nothing. Empty: what the image runs.',
      }),
      mounts: z.array(mount()).max(50).default([]).meta({
        title: 'Folders',
        description: 'What of this machine it sees. Nothing else.',
      }),
      network: z
        .enum(['none', 'bridge'])
        .default('none')
        .meta({
          title: 'Network',
          choices: {
            none: { title: 'None' },
            bridge: {
              title: 'That of the engine',
              hint: 'It reaches what this machine reaches, private hosts too.',
            },
          },
        }),
      ...outputFields,
      env: z
        .record(
          z
            .string()
            .regex(/^[A-Za-z_][A-Za-z0-9_]*$/)
            .refine((name) => !enginesOwn.test(name), 'The container engine reads this variable itself.'),
          scalar(),
        )
        .default({})
        .meta({
          title: 'Variables',
          description: 'Environment variables of the program. Their values stand in no command line.',
          widget: 'key-value',
          secret: 'allowed',
          group: 'Environment',
        }),
      stdin: z.unknown().default('').meta({
        title: 'Standard input',
        description: 'Text the program can read. Anything that is not a text is handed over as JSON.',
        widget: 'multiline',
        secret: 'allowed',
        group: 'Environment',
      }),
      cwd: z
        .string()
        .regex(/^(\/[^\0\n]*)?$/, 'Write a path that begins with /.')
        .default('')
        .meta({
          title: 'Working folder',
          description: 'In the container. Empty: that of the image.',
          group: 'Environment',
        }),
      user: z
        .string()
        .regex(/^[\w.-]*(:[\w.-]+)?$/, 'Write a name or number, such as “1000:1000”.')
        .default('')
        .meta({
          title: 'User',
          description: 'Name or number. Empty: that of the image.',
          group: 'Environment',
        }),
      ...limits,
      engine: z
        .enum(['docker', 'podman'])
        .default('docker')
        .meta({
          title: 'Run by',
          choices: { docker: { title: 'Docker' }, podman: { title: 'Podman' } },
          expressions: false,
          group: 'Engine',
        }),
      pull: z
        .enum(['missing', 'always', 'never'])
        .default('missing')
        .meta({
          title: 'Fetch the image',
          choices: {
            missing: { title: 'When it isn’t there' },
            always: { title: 'Each time' },
            never: { title: 'Never' },
          },
          group: 'Engine',
        }),
      ...exitCodeFields,
      exitMeanings: exitMeaningsField,
    })
    .superRefine(checkPattern),
)

/** The resolved parameters of a container's run. */
export type DockerRunParameters = z.infer<ReturnType<typeof parameters>>

/** With what it sees and reaches, and what it is given: each can change what it does. */
function runTold(raw: JsonObject, image: string): string {
  const { stdin, command, mounts, env } = raw
  const words: readonly unknown[] = Array.isArray(command) ? command : command === undefined ? [] : [command]
  const rows: readonly unknown[] = Array.isArray(mounts) ? mounts : []
  const folders = rows.map((row) => {
    // An expression for a whole row is told as it stands.
    if (typeof row !== 'object' || row === null) return `-v ${wordTold(row)}`
    const { source = '', target = '', isWritable } = row as JsonObject
    const path = [source, target].map((one) => (typeof one === 'string' ? one : JSON.stringify(one)))
    return `-v ${wordTold(`${path.join(':')}${isWritable === true ? '' : ':ro'}`)}`
  })
  const names = Object.entries(isJsonObject(env ?? null) ? (env as JsonObject) : {})
  const variables = names.map(([name, value]) => `-e ${name}=${wordTold(value)}`)
  const place = [
    textParameter(raw, 'engine', 'docker'),
    'run',
    `--network=${textParameter(raw, 'network', 'none')}`,
  ]
  const fed = stdin === undefined || stdin === null || stdin === '' ? '' : ` <<< ${JSON.stringify(stdin)}`
  return [...place, ...folders, ...variables, image, ...words.map(wordTold)].join(' ') + fed
}

export const dockerRunSpec = {
  kind: 'docker-run',
  title: 'Docker run',
  description: 'Runs a program in a container of an image, shows its output live and hands it on.',
  icon: 'container',
  category: 'code',
  keywords: ['docker', 'podman', 'container', 'image', 'run', 'isolated', 'sandbox', 'python', 'oci'],
  get parameters() {
    return parameters()
  },
  defaults: { image: '', command: [] },
  hasInput: true,
  outputs: (raw) => [...singleOutput, ...exitWays(raw)],
  reach: [
    { what: 'commands', field: 'image', told: runTold },
    { what: 'paths', field: 'mounts.*.source' },
  ],
  sideEffect: 'unsafe',
  execution: 'runner',
  summary: (raw) => {
    const { command } = raw
    const words: readonly unknown[] = Array.isArray(command) ? command : []
    return shortened([textParameter(raw, 'image', 'an image'), ...words.map(wordText)].join(' '))
  },
} satisfies TaskSpec<DockerRunParameters>
