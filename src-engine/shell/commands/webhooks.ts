/** `webhooks`: the addresses at which workflows are started from outside. */

import type { WebhookAddress, WebhookList } from '../../protocol/webhooks.ts'
import type { Command, CommandContext, ExitCode } from './command.ts'
import { withSession } from './with-session.ts'

export const webhooksCommand: Command = {
  usage: 'webhooks [--json]',
  summary: 'List the addresses of published webhooks, and where their calls are listened for.',
  options: {},
  optionHelp: [
    ['an address', 'has a secret part: whoever has it may call; show it to nobody else'],
    ['settings', 'webhook_address, webhook_port, webhook_url, webhook_key; see `config show`'],
  ],
  positionals: { min: 0, max: 0 },
  run: (context) =>
    withSession(context, 'look', async (session): Promise<ExitCode> => {
      const list = await session.call('webhooks.list', {})
      tell(context, list)
      return 0
    }),
}

function tell({ terminal, json, emit }: CommandContext, list: WebhookList): void {
  if (json) {
    for (const webhook of list.webhooks) emit({ type: 'webhook', ...webhook })
    emit({ type: 'webhooks.listening', ...list.listening })
    return
  }
  for (const webhook of list.webhooks) {
    terminal.line(`${webhook.method} ${webhook.url ?? '(nothing listens)'}`)
    terminal.line(
      terminal.colors.dim(
        `  ${webhook.title ?? webhook.triggerId} of ${webhook.workflowTitle}, ${authWords(webhook)}`,
      ),
    )
  }
  terminal.line(listeningWords(list))
}

const authWords = ({ auth }: WebhookAddress): string =>
  auth === 'none' ? 'open to whoever has the address' : `callers prove themselves by ${auth}`

function listeningWords({ listening, webhooks }: WebhookList): string {
  if (listening.kind === 'listening')
    return `Web calls are listened for at ${listening.address}:${listening.port}.`
  if (listening.kind === 'failed') return listening.error.message
  if (webhooks.length > 0) return 'Web calls will be listened for in a moment.'
  return 'Nothing listens for web calls: publish a workflow with a webhook, in the app or while `serve` runs.'
}
