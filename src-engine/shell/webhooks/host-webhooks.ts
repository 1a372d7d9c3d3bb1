/** The webhooks of a process that stays: composed of its engine, its settings and its vault. */

import { recordOfThrown } from '../../model/errors.ts'
import type { NodeId } from '../../model/ids.ts'
import type { Clock, Logger } from '../../model/ports.ts'
import type { SecretUse } from '../../model/secret.ts'
import { bindingAgainst } from '../../model/secret.ts'
import type { Engine } from '../../runtime/engine.ts'
import type { Vault } from '../../runtime/vault/vault.ts'
import { createNodeListenerHost } from '../../runtime/webhooks/listener-host.ts'
import type { SecretOfCalls, SecretOfStep } from '../../runtime/webhooks/webhook-desk.ts'
import type { GuardedHost } from '../../tasks/guarded-process.ts'
import type { DataDirectory } from '../data-directory.ts'
import type { WebhookSettings } from './webhook-addresses.ts'
import { createWebhookAddresses } from './webhook-addresses.ts'
import type { WebhookServer } from './webhook-server.ts'
import { openWebhookServer } from './webhook-server.ts'

export interface HostWebhooksInput {
  readonly engine: Pick<Engine, 'webhooks'>
  readonly directory: Pick<DataDirectory, 'webhookKey'>
  readonly settings: WebhookSettings
  readonly vault: Pick<Vault, 'open'>
  readonly clock: Clock
  readonly log: Logger
  /** Whether published triggers are served beside the steps of runs; they are when absent. */
  readonly servesTriggers?: boolean
  /** Starts the process that listens; a child of this Node when absent. */
  readonly host?: GuardedHost | undefined
}

/** Serves what is published, from now on; nothing listens while there is nothing. */
export function openHostWebhooks(input: HostWebhooksInput): Promise<WebhookServer> {
  const { engine, directory, settings, vault, clock, log, host = createNodeListenerHost() } = input
  const { servesTriggers = true } = input
  return openWebhookServer({
    desk: engine.webhooks,
    addresses: createWebhookAddresses(settings, directory.webhookKey),
    secret: secretOf(vault, log),
    secretOfStep: secretOfStep(vault, log),
    servesTriggers,
    host,
    clock,
    log,
    address: settings.webhookAddress,
    port: settings.webhookPort,
  })
}

const secretOf =
  (vault: Pick<Vault, 'open'>, log: Logger): SecretOfCalls =>
  (name, { workflowId, triggerId }) =>
    // A trigger is bound by its key, as a step is by its own.
    openFor({ vault, log }, name, { workflowId, nodeId: triggerId as NodeId, taskKind: 'webhook' })

const secretOfStep =
  (vault: Pick<Vault, 'open'>, log: Logger): SecretOfStep =>
  (name, { workflowId, nodeId }) =>
    openFor({ vault, log }, name, {
      workflowId,
      nodeId,
      taskKind: 'wait-webhook',
    })

/** A secret that is bound to other workflows or kinds is as good as none. */
async function openFor(
  { vault, log }: { readonly vault: Pick<Vault, 'open'>; readonly log: Logger },
  name: string,
  use: SecretUse,
): Promise<string | null> {
  try {
    const [opened] = await vault.open([name])
    if (opened !== undefined && bindingAgainst(opened.entry, use) === null) return opened.value
    log.warn('webhook.secret_not_allowed', { secret: name, ...use })
  } catch (thrown) {
    log.warn('webhook.secret_failed', { secret: name, code: recordOfThrown(thrown).code })
  }
  return null
}
