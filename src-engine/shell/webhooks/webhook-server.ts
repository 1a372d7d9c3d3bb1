/**
 * Webhooks of an engine: serves the addresses of those that are published, each with a secret part that
 * follows from the key. Nothing listens while there is none.
 */

import { recordOfThrown } from '../../model/errors.ts'
import type { Clock, Logger } from '../../model/ports.ts'
import type { Millis } from '../../model/time.ts'
import { second } from '../../model/time.ts'
import type { TriggerName } from '../../model/trigger.ts'
import type { ListenedCall, ListenedRoute } from '../../runtime/webhooks/listener-message.ts'
import type { ListenerState } from '../../runtime/webhooks/listener-process.ts'
import { createListenerProcess } from '../../runtime/webhooks/listener-process.ts'
import { addressPath, hashOfSecretPart, secretPartOf } from '../../runtime/webhooks/webhook-address.ts'
import type { LiveWebhook, SecretOfCalls, WebhookDesk } from '../../runtime/webhooks/webhook-desk.ts'
import type { GuardedHost } from '../../tasks/guarded-process.ts'
import type { HttpAnswer } from '../../triggers/webhook/answer-shape.ts'

export interface WebhookServerOptions {
  readonly desk: WebhookDesk
  /** Asked for with the first webhook. */
  readonly key: () => Promise<Uint8Array>
  readonly secret: SecretOfCalls
  readonly host: GuardedHost
  readonly clock: Clock
  readonly log: Logger
  readonly address: string
  readonly port: number
  /** What callers from outside see instead of address and port; empty for none. */
  readonly publicUrl: string
}

export interface ServedWebhook extends LiveWebhook {
  /** Null while nothing listens. */
  readonly url: string | null
}

export interface WebhookServer {
  readonly state: () => ListenerState
  readonly list: () => readonly ServedWebhook[]
  /** Looks whether other webhooks are published by now. */
  readonly refresh: () => Promise<void>
  readonly close: () => Promise<void>
}

/** Other processes publish too. */
const lookMs: Millis = 2 * second

/** Serves what is published, from now on. */
export async function openWebhookServer(options: WebhookServerOptions): Promise<WebhookServer> {
  const server = new Serving(options)
  await server.refresh()
  return {
    state: () => server.state(),
    list: () => server.list(),
    refresh: () => server.refresh(),
    close: () => server.close(),
  }
}

class Serving {
  readonly #options: WebhookServerOptions
  readonly #listener: ReturnType<typeof createListenerProcess>
  readonly #names = new Map<string, TriggerName>()
  #webhooks: readonly LiveWebhook[] = []
  #key: Uint8Array = new Uint8Array()
  #version = -1
  #isClosed = false
  #cancelLook: () => void = () => undefined

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

  state(): ListenerState {
    return this.#listener.state()
  }

  list(): readonly ServedWebhook[] {
    const base = this.#base()
    return this.#webhooks.map((webhook) => ({
      ...webhook,
      url:
        base === null ? null : base + addressPath(secretPartOf(this.#key, webhook), webhook.parameters.path),
    }))
  }

  async refresh(): Promise<void> {
    const { desk, log } = this.#options
    this.#cancelLook()
    try {
      const version = await desk.version()
      if (version !== this.#version) {
        const webhooks = await desk.list()
        if (webhooks.length > 0 && this.#key.length === 0) this.#key = await this.#options.key()
        this.#serve(webhooks)
        this.#version = version
      }
    } catch (thrown) {
      // The store is away, or the key can't be read: what was published last is served on.
      log.warn('webhook.list_failed', { reason: recordOfThrown(thrown).message })
    }
    if (!this.#isClosed) this.#cancelLook = this.#options.clock.after(lookMs, () => void this.refresh())
  }

  close(): Promise<void> {
    this.#isClosed = true
    this.#cancelLook()
    return this.#listener.close()
  }

  #serve(webhooks: readonly LiveWebhook[]): void {
    if (this.#isClosed) return
    this.#webhooks = webhooks
    this.#names.clear()
    const routes = webhooks.map((webhook): ListenedRoute => {
      const { path, method, maxBodyBytes, callsPerMinute, answerTimeoutMs } = webhook.parameters
      const tokenHash = hashOfSecretPart(secretPartOf(this.#key, webhook))
      this.#names.set(tokenHash, webhook)
      return { tokenHash, path, method, maxBodyBytes, callsPerMinute, answerTimeoutMs }
    })
    this.#listener.serve(routes)
  }

  #answer(call: ListenedCall, signal: AbortSignal): Promise<HttpAnswer> {
    const name = this.#names.get(call.tokenHash)
    // It was unpublished while the call was on its way.
    if (name === undefined)
      return Promise.resolve({ status: 404, headers: {}, body: 'There is nothing here.\n' })
    return this.#options.desk.answer({ name, call, signal }, this.#options.secret)
  }

  #base(): string | null {
    const { publicUrl } = this.#options
    if (publicUrl !== '') return publicUrl.replace(/\/+$/, '')
    const state = this.#listener.state()
    if (state.kind !== 'listening') return null
    const host = state.address.includes(':') ? `[${state.address}]` : state.address
    return `http://${host}:${state.port}`
  }
}
