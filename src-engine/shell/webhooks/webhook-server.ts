/**
 * Webhooks of an engine: serves the addresses of those that are published, and the test addresses that somebody
 * listens at, each with a secret part that follows from the key. Nothing listens while there is none.
 */

import { recordOfThrown } from '../../model/errors.ts'
import { webhookBodyBytesMax } from '../../model/limits.ts'
import type { Clock, Logger } from '../../model/ports.ts'
import type { TriggerName } from '../../model/trigger.ts'
import type { RegisterAge } from '../../runtime/register-look.ts'
import { isOther, neverSeen } from '../../runtime/register-look.ts'
import type { CallbackKeys, CallbackName } from '../../runtime/webhooks/callback-address.ts'
import { callbackKeysOf } from '../../runtime/webhooks/callback-address.ts'
import type { AddressRoot, ListenedCall, ListenedRoute } from '../../runtime/webhooks/listener-message.ts'
import type { ListenerState } from '../../runtime/webhooks/listener-process.ts'
import { createListenerProcess } from '../../runtime/webhooks/listener-process.ts'
import { hashOfSecretPart, secretPartOf } from '../../runtime/webhooks/webhook-address.ts'
import type {
  LiveTest,
  LiveWebhook,
  SecretOfCalls,
  SecretOfStep,
  WebhookDesk,
} from '../../runtime/webhooks/webhook-desk.ts'
import type { GuardedHost } from '../../tasks/guarded-process.ts'
import type { HttpAnswer } from '../../triggers/webhook/answer-shape.ts'
import type { WebhookAddresses } from './webhook-addresses.ts'
import { urlOf } from './webhook-addresses.ts'

export interface WebhookServerOptions {
  readonly desk: WebhookDesk
  /** Its key is asked for with the first webhook. */
  readonly addresses: WebhookAddresses
  readonly secret: SecretOfCalls
  readonly secretOfStep: SecretOfStep
  /** Whether triggers are served beside the steps of runs. */
  readonly servesTriggers: boolean
  readonly host: GuardedHost
  readonly clock: Clock
  readonly log: Logger
  readonly address: string
  readonly port: number
}

export interface ServedWebhook extends LiveWebhook {
  /** Null while nothing listens. */
  readonly url: string | null
}

export interface WebhookServer {
  readonly state: () => ListenerState
  /** Told of each state that it comes to; answers the way to hear no more. */
  readonly onState: (tell: (state: ListenerState) => void) => () => void
  readonly list: () => readonly ServedWebhook[]
  /** Looks whether other webhooks are published by now. */
  readonly refresh: () => Promise<void>
  readonly close: () => Promise<void>
}

/** Who tries a sender out calls by hand; more is somebody who should call the real address. */
const testCallsPerMinute = 120
const testAnswerMs = 10_000

/** Serves what is published, from now on. */
export async function openWebhookServer(options: WebhookServerOptions): Promise<WebhookServer> {
  const server = new Serving(options)
  await server.open()
  return {
    state: () => server.state(),
    onState: (tell) => server.onState(tell),
    list: () => server.list(),
    refresh: () => server.refresh(),
    close: () => server.close(),
  }
}

interface Served {
  readonly webhooks: readonly LiveWebhook[]
  readonly tests: readonly LiveTest[]
  /** Whether steps of runs may be called. */
  readonly callbacks: boolean
}

class Serving {
  readonly #options: WebhookServerOptions
  readonly #listener: ReturnType<typeof createListenerProcess>
  readonly #names = new Map<string, { readonly name: TriggerName; readonly root: AddressRoot }>()
  #served: Served = { webhooks: [], tests: [], callbacks: false }
  #key: Uint8Array = new Uint8Array()
  #age: RegisterAge = neverSeen
  #callbackKeys: CallbackKeys | null = null
  #isClosed = false
  #unwatch: () => void = () => undefined
  #cancelTests: () => void = () => undefined

  constructor(options: WebhookServerOptions) {
    this.#options = options
    const { host, clock, log, address, port } = options
    this.#listener = createListenerProcess({
      host,
      clock,
      log,
      address,
      port,
      answer: (call, signal) => this.#answer(call, signal),
    })
  }

  async open(): Promise<void> {
    const { desk, servesTriggers } = this.#options
    this.#unwatch = desk.watch(() => void this.refresh())
    // A command that comes and goes listens only for what its own runs wait for.
    if (servesTriggers || (await this.#isAwaited())) await this.refresh()
  }

  state(): ListenerState {
    return this.#listener.state()
  }

  onState(tell: (state: ListenerState) => void): () => void {
    return this.#listener.onState(tell)
  }

  list(): readonly ServedWebhook[] {
    const place = this.#options.addresses.place(this.state())
    // A proxy in front is there whatever becomes of us.
    const isReached = place.publicUrl !== null || this.state().kind === 'listening'
    return this.#served.webhooks.map((webhook) => {
      const end = { root: 'hooks', path: webhook.parameters.path } as const
      return { ...webhook, url: isReached ? urlOf(place, this.#key, { name: webhook, end }) : null }
    })
  }

  async refresh(): Promise<void> {
    const { desk, log } = this.#options
    try {
      const [age, callbacks] = await Promise.all([desk.age(), desk.areCallbacksOpen()])
      if (!isOther(age, this.#age) && callbacks === this.#served.callbacks) return
      const { servesTriggers } = this.#options
      const [webhooks, tests] = servesTriggers ? await Promise.all([desk.list(), desk.tests()]) : [[], []]
      if (webhooks.length + tests.length > 0 || callbacks) await this.#readKey()
      this.#serve({ webhooks, tests, callbacks })
      this.#age = age
    } catch (thrown) {
      // The store is away, or the key can't be read: what was published last is served on.
      log.warn('webhook.list_failed', { reason: recordOfThrown(thrown).message })
    }
  }

  async #isAwaited(): Promise<boolean> {
    const { desk, log } = this.#options
    try {
      return await desk.isCallAwaited()
    } catch (thrown) {
      log.warn('webhook.list_failed', { reason: recordOfThrown(thrown).message })
      return false
    }
  }

  async #readKey(): Promise<void> {
    if (this.#key.length === 0) this.#key = (await this.#options.addresses.key()) ?? this.#key
    if (this.#key.length > 0) this.#callbackKeys ??= callbackKeysOf(this.#key)
  }

  close(): Promise<void> {
    this.#isClosed = true
    this.#unwatch()
    this.#cancelTests()
    return this.#listener.close()
  }

  #serve(served: Served): void {
    if (this.#isClosed) return
    this.#served = served
    this.#names.clear()
    const routes = [
      ...served.webhooks.map((webhook) => this.#route(webhook, 'hooks')),
      ...served.tests.map((test) => this.#testRoute(test)),
    ]
    this.#listener.serve(routes, served.callbacks ? (this.#callbackKeys?.publicKey ?? null) : null)
    this.#endTests()
  }

  #route({ parameters, ...name }: LiveWebhook | LiveTest, root: AddressRoot): ListenedRoute {
    const { path, method, maxBodyBytes, callsPerMinute, answerTimeoutMs } = parameters
    const tokenHash = hashOfSecretPart(secretPartOf(this.#key, name, root))
    this.#names.set(tokenHash, { name, root })
    return { tokenHash, root, path, method, maxBodyBytes, callsPerMinute, answerTimeoutMs }
  }

  /** It hears what the real address would refuse, so that people see what that is. */
  #testRoute(test: LiveTest): ListenedRoute {
    return {
      ...this.#route(test, 'hooks-test'),
      method: null,
      maxBodyBytes: webhookBodyBytesMax,
      callsPerMinute: testCallsPerMinute,
      answerTimeoutMs: testAnswerMs,
    }
  }

  /** Nobody writes when the time of a test is over. */
  #endTests(): void {
    this.#cancelTests()
    const { tests, ...others } = this.#served
    if (tests.length === 0) return
    const { clock } = this.#options
    const until = Math.min(...tests.map((test) => test.until))
    this.#cancelTests = clock.after(Math.max(0, until - clock.now()), () =>
      this.#serve({ ...others, tests: tests.filter((test) => test.until > clock.now()) }),
    )
  }

  #answer(call: ListenedCall, signal: AbortSignal): Promise<HttpAnswer> {
    if (call.callback !== undefined) return this.#answerCallback(call, call.callback)
    const found = this.#names.get(call.tokenHash)
    // It was unpublished while the call was on its way.
    if (found === undefined) return Promise.resolve(nothingHere)
    const { desk, secret } = this.#options
    const { name, root } = found
    const toAnswer = { name: { workflowId: name.workflowId, triggerId: name.triggerId }, call, signal }
    return root === 'hooks' ? desk.answer(toAnswer, secret) : desk.capture(toAnswer, secret)
  }

  /** The process that listens believes its key; what it says is not believed here. */
  #answerCallback(call: ListenedCall, name: CallbackName): Promise<HttpAnswer> {
    const id = this.#callbackKeys?.read(name) ?? null
    if (id === null) return Promise.resolve(nothingHere)
    const { desk, secretOfStep } = this.#options
    return desk.answerCallback({ id, call }, secretOfStep)
  }
}

const nothingHere: HttpAnswer = { status: 404, headers: {}, body: 'There is nothing here.\n' }
