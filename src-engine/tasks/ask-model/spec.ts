/** Ask a model: one call of a language model that speaks OpenAI's protocol, a local one too. */

import { z } from 'zod'
import type { JsonObject } from '../../model/json.ts'
import { lazily } from '../../model/lazily.ts'
import { shortened, textParameter } from '../../model/summary.ts'
import type { PortSpec, TaskSpec } from '../../model/task-spec.ts'
import { singleOutput } from '../../model/task-spec.ts'

/** Of one answer; services take no more tools than this either. */
const toolCallsMax = 128

const toolCall = lazily(() =>
  z.object({
    id: z.string().min(1).meta({ title: 'Id' }),
    name: z.string().min(1).meta({ title: 'Tool' }),
    arguments: z.unknown().default({}).meta({ title: 'Arguments', widget: 'code', language: 'json' }),
  }),
)

const message = lazily(() =>
  z.object({
    role: z
      .enum(['system', 'user', 'assistant', 'tool'])
      .default('user')
      .meta({
        title: 'Who says it',
        choices: {
          system: { title: 'What it is to be' },
          user: { title: 'Who asks' },
          assistant: { title: 'The model' },
          tool: { title: 'A tool', hint: 'What came of a call that the model asked for.' },
        },
      }),
    content: z.string().default('').meta({ title: 'What', widget: 'multiline' }),
    toolCalls: z
      .array(toolCall())
      .max(toolCallsMax)
      .default([])
      .meta({ title: 'Calls that it asks for', when: { role: ['assistant'] } }),
    toolCallId: z
      .string()
      .default('')
      .meta({ title: 'Id of the call', when: { role: ['tool'] } }),
  }),
)

const tool = lazily(() =>
  z.object({
    name: z
      .string()
      .regex(/^[a-zA-Z0-9_-]{1,64}$/, 'A tool’s name has letters, digits, dashes and underscores.')
      .meta({ title: 'Name', placeholder: 'find_order' }),
    description: z.string().default('').meta({
      title: 'What it is for',
      description: 'The model decides by this whether it calls it.',
      widget: 'multiline',
    }),
    schema: z.unknown().default({ type: 'object', properties: {} }).meta({
      title: 'Arguments',
      description: 'A JSON Schema. Calls whose arguments don’t fit fail the attempt.',
      widget: 'code',
      language: 'json',
      expressions: false,
    }),
  }),
)

const price = (title: string) =>
  z.number().min(0).max(100_000).default(0).meta({
    title,
    description: 'Per million tokens, in whatever currency the limit is in.',
    group: 'Cost',
  })

const parameters = lazily(() =>
  z.strictObject({
    baseUrl: z
      .string()
      .min(1)
      .default('https://api.openai.com/v1')
      .meta({
        title: 'Service',
        description:
          'Where /chat/completions is. A model on this machine: http://127.0.0.1:11434/v1, with 127.0.0.1 ' +
          'among the workflow’s approved hosts.',
        placeholder: 'https://api.openai.com/v1',
      }),
    apiKey: z.string().default('').meta({
      title: 'API key',
      description: 'Empty for services that want none.',
      secret: 'expected',
    }),
    model: z.string().min(1).meta({ title: 'Model', placeholder: 'gpt-5-mini' }),
    system: z.string().default('').meta({
      title: 'What it is to be',
      description: 'Goes before everything else.',
      widget: 'multiline',
    }),
    prompt: z.string().default('').meta({
      title: 'Question',
      widget: 'multiline',
      placeholder: 'Summarize in one sentence: {{ input.text }}',
    }),
    messages: z.array(message()).max(1_000).default([]).meta({
      title: 'Talk so far',
      description: 'Stands between the two above.',
      group: 'Talk',
    }),
    answer: z
      .enum(['text', 'json'])
      .default('text')
      .meta({
        title: 'Answer',
        choices: {
          text: { title: 'Text' },
          json: { title: 'JSON by a schema', hint: 'An answer that doesn’t fit fails the attempt.' },
        },
      }),
    schema: z
      .unknown()
      .default({})
      .meta({
        title: 'JSON Schema',
        widget: 'code',
        language: 'json',
        expressions: false,
        when: { answer: ['json'] },
      }),
    tools: z
      .array(tool())
      .max(toolCallsMax)
      .default([])
      .meta({
        title: 'Tools',
        description:
          'What the model may ask for. Its calls leave by a way of their own, as data: the steps there do them, ' +
          'and the next question tells it what came of them.',
        group: 'Tools',
      }),
    toolChoice: z
      .enum(['auto', 'required'])
      .default('auto')
      .meta({
        title: 'Which it takes',
        choices: { auto: { title: 'The model decides' }, required: { title: 'It must call one' } },
        group: 'Tools',
      }),
    maxToolCalls: z.int().min(1).max(toolCallsMax).default(8).meta({
      title: 'Most calls of an answer',
      group: 'Tools',
    }),
    temperature: z.number().min(-1).max(2).default(-1).meta({
      title: 'Temperature',
      description: '0 for always much the same, up to 2; -1 leaves it to the service.',
      group: 'Model',
    }),
    maxTokens: z.int().min(1).max(1_000_000).default(4_000).meta({
      title: 'Most tokens of the answer',
      group: 'Limits',
    }),
    maxCost: z.number().min(0).max(100_000).default(0).meta({
      title: 'Highest cost',
      description: 'A call that could cost more is not made, by the prices below. 0: no limit.',
      group: 'Cost',
    }),
    inputPrice: price('Price of what is asked'),
    outputPrice: price('Price of what is answered'),
    timeoutMs: z.int().min(1).max(3_600_000).default(120_000).meta({
      title: 'Timeout',
      description: 'Until the last word.',
      widget: 'duration',
      group: 'Limits',
    }),
  }),
)

/** The resolved parameters of a call. */
export type AskModelParameters = z.infer<ReturnType<typeof parameters>>

/** With tools there is a second one: a list may come from an expression, too. */
function outputs({ tools }: JsonObject): readonly PortSpec[] {
  const has = Array.isArray(tools) ? tools.length > 0 : typeof tools === 'string' && tools.trim() !== ''
  if (!has) return singleOutput
  return [
    { id: 'out', title: 'Answer' },
    { id: 'tools', title: 'Tool calls' },
  ]
}

export const askModelSpec = {
  kind: 'ask-model',
  title: 'Ask a model',
  description:
    'Asks a language model, here or elsewhere, and hands on its answer as text, data or calls of tools.',
  icon: 'bot-message-square',
  category: 'network',
  keywords: [
    'llm',
    'ai',
    'gpt',
    'chat',
    'model',
    'openai',
    'ollama',
    'prompt',
    'summarize',
    'classify',
    'tools',
    'agent',
  ],
  get parameters() {
    return parameters()
  },
  defaults: { model: '', prompt: '' },
  hasInput: true,
  outputs,
  reach: [{ what: 'hosts', field: 'baseUrl', absent: () => 'https://api.openai.com/v1' }],
  sideEffect: 'idempotent',
  execution: 'runner',
  summary: (raw) => shortened(textParameter(raw, 'model', 'a model')),
} satisfies TaskSpec<AskModelParameters>
