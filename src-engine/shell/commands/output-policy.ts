/** `output-policy show|set|test`: the rules that say which results may be handed on. */

import { readFile } from 'node:fs/promises'
import { SagasmithError } from '../../model/errors.ts'
import type { JsonObject } from '../../model/json.ts'
import { isJsonObject } from '../../model/json.ts'
import type { OutputPolicyView, OutputVerdict } from '../../protocol/output-policy.ts'
import { fileError } from '../atomic-file.ts'
import type { Session } from '../session.ts'
import { actionOf } from './action.ts'
import type { Command, CommandContext, ExitCode } from './command.ts'
import { flagText } from './flag-text.ts'
import { readRunInput } from './run-input.ts'
import { withSession } from './with-session.ts'

type Action = (context: CommandContext, session: Session, argument: string) => Promise<ExitCode>

const actions: Readonly<Record<string, { readonly act: Action; readonly args: number }>> = {
  show: { act: show, args: 0 },
  set: { act: set, args: 1 },
  test: { act: test, args: 1 },
}

export const outputPolicyCommand: Command = {
  usage: 'output-policy show | set FILE|default | test JSON|@FILE [--policy FILE]',
  summary: 'Show the rules that hold results back, change them, or try them on a result.',
  options: {
    policy: { type: 'string' },
    'if-hash': { type: 'string' },
    by: { type: 'string' },
    workflow: { type: 'string' },
    node: { type: 'string' },
    kind: { type: 'string' },
    tags: { type: 'string' },
  },
  optionHelp: [
    ['--if-hash HASH', 'set: only if this policy is in effect'],
    ['--by NAME', 'set: who changes it'],
    ['--policy FILE', 'test: these rules instead of those in effect'],
    ['--workflow ID, --node ID, --kind KIND', 'test: as if a step of it had given the result'],
    ['--tags A,B', 'test: tags of the step'],
  ],
  positionals: { min: 1, max: 2 },
  run: (context) => {
    const { action, args } = actionOf(outputPolicyCommand.usage, actions, context.positionals)
    return withSession(context, 'look', (session) => action.act(context, session, args[0] ?? ''))
  },
}

async function show(context: CommandContext, session: Session): Promise<ExitCode> {
  tellView(context, await session.call('outputPolicy.get', {}))
  return 0
}

function tellView({ json, emit, terminal }: CommandContext, view: OutputPolicyView): void {
  if (json) {
    emit({ type: 'output-policy', ...view })
    return
  }
  const { enabled, setting, failMode, hash, isDefault, changed, document, problems } = view
  const off = setting ? 'off by the policy itself' : 'off: set output_policy_enabled to true'
  terminal.line(
    `Results are ${enabled ? 'judged' : 'not judged'} (${enabled ? `fail mode ${failMode}` : off}).`,
  )
  const who = changed === null ? '' : `, by ${changed.by} at ${new Date(changed.at).toISOString()}`
  terminal.line(`Policy ${hash}${isDefault ? ', the built-in one' : who}:`)
  terminal.line(JSON.stringify(document, null, 2))
  for (const { path, message, level } of problems) terminal.line(`${level}: ${path}: ${message}`)
}

async function set(context: CommandContext, session: Session, file: string): Promise<ExitCode> {
  const ifHash = flagText(context, 'if-hash')
  const view = await session.call('outputPolicy.set', {
    document: file === 'default' ? null : await documentOf(file),
    by: flagText(context, 'by'),
    ...(ifHash === null ? {} : { ifHash }),
  })
  tellView(context, view)
  return 0
}

async function test(context: CommandContext, session: Session, given: string): Promise<ExitCode> {
  const policy = flagText(context, 'policy')
  const verdict = await session.call('outputPolicy.test', {
    document: policy === null ? null : await documentOf(policy),
    sample: {
      value: await readRunInput(given),
      ...told(context, 'workflow'),
      ...told(context, 'node'),
      ...told(context, 'kind'),
      tags: (flagText(context, 'tags') ?? '').split(',').filter((tag) => tag !== ''),
    },
  })
  if (context.json) context.emit({ type: 'output-verdict', ...verdict })
  else for (const line of linesOf(verdict)) context.terminal.line(line)
  return 0
}

function linesOf({ decision, rule, reason, phase, findings, redacted }: OutputVerdict): readonly string[] {
  const by = rule === null ? 'no rule' : `the rule “${rule}”`
  const when = phase === 'metadata' ? 'before' : 'after'
  return [
    decision === 'allow' ? `allow, by ${by}` : `${decision} by ${by}, ${when} it is handed on: ${reason}`,
    ...findings.map(
      ({ type, place, snippet }) => `  ${type} at ${place}${snippet === '' ? '' : `: ${snippet}`}`,
    ),
    ...(redacted === null ? [] : [`  handed on: ${JSON.stringify(redacted.value)}`]),
  ]
}

async function documentOf(path: string): Promise<JsonObject> {
  let content: string
  try {
    content = await readFile(path, 'utf8')
  } catch (cause) {
    throw fileError(path, cause)
  }
  let document: unknown
  try {
    document = JSON.parse(content)
  } catch (cause) {
    throw new SagasmithError('output_policy_invalid', { message: `${path} is not valid JSON.`, cause })
  }
  if (isJsonObject(document)) return document
  throw new SagasmithError('output_policy_invalid', {
    message: `${path} has no policy: it is no JSON object.`,
  })
}

const told = <Flag extends 'workflow' | 'node' | 'kind'>(context: CommandContext, flag: Flag) => {
  const value = flagText(context, flag)
  return value === null ? {} : { [flag]: value }
}
