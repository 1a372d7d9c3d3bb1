/** Shows a message on this computer, or posts it where people read. */

import { SagasmithError } from '../../model/errors.ts'
import { withinDeadline } from '../deadline.ts'
import { refusedAnswer, withResponse } from '../guarded-request.ts'
import { webAddress } from '../http-request/destination.ts'
import type { TaskContext, TaskRun } from '../task.ts'
import { completed } from '../task.ts'
import type { TaskPorts } from '../task-ports.ts'
import { discordMessage, ntfyMessage, slackMessage, teamsMessage } from './chat-message.ts'
import { shownOnDesktop } from './desktop.ts'
import type { NotifyParameters } from './spec.ts'

type NotifyPorts = Pick<TaskPorts, 'lookup' | 'environment'>

/** The notification with what it needs from outside. */
export function createNotifyRun(ports: NotifyPorts): TaskRun<NotifyParameters> {
  return {
    async execute(parameters, context) {
      const { channel, timeoutMs } = parameters
      await withinDeadline({ timeoutMs }, context, async (signal) => {
        if (channel.kind === 'desktop') await shownOnDesktop(parameters, ports.environment, signal)
        else await posted(parameters, { context, lookup: ports.lookup, signal })
      })
      return completed({ channel: channel.kind })
    },
  }
}

interface Post {
  readonly url: URL
  readonly body: object
  readonly token: string
}

function postOf(parameters: NotifyParameters): Post {
  const { channel } = parameters
  switch (channel.kind) {
    case 'ntfy':
      return {
        url: hookAddress(channel.server),
        body: ntfyMessage(channel, parameters),
        token: channel.token,
      }
    case 'slack':
      return { url: hookAddress(channel.address), body: slackMessage(parameters), token: '' }
    case 'teams':
      return { url: hookAddress(channel.address), body: teamsMessage(parameters), token: '' }
    case 'discord':
      return { url: hookAddress(channel.address), body: discordMessage(parameters), token: '' }
    default:
      throw new SagasmithError('task_input_invalid', { message: 'There is no such way to notify.' })
  }
}

/** The address is a secret: what is wrong with it is said without it. */
function hookAddress(text: string): URL {
  const url = URL.parse(text.trim())
  return url ?? webAddress('(the webhook address)')
}

async function posted(
  parameters: NotifyParameters,
  call: {
    readonly context: TaskContext
    readonly lookup: TaskPorts['lookup']
    readonly signal: AbortSignal
  },
): Promise<void> {
  const { url, body, token } = postOf(parameters)
  const headers = {
    'content-type': 'application/json',
    ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
  }
  await withResponse({ method: 'POST', url, headers, body: JSON.stringify(body) }, call, async (response) => {
    if (response.status >= 300) throw await refusedAnswer(response, url.host, call.context)
  })
}
