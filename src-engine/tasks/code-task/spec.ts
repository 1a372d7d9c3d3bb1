/** A step of a task that somebody wrote as code, with the code: what such steps are written out as. */

import { z } from 'zod'
import { codeTaskKind } from '../../model/code-task.ts'
import { lazily } from '../../model/lazily.ts'
import { codeTaskCharsMax } from '../../model/limits.ts'
import { shortened, textParameter } from '../../model/summary.ts'
import type { TaskSpec } from '../../model/task-spec.ts'
import { singleOutput } from '../../model/task-spec.ts'

const data = lazily(() => z.record(z.string(), z.unknown()))

const parameters = lazily(() =>
  z.strictObject({
    task: z.string().min(1).max(100).meta({ title: 'Task', expressions: false }),
    version: z.string().max(50).default('').meta({ title: 'Version', expressions: false }),
    role: z
      .enum(['run', 'compensate'])
      .default('run')
      .meta({
        title: 'What it does',
        choices: { run: { title: 'The step' }, compensate: { title: 'Takes the step back' } },
      }),
    probes: z.boolean().default(false).meta({
      title: 'Can find out whether it happened',
      description: 'Its code has a function for a step whose end nobody saw.',
      expressions: false,
    }),
    parameters: data().default({}).meta({ title: 'Parameters', widget: 'key-value' }),
    code: z.string().min(1).max(codeTaskCharsMax).meta({
      title: 'Code',
      description: 'As the file of the task was when the run began.',
      widget: 'code',
      language: 'javascript',
      expressions: false,
    }),
    secrets: z.record(z.string(), z.string()).default({}).meta({
      title: 'Secrets',
      description: 'What the code is handed as `context.secrets`.',
      widget: 'key-value',
      secret: 'expected',
    }),
    hosts: z.array(z.string()).default([]).meta({
      title: 'Hosts',
      description: 'Where `context.http` may go.',
      expressions: false,
    }),
    schema: data().default({}).meta({
      title: 'Form of its parameters',
      widget: 'code',
      language: 'json',
      expressions: false,
      group: 'Forms',
    }),
    output: data().default({}).meta({
      title: 'Form of its output',
      widget: 'code',
      language: 'json',
      expressions: false,
      group: 'Forms',
    }),
    mock: z.unknown().optional().meta({
      title: 'What its mock gives',
      widget: 'code',
      language: 'json',
      expressions: false,
      group: 'Forms',
    }),
    timeoutMs: z
      .int()
      .min(10)
      .max(600_000)
      .default(30_000)
      .meta({ title: 'Time limit', widget: 'duration', group: 'Limits' }),
    memoryMb: z
      .int()
      .min(4)
      .max(256)
      .default(32)
      .meta({ title: 'Memory limit', description: 'In megabytes.', group: 'Limits' }),
  }),
)

/** The resolved parameters of such a step. */
export type CodeTaskParameters = z.infer<ReturnType<typeof parameters>>

export const codeTaskSpec = {
  kind: codeTaskKind,
  isInternal: true,
  title: 'Task with code',
  description: 'Runs the code of a custom task in a sandbox; it reaches the hosts and secrets that it names.',
  icon: 'code',
  category: 'code',
  keywords: ['code', 'custom', 'task', 'defineTask'],
  get parameters() {
    return parameters()
  },
  defaults: { task: 'my.task', code: 'export default { run: ({ input }) => input }\n' },
  hasInput: true,
  outputs: () => singleOutput,
  reach: [{ what: 'hosts', field: 'hosts.*', literal: true }],
  sideEffect: 'unsafe',
  probes: ({ probes }) => probes === true,
  execution: 'runner',
  summary: (raw) =>
    shortened(`${textParameter(raw, 'task', 'a task')} ${textParameter(raw, 'version')}`.trim()),
} satisfies TaskSpec<CodeTaskParameters>
