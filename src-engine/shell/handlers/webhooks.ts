/** Where web calls are listened for. */

import { toErrorRecord } from '../../model/errors.ts'
import type { WebhookListening } from '../../protocol/webhooks.ts'
import type { ListenerState } from '../../runtime/webhooks/listener-process.ts'
import type { HandlerDeps, Handlers } from './contract.ts'

/** Handlers of `webhooks.*`. */
export const webhookHandlers = ({ webhooks }: HandlerDeps): Handlers<'webhooks.list'> => ({
  'webhooks.list': async () => {
    const server = webhooks()
    await server?.refresh()
    return {
      listening: listeningOf(server?.state() ?? { kind: 'off' }),
      webhooks: (server?.list() ?? []).map(
        ({ workflowId, triggerId, title, workflowTitle, parameters, url }) => ({
          workflowId,
          triggerId,
          title,
          workflowTitle,
          method: parameters.method,
          auth: parameters.auth.kind,
          url,
        }),
      ),
    }
  },
})

const listeningOf = (state: ListenerState): WebhookListening =>
  state.kind === 'failed' ? { kind: 'failed', error: toErrorRecord(state.error) } : state
