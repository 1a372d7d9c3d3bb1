/** `webhooks`: the addresses at which workflows are started from outside, and trying them out. */

import type { WebhookAddress, WebhookList } from '../../protocol/webhooks.ts'
import type { Command, CommandContext, ExitCode } from './command.ts'
import { usageError } from './command.ts'
import { withSession } from './with-session.ts'

interface Action {
  readonly load: () => Promise<(context: CommandContext, args: readonly string[]) => Promise<ExitCode>>
  /** What follows the action's name, for the help. */
  readonly usage: string
  readonly args: number
  readonly flags: readonly string[]
}

const named = 'WORKFLOW TRIGGER'

const actions: Readonly<Record<string, Action>> = {
  list: { load: () => Promise.resolve(listAction), usage: '', args: 0, flags: [] },
  test: {
    load: async () => (await import('./webhooks-captures.ts')).testAction,
    usage: `${named} [--for SPAN|--stop]`,
    args: 2,
    flags: ['for', 'stop'],
  },
  captures: {
    load: async () => (await import('./webhooks-captures.ts')).capturesAction,
    usage: `${named} [--clear]`,
    args: 2,
    flags: ['clear'],
  },
  show: {
    load: async () => (await import('./webhooks-captures.ts')).showAction,
    usage: 'CAPTURE',
    args: 1,
    flags: [],
  },
  resend: {
    load: async () => (await import('./webhooks-captures.ts')).resendAction,
    usage: 'CAPTURE',
    args: 1,
    flags: [],
  },
}

export const webhooksCommand: Command = {
  usage: `webhooks [${Object.keys(actions).join('|')}] …`,
  forms: Object.entries(actions).map(([name, { usage }]) => `sagasmith webhooks ${name} ${usage}`.trim()),
  summary: 'List the addresses of published webhooks; capture what senders say to a test address.',
  options: {
    for: { type: 'string' },
    stop: { type: 'boolean' },
    clear: { type: 'boolean' },
  },
  optionHelp: [
    ['an address', 'has a secret part: whoever has it may call; show it to nobody else'],
    ['test', 'have the test address take calls, which start nothing, for a time'],
    ['--for SPAN', 'test: how long, 10s to 1h (default: 10m); --stop ends it before'],
    ['captures', 'the last calls of the test address; --clear forgets them'],
    ['show CAPTURE', 'what came, without passwords and signatures'],
    ['resend CAPTURE', 'start what the call would have started'],
    ['settings', 'webhook_address, webhook_port, webhook_url, webhook_key; see `config show`'],
  ],
  positionals: { min: 0, max: 3 },
  run: async (context) => {
    const [name = 'list', ...args] = context.positionals
    const action = Object.hasOwn(actions, name) ? actions[name] : undefined
    if (action === undefined || args.length !== action.args) {
      const usage = action === undefined ? webhooksCommand.usage : `webhooks ${name} ${action.usage}`
      throw usageError(`That is no use of “webhooks ${name}”.`, `Usage: sagasmith ${usage}`)
    }
    const other = Object.keys(webhooksCommand.options).find(
      (flag) => context.flags[flag] !== undefined && !action.flags.includes(flag),
    )
    if (other !== undefined) {
      const usage = `Usage: sagasmith webhooks ${name} ${action.usage}`
      throw usageError(`“webhooks ${name}” has no --${other}.`, usage)
    }
    return (await action.load())(context, args)
  },
}

const listAction = (context: CommandContext): Promise<ExitCode> =>
  withSession(context, 'look', async (session): Promise<ExitCode> => {
    tell(context, await session.call('webhooks.list', {}))
    return 0
  })

function tell({ terminal, json, emit }: CommandContext, list: WebhookList): void {
  if (json) {
    for (const webhook of list.webhooks) emit({ type: 'webhook', ...webhook })
    emit({ type: 'webhooks.listening', ...list.listening, place: list.place })
    return
  }
  const { colors } = terminal
  for (const webhook of list.webhooks) {
    const { title, triggerId, workflowTitle, unsigned, method, url, test } = webhook
    const who = unsigned ? colors.red(authWords(webhook)) : colors.dim(authWords(webhook))
    terminal.line(`${method} ${url ?? '(nothing listens)'}`)
    terminal.line(`  ${colors.dim(`${title ?? triggerId} of ${workflowTitle},`)} ${who}`)
    if (test !== null) terminal.line(colors.dim(`  tried out at ${test.url ?? 'an address yet to come'}`))
  }
  terminal.line(listeningWords(list))
}

const authWords = ({ auth, unsigned }: WebhookAddress): string =>
  unsigned ? 'unsigned: whoever has the address may call' : `callers prove themselves by ${auth}`

function listeningWords({ listening, webhooks, place }: WebhookList): string {
  if (listening.kind === 'listening')
    return `Web calls are listened for at ${listening.address}:${listening.port}.`
  if (listening.kind === 'failed') return listening.error.message
  if (listening.kind === 'starting') return 'Web calls will be listened for in a moment.'
  if (webhooks.length === 0)
    return 'Nothing listens for web calls: publish a workflow with a webhook, in the app or while `serve` runs.'
  const where = `${place.address}:${place.port}`
  return `Nothing listens here: start the app, \`serve\` or \`runner --webhooks\` (at ${where}).`
}
