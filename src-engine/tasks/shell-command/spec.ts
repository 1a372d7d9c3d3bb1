/** Shell command: runs a program of this machine and hands on what it printed. */

import { z } from 'zod'
import type { JsonObject } from '../../model/json.ts'
import { isJsonObject } from '../../model/json.ts'
import { lazily } from '../../model/lazily.ts'
import {
  checkPattern,
  exitCodeFields,
  exitMeaningsField,
  exitWays,
  localProgramFields,
  maxOutputBytesField,
  outputFields,
  toldAs,
  wordTold,
} from '../../model/program-fields.ts'
import { shortened, textParameter, wordText } from '../../model/summary.ts'
import type { TaskSpec } from '../../model/task-spec.ts'
import { singleOutput } from '../../model/task-spec.ts'

const parameters = lazily(() =>
  z
    .strictObject({
      program: z
        .string()
        .default('')
        .meta({
          title: 'Program',
          when: { useShell: [false] },
          description: 'A name found on the PATH, or a path.',
          placeholder: 'python3',
        }),
      arguments: z
        .array(z.union([z.string(), z.number(), z.boolean()]))
        .default([])
        .meta({
          title: 'Arguments',
          when: { useShell: [false] },
          description: 'Each reaches the program exactly as it is: quotes, spaces and $ mean nothing.',
        }),
      useShell: z.boolean().default(false).meta({
        title: 'Use a shell',
        description: 'Runs a command line with pipes and redirections instead of one program.',
      }),
      commandLine: z
        .string()
        .default('')
        .meta({
          title: 'Command line',
          description: 'Expressions mean nothing here: put data into a variable and write "$NAME".',
          widget: 'code',
          expressions: false,
          placeholder: 'sort "$FILE" | uniq -c',
          when: { useShell: [true] },
        }),
      cwd: z.string().default('').meta({
        title: 'Folder',
        description: 'Where it runs. Empty: the folder of the workflow.',
        widget: 'folder',
      }),
      ...outputFields,
      env: z
        .record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/), z.union([z.string(), z.number(), z.boolean()]))
        .default({})
        .meta({
          title: 'Variables',
          description:
            'Environment variables, beside PATH, HOME, LANG and TMPDIR. Nothing else is passed on.',
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
      asUser: localProgramFields.asUser,
      ...exitCodeFields,
      exitMeanings: exitMeaningsField,
      maxOutputBytes: maxOutputBytesField,
      cpuSeconds: localProgramFields.cpuSeconds,
      memoryMb: localProgramFields.memoryMb,
      processesMax: localProgramFields.processesMax,
    })
    .superRefine(checkPattern)
    .refine((value) => value.useShell || value.program.trim() !== '', {
      path: ['program'],
      message: 'Name the program to run.',
    })
    .refine((value) => !value.useShell || value.commandLine.trim() !== '', {
      path: ['commandLine'],
      message: 'Write the command line to run.',
    }),
)

/** What goes along and can change what a command does: its variables before it, what it reads after it. */
function fedTold(raw: JsonObject, command: string): string {
  const { env, stdin } = raw
  const variables = Object.entries(isJsonObject(env ?? null) ? (env as JsonObject) : {})
  const before = variables.map(([name, value]) => `${name}=${wordTold(value)} `)
  const fed = stdin === undefined || stdin === null || stdin === '' ? '' : ` <<< ${JSON.stringify(stdin)}`
  return `${toldAs(raw, `${before.join('')}${command}`)}${fed}`
}

function programTold(parameters: JsonObject, program: string): string {
  const list = parameters['arguments']
  const rest: readonly unknown[] = Array.isArray(list) ? list : list === undefined ? [] : [list]
  return fedTold(parameters, [program, ...rest.map(wordTold)].join(' '))
}

/** The resolved parameters of a shell command. */
export type ShellCommandParameters = z.infer<ReturnType<typeof parameters>>

export const shellCommandSpec = {
  kind: 'shell-command',
  title: 'Shell command',
  description: 'Runs a program of this machine, shows its output live and hands it on.',
  icon: 'terminal',
  category: 'code',
  keywords: ['shell', 'bash', 'command', 'program', 'script', 'process', 'exec', 'terminal', 'python', 'cli'],
  get parameters() {
    return parameters()
  },
  defaults: { program: '', arguments: [] },
  hasInput: true,
  outputs: (raw) => [...singleOutput, ...exitWays(raw)],
  reach: [
    { what: 'commands', field: 'program', told: programTold },
    { what: 'commands', field: 'commandLine', literal: true, told: fedTold },
    { what: 'paths', field: 'cwd' },
  ],
  sideEffect: 'unsafe',
  execution: 'runner',
  summary: (raw) => {
    if (raw['useShell'] === true) return shortened(textParameter(raw, 'commandLine', 'a command line'))
    const list = raw['arguments']
    const rest: readonly unknown[] = Array.isArray(list) ? list : []
    return shortened([textParameter(raw, 'program', 'a program'), ...rest.map(wordText)].join(' '))
  },
} satisfies TaskSpec<ShellCommandParameters>
