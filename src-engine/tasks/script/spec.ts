/** Script: Python or another language of this machine, with JSON in and JSON out. */

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
import { shortened, textParameter } from '../../model/summary.ts'
import type { TaskSpec } from '../../model/task-spec.ts'
import { singleOutput } from '../../model/task-spec.ts'

const scalar = z.union([z.string(), z.number(), z.boolean()])

/** By the value of the field; `other` is what people name themselves. */
export const scriptLanguages = {
  python: 'Python',
  node: 'Node.js',
  shell: 'Shell',
  ruby: 'Ruby',
  perl: 'Perl',
  php: 'PHP',
  r: 'R',
  powershell: 'PowerShell',
  other: 'Another',
} as const

const languages = ['python', 'node', 'shell', 'ruby', 'perl', 'php', 'r', 'powershell', 'other'] as const

const interpreterFields = {
  interpreter: z.string().default('').meta({
    title: 'Interpreter',
    description: 'A name found on the PATH, or a path. Empty: the usual one of the language.',
    placeholder: '/usr/bin/python3.13',
    expressions: false,
    group: 'Interpreter',
  }),
  venv: z
    .string()
    .default('')
    .meta({
      title: 'Virtual environment',
      description: 'The folder that “python3 -m venv” made. Its Python runs the script, with its packages.',
      widget: 'folder',
      placeholder: '.venv',
      expressions: false,
      when: { language: ['python'] },
      group: 'Interpreter',
    }),
  options: z.array(z.string()).max(100).default([]).meta({
    title: 'Options',
    description: 'Words for the interpreter, before the script: -X, dev.',
    expressions: false,
    group: 'Interpreter',
  }),
  extension: z
    .string()
    .regex(/^[A-Za-z0-9]{0,16}$/, 'Write letters and digits, such as “lua”.')
    .default('')
    .meta({
      title: 'Ending of the file',
      description: 'Where the interpreter goes by it.',
      placeholder: 'lua',
      expressions: false,
      when: { language: ['other'] },
      group: 'Interpreter',
    }),
}

const parameters = lazily(() =>
  z
    .strictObject({
      language: z
        .enum(languages)
        .default('python')
        .meta({
          title: 'Language',
          choices: Object.fromEntries(Object.entries(scriptLanguages).map(([id, title]) => [id, { title }])),
          expressions: false,
        }),
      code: z.string().min(1).max(200_000).meta({
        title: 'Script',
        description:
          'It reads its input as JSON from standard input, and prints what goes on as JSON. Expressions mean nothing here.',
        widget: 'code',
        languageFrom: 'language',
        expressions: false,
        placeholder: 'import json, sys',
      }),
      input: z.unknown().default('').meta({
        title: 'Input',
        description: 'What it reads from standard input, as JSON. Empty: what arrived at the step.',
        widget: 'multiline',
        secret: 'allowed',
        placeholder: '{{ input.rows }}',
      }),
      output: z
        .enum(['json', 'jsonl', 'lines', 'text', 'matches', 'none'])
        .default('json')
        .meta({
          title: 'Read the output as',
          choices: {
            json: {
              title: 'JSON',
              hint: 'All of it, or its last line: what is printed before that goes to the log only.',
            },
            jsonl: { title: 'JSON, one value per line' },
            lines: { title: 'A list of lines' },
            text: { title: 'One text' },
            matches: { title: 'What a pattern finds' },
            none: { title: 'Not at all' },
          },
        }),
      pattern: outputFields.pattern,
      ...interpreterFields,
      arguments: z.array(scalar).max(1_000).default([]).meta({
        title: 'Arguments',
        description: 'Each reaches the script exactly as it is: quotes, spaces and $ mean nothing.',
        group: 'Environment',
      }),
      cwd: z.string().default('').meta({
        title: 'Folder',
        description: 'Where it runs. Empty: the folder of the workflow.',
        widget: 'folder',
        group: 'Environment',
      }),
      env: z
        .record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/), scalar)
        .default({})
        .meta({
          title: 'Variables',
          description:
            'Environment variables, beside PATH, HOME, LANG and TMPDIR. Nothing else is passed on.',
          widget: 'key-value',
          secret: 'allowed',
          group: 'Environment',
        }),
      asUser: localProgramFields.asUser,
      ...exitCodeFields,
      exitMeanings: exitMeaningsField.meta({
        title: 'Meanings',
        description: 'Tried from top to bottom, before the lists. The error says which it was.',
        group: 'Exit codes',
      }),
      maxOutputBytes: maxOutputBytesField,
      cpuSeconds: localProgramFields.cpuSeconds,
      memoryMb: localProgramFields.memoryMb,
      processesMax: localProgramFields.processesMax,
    })
    .superRefine(checkPattern)
    .refine(({ language, interpreter }) => language !== 'other' || interpreter.trim() !== '', {
      path: ['interpreter'],
      message: 'Name the interpreter of the script.',
    })
    .refine(({ language, interpreter, venv }) => language !== 'python' || interpreter === '' || venv === '', {
      path: ['interpreter'],
      message: 'A virtual environment has its own interpreter: leave one of the two empty.',
    }),
)

/** The resolved parameters of a script. */
export type ScriptParameters = z.infer<ReturnType<typeof parameters>>

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

const languageOf = ({ language }: JsonObject): keyof typeof scriptLanguages =>
  typeof language === 'string' && Object.hasOwn(scriptLanguages, language)
    ? (language as keyof typeof scriptLanguages)
    : 'python'

/** The interpreter as people would name it. */
function interpreterTold(raw: JsonObject): string {
  const named = textParameter(raw, 'interpreter', '')
  const venv = textParameter(raw, 'venv', '')
  if (venv !== '' && languageOf(raw) === 'python') return `${venv}/bin/python`
  return named === '' ? languageOf(raw) : named
}

/** All that can change what it does: the text itself is part of what somebody allows. */
function scriptTold(raw: JsonObject, code: string): string {
  const { env, input } = raw
  const variables = Object.entries(isJsonObject(env ?? null) ? (env as JsonObject) : {})
  const before = variables.map(([name, value]) => `${name}=${wordTold(value)} `).join('')
  const words = [interpreterTold(raw), ...listOf(raw['options']).map(wordTold)]
  const rest = listOf(raw['arguments']).map((word) => ` ${wordTold(word)}`)
  const fed = input === undefined || input === null || input === '' ? '' : ` <<< ${JSON.stringify(input)}`
  return `${toldAs(raw, `${before}${words.join(' ')} script${rest.join('')}`)}${fed}\n${code}`
}

/** What a Python step starts with: it shows how data comes and goes. */
const beginning = `import json, sys

input = json.load(sys.stdin)
print(json.dumps(input))
`

/** The first line that does something, in languages whose comments begin with # or //. */
function tellingLine(code: string): string | null {
  const lines = code.split('\n').map((line) => line.trim())
  return (
    lines.find((line) => line !== '' && !/^(#|\/\/|import\b|from\b|require\b|use\b|<\?)/.test(line)) ?? null
  )
}

export const scriptSpec = {
  kind: 'script',
  title: 'Script',
  description: 'Runs a script in Python or another language of this machine, with JSON in and JSON out.',
  icon: 'file-terminal',
  category: 'code',
  keywords: [
    ...['python', 'script', 'code', 'node', 'nodejs', 'bash', 'ruby', 'perl', 'php', 'powershell', 'venv'],
    ...['interpreter', 'pandas', 'program'],
  ],
  get parameters() {
    return parameters()
  },
  defaults: { language: 'python', code: beginning },
  hasInput: true,
  outputs: (raw) => [...singleOutput, ...exitWays(raw)],
  reach: [
    { what: 'commands', field: 'code', literal: true, told: scriptTold },
    { what: 'paths', field: 'cwd' },
    { what: 'paths', field: 'venv' },
  ],
  sideEffect: 'unsafe',
  execution: 'runner',
  summary: (raw) => {
    const title = scriptLanguages[languageOf(raw)]
    const line = tellingLine(typeof raw['code'] === 'string' ? raw['code'] : '')
    const name = title === 'Another' ? textParameter(raw, 'interpreter', 'a script') : title
    return shortened(line === null ? name : `${name}: ${line}`)
  },
} satisfies TaskSpec<ScriptParameters>
