/** SSH command: runs a program of another machine, whose key is known, and hands on what it printed. */

import { z } from 'zod'
import type { JsonObject } from '../../model/json.ts'
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
import { shortened, textParameter } from '../../model/summary.ts'
import type { TaskSpec } from '../../model/task-spec.ts'
import { singleOutput } from '../../model/task-spec.ts'

const server = {
  host: z.string().min(1).meta({
    title: 'Server',
    description: 'Name or address. One outside the public internet must be in the workflow’s approved hosts.',
    placeholder: 'build.example.com',
  }),
  hostKeys: z.string().min(1).max(100_000).meta({
    title: 'Keys of the server',
    description:
      'Lines of a known_hosts file (ssh-keyscan prints them), or fingerprints such as SHA256:… Another key is refused.',
    widget: 'multiline',
    placeholder: 'build.example.com ssh-ed25519 AAAA…',
  }),
  user: z.string().min(1).meta({ title: 'User', secret: 'allowed' }),
  port: z.int().min(1).max(65_535).default(22).meta({ title: 'Port', group: 'Signing in' }),
  privateKey: z.string().default('').meta({
    title: 'Private key',
    description: 'In the form of OpenSSH or PEM.',
    secret: 'expected',
    placeholder: '{{ secrets.DEPLOY_KEY }}',
    group: 'Signing in',
  }),
  passphrase: z.string().default('').meta({
    title: 'Passphrase of the key',
    secret: 'expected',
    group: 'Signing in',
  }),
  password: z.string().default('').meta({ title: 'Password', secret: 'expected', group: 'Signing in' }),
}

const parameters = lazily(() =>
  z
    .strictObject({
      ...server,
      useShell: z.boolean().default(false).meta({
        title: 'Use a shell',
        description: 'Runs a command line with pipes and redirections instead of one program.',
      }),
      program: z
        .string()
        .default('')
        .meta({
          title: 'Program',
          description: 'A name found on the PATH of the server, or a path there.',
          placeholder: 'systemctl',
          when: { useShell: [false] },
        }),
      commandLine: z
        .string()
        .default('')
        .meta({
          title: 'Command line',
          description: 'Expressions mean nothing here: the arguments are "$1", "$2" and so on.',
          widget: 'code',
          expressions: false,
          placeholder: 'journalctl -u "$1" | tail -n 20',
          when: { useShell: [true] },
        }),
      arguments: z
        .array(z.union([z.string(), z.number(), z.boolean()]))
        .max(1_000)
        .default([])
        .meta({
          title: 'Arguments',
          description: 'Each reaches the program exactly as it is: quotes, spaces and $ mean nothing.',
        }),
      cwd: z.string().default('').meta({
        title: 'Folder',
        description: 'Where on the server it runs. Empty: where signing in leads.',
      }),
      stdin: z.unknown().default('').meta({
        title: 'Standard input',
        description: 'Text the program can read. Anything that is not a text is handed over as JSON.',
        widget: 'multiline',
        secret: 'allowed',
      }),
      ...outputFields,
      ...exitCodeFields,
      exitMeanings: exitMeaningsField,
      timeoutMs: z.int().min(1).max(86_400_000).default(60_000).meta({
        title: 'Timeout',
        description: 'From connecting to the end of the program.',
        widget: 'duration',
        group: 'Limits',
      }),
      maxOutputBytes: maxOutputBytesField,
    })
    .superRefine(checkPattern)
    .refine(({ useShell, program }) => useShell || program.trim() !== '', {
      path: ['program'],
      message: 'Name the program to run.',
    })
    .refine(({ useShell, commandLine }) => !useShell || commandLine.trim() !== '', {
      path: ['commandLine'],
      message: 'Write the command line to run.',
    })
    .refine(({ privateKey, password }) => privateKey !== '' || password !== '', {
      path: ['privateKey'],
      message: 'Give a private key or a password to sign in with.',
    }),
)

/** The resolved parameters of a command over SSH. */
export type SshCommandParameters = z.infer<ReturnType<typeof parameters>>

/** With where it runs, what it is given, and what it reads: each can change what it does. */
function commandTold(parameters: JsonObject, command: string): string {
  const { cwd, stdin } = parameters
  const list = parameters['arguments']
  const rest: readonly unknown[] = Array.isArray(list) ? list : list === undefined ? [] : [list]
  const within = typeof cwd === 'string' && cwd !== '' ? `cd ${wordTold(cwd)} && ` : ''
  const fed = stdin === undefined || stdin === null || stdin === '' ? '' : ` <<< ${JSON.stringify(stdin)}`
  const words = [command, ...rest.map(wordTold)].join(' ')
  const place = `${textParameter(parameters, 'user')}@${textParameter(parameters, 'host')}`
  return `ssh ${place}: ${within}${words}${fed}`
}

export const sshCommandSpec = {
  kind: 'ssh-command',
  title: 'SSH command',
  description: 'Runs a program of another machine over SSH, shows its output live and hands it on.',
  icon: 'square-terminal',
  category: 'network',
  keywords: ['ssh', 'remote', 'server', 'command', 'program', 'script', 'exec', 'deploy', 'host', 'terminal'],
  get parameters() {
    return parameters()
  },
  defaults: { host: '', hostKeys: '', user: '', privateKey: '', program: '', arguments: [] },
  hasInput: true,
  outputs: (raw) => [...singleOutput, ...exitWays(raw)],
  reach: [
    { what: 'hosts', field: 'host' },
    { what: 'commands', field: 'program', told: commandTold },
    { what: 'commands', field: 'commandLine', literal: true, told: commandTold },
  ],
  sideEffect: 'unsafe',
  execution: 'runner',
  summary: (raw) => {
    const host = textParameter(raw, 'host', 'a server')
    const command = textParameter(raw, raw['useShell'] === true ? 'commandLine' : 'program', 'a program')
    return shortened(`${command} on ${host}`)
  },
} satisfies TaskSpec<SshCommandParameters>
