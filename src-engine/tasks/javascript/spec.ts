/** JavaScript: a few lines of it, or of TypeScript, in a sandbox without files, network or clock. */

import { z } from 'zod'
import { lazily } from '../../model/lazily.ts'
import { shortened, textParameter } from '../../model/summary.ts'
import type { TaskSpec } from '../../model/task-spec.ts'
import { singleOutput } from '../../model/task-spec.ts'

/** `name@1.2.3` or `@scope/name@1.2.3`: one version, and no range. */
const packagePattern =
  /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*@\d+\.\d+\.\d+(?:[-+][\w.+-]+)?$/i

const parameters = lazily(() =>
  z.strictObject({
    language: z
      .enum(['javascript', 'typescript'])
      .default('javascript')
      .meta({
        title: 'Language',
        choices: {
          javascript: { title: 'JavaScript' },
          typescript: { title: 'TypeScript', hint: 'Types are taken off, and not checked.' },
        },
        expressions: false,
      }),
    code: z.string().min(1).max(200_000).meta({
      title: 'Code',
      description:
        'Use `input`, `run`, `vars` and `ctx`, and `return` what goes on. `console.log` writes into the log.',
      widget: 'code',
      language: 'javascript',
      languageFrom: 'language',
      expressions: false,
      placeholder: 'return input',
    }),
    secrets: z.record(z.string(), z.string()).default({}).meta({
      title: 'Secrets',
      description: 'What the code is handed as `ctx.secrets`; it gets no others.',
      widget: 'key-value',
      secret: 'expected',
      placeholder: '{{ secrets.NAME }}',
    }),
    packages: z
      .array(z.string().max(300).regex(packagePattern, 'Write a name and its version: lodash-es@4.17.21'))
      .max(50)
      .default([])
      .meta({
        title: 'Packages',
        description:
          'Packages of npm that the code imports, each with its version: lodash-es@4.17.21. A runner has to allow them.',
        expressions: false,
        placeholder: 'lodash-es@4.17.21',
      }),
    timeoutMs: z.int().min(10).max(60_000).default(2_000).meta({
      title: 'Time limit',
      description: 'Code that runs longer is stopped and the step fails.',
      widget: 'duration',
      group: 'Limits',
    }),
    memoryMb: z.int().min(4).max(256).default(32).meta({
      title: 'Memory limit',
      description: 'In megabytes.',
      group: 'Limits',
    }),
  }),
)

/** The resolved parameters of a JavaScript step. */
export type JavaScriptParameters = z.infer<ReturnType<typeof parameters>>

export const javaScriptSpec = {
  kind: 'javascript',
  title: 'JavaScript',
  description: 'Works on data with JavaScript, in a sandbox without files or network.',
  icon: 'file-code',
  category: 'code',
  keywords: [
    'javascript',
    'typescript',
    'js',
    'ts',
    'code',
    'script',
    'function',
    'custom',
    'program',
    'sandbox',
    'npm',
    'package',
    'import',
  ],
  get parameters() {
    return parameters()
  },
  defaults: { code: '// `input` is what arrived; return what goes on.\nreturn input\n' },
  hasInput: true,
  outputs: () => singleOutput,
  sideEffect: 'pure',
  execution: 'runner',
  summary: (raw) => {
    const code = typeof raw['code'] === 'string' ? raw['code'] : ''
    const lines = code.split('\n').map((line) => line.trim())
    const telling = lines.find((line) => line !== '' && !line.startsWith('//'))
    return shortened(telling ?? textParameter(raw, 'code', 'code'))
  },
} satisfies TaskSpec<JavaScriptParameters>
