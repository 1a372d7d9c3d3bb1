/** Where web calls are listened for, and trying an address out. */

import { toErrorRecord } from '../../model/errors.ts'
import type { InvocationId } from '../../model/ids.ts'
import type { TriggerName } from '../../model/trigger.ts'
import type {
  WebhookAddress,
  WebhookListening,
  WebhookPlace,
  WebhooksApi,
  WebhookTest,
} from '../../protocol/webhooks.ts'
import { callbackKeysOf } from '../../runtime/webhooks/callback-address.ts'
import type { ListenerState } from '../../runtime/webhooks/listener-process.ts'
import type { LiveTest, LiveWebhook } from '../../runtime/webhooks/webhook-desk.ts'
import type { AddressEnd } from '../webhooks/webhook-addresses.ts'
import { urlOf } from '../webhooks/webhook-addresses.ts'
import type { HandlerDeps, Handlers } from './contract.ts'

type WebhookDeps = Pick<HandlerDeps, 'engine' | 'webhooks' | 'webhookAddresses'>

/** Handlers of `webhooks.*`. */
export function webhookHandlers(deps: WebhookDeps): Handlers<keyof WebhooksApi> {
  const desk = deps.engine.webhooks
  return {
    'webhooks.list': () => listWebhooks(deps),
    'webhooks.address': async ({ path, ...name }) => {
      const url = await addressing(deps)
      return { url: url(name, { root: 'hooks', path }), testUrl: url(name, { root: 'hooks-test', path }) }
    },
    'webhooks.callback': async ({ invocationId }) => ({ url: await callbackUrl(deps, invocationId) }),
    'webhooks.openTest': async ({ parameters, forMs, ...name }) => {
      const test = await desk.openTest({ name, parameters, forMs })
      await deps.webhooks()?.refresh()
      return { test: await testView(deps, test) }
    },
    'webhooks.closeTest': async (name) => {
      await desk.closeTest(name)
      await deps.webhooks()?.refresh()
      return {}
    },
    'webhooks.captures': async (name) => {
      const found = (await desk.tests()).find((test) => isSame(test, name))
      const test = found === undefined ? null : await testView(deps, found)
      return { test, captures: await desk.captures(name) }
    },
    'webhooks.capture': ({ captureId }) => desk.showCapture(captureId),
    'webhooks.clearCaptures': async (name) => ({ cleared: await desk.clearCaptures(name) }),
    'webhooks.resend': async (request) => ({ firing: await desk.resend(request) }),
  }
}

const isSame = (one: TriggerName, other: TriggerName): boolean =>
  one.workflowId === other.workflowId && one.triggerId === other.triggerId

async function listWebhooks(deps: WebhookDeps): Promise<WebhooksApi['webhooks.list']['output']> {
  const server = deps.webhooks()
  await server?.refresh()
  const desk = deps.engine.webhooks
  const [webhooks, tests] = await Promise.all([desk.list(), desk.tests()])
  // Nobody needs a key while there is no address.
  const url = webhooks.length === 0 ? noUrl : await addressing(deps)
  const serves = isListening(deps)
  return {
    listening: listeningOf(stateOf(deps)),
    place: placeOf(deps),
    webhooks: webhooks.map((webhook) => {
      const test = tests.find((one) => isSame(one, webhook)) ?? null
      return viewOf(webhook, {
        url: serves ? url(webhook, { root: 'hooks', path: webhook.parameters.path }) : null,
        test: test === null ? null : testOf(test, serves, url),
      })
    }),
  }
}

type UrlOf = (name: TriggerName, end: AddressEnd) => string | null

const noUrl: UrlOf = () => null

const stateOf = ({ webhooks }: WebhookDeps): ListenerState => webhooks()?.state() ?? { kind: 'off' }

const placeOf = (deps: WebhookDeps): WebhookPlace => deps.webhookAddresses.place(stateOf(deps))

/** A proxy in front is there whatever becomes of us; on a cluster runners listen, as their settings say. */
const isListening = (deps: WebhookDeps): boolean =>
  stateOf(deps).kind === 'listening' ||
  (deps.webhooks() !== null && placeOf(deps).publicUrl !== null) ||
  deps.engine.store.info.safety !== null

/** Null for a step that nobody may call now. */
async function callbackUrl(deps: WebhookDeps, id: InvocationId): Promise<string | null> {
  const { store } = deps.engine
  const record = await store.load(store.info.partitions[0] ?? 0, 'invocation', { invocationId: id })
  if (record?.status !== 'WAITING' || record.wait?.kind !== 'signal' || record.wait.calls === undefined)
    return null
  const key = await deps.webhookAddresses.key()
  const { baseUrl } = placeOf(deps)
  return key === null || baseUrl === null ? null : baseUrl + callbackKeysOf(key).pathOf(id)
}

async function addressing(deps: WebhookDeps): Promise<UrlOf> {
  const key = await deps.webhookAddresses.key()
  const place = placeOf(deps)
  return (name, end) => urlOf(place, key, { name, end })
}

const testView = async (deps: WebhookDeps, test: LiveTest): Promise<WebhookTest> =>
  testOf(test, isListening(deps), await addressing(deps))

const testOf = (test: LiveTest, serves: boolean, url: UrlOf): WebhookTest => ({
  url: serves ? url(test, { root: 'hooks-test', path: test.parameters.path }) : null,
  until: test.until,
})

function viewOf(
  { workflowId, triggerId, title, workflowTitle, parameters }: LiveWebhook,
  place: Pick<WebhookAddress, 'url' | 'test'>,
): WebhookAddress {
  const { method, auth } = parameters
  const unsigned = auth.kind === 'none'
  return { workflowId, triggerId, title, workflowTitle, method, auth: auth.kind, unsigned, ...place }
}

const listeningOf = (state: ListenerState): WebhookListening =>
  state.kind === 'failed' ? { kind: 'failed', error: toErrorRecord(state.error) } : state
