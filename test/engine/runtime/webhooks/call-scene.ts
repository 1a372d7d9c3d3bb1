/** Calls of webhooks that an engine in virtual time answers. */

import { createHmac } from 'node:crypto'
import type { JsonObject } from '../../../../src-engine/model/json.ts'
import type { RunRecord } from '../../../../src-engine/model/run.ts'
import type { FiringRecord } from '../../../../src-engine/model/trigger.ts'
import { firingPrefix, readFiring } from '../../../../src-engine/model/trigger.ts'
import type { Engine } from '../../../../src-engine/runtime/engine.ts'
import type { ListenedCall } from '../../../../src-engine/runtime/webhooks/listener-message.ts'
import type { HttpAnswer } from '../../../../src-engine/triggers/webhook/answer-shape.ts'
import { documentOf, edgesOf } from '../../model/workflow-fixture.ts'
import { FlowScene } from '../control-flow/flow-scene.ts'

/** The secret of the senders. */
export const key = 'right key'
/** The trigger that is called. */
export const name = { workflowId: documentOf({ nodes: {} }).id, triggerId: 'hook' }
const page = { after: null, limit: 200 }

const secret = async (asked: string) => (asked === 'hooks' ? key : null)

/** Senders sign as Standard Webhooks says. */
export const signed = { kind: 'standard', secret: 'hooks', previousSecret: '' }
/** Ends with an answer of its own. */
export const twoSteps = {
  nodes: {
    first: { kind: 'transform', parameters: { expression: '{ "order": input.body.order }' } },
    last: { kind: 'transform', parameters: { expression: '{ "status": 201, "body": "made" }' } },
  },
  edges: edgesOf('first>last'),
}

export interface Sent {
  readonly id?: string
  /** In seconds after now. */
  readonly signedAt?: number
  readonly body?: string
  readonly signature?: string
  readonly type?: string
}

/** An engine whose workflow is called. */
export class CallScene extends FlowScene {
  async publish(parameters: JsonObject, parts: JsonObject = twoSteps): Promise<void> {
    const triggers = { hook: { kind: 'webhook', parameters: { path: 'orders', ...parameters } } }
    const document = documentOf({ ...parts, triggers })
    await this.within(this.engine.publishing.publish({ document, baseDirectory: null }))
  }

  callOf({
    id = 'msg_1',
    signedAt = 0,
    body = '{"order":7}',
    signature,
    type = 'application/json',
  }: Sent = {}) {
    const timestamp = Math.floor(this.world.now / 1_000) + signedAt
    const right = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
    return {
      id: 1,
      tokenHash: 'hash',
      method: 'POST',
      path: 'orders',
      query: '',
      headers: {
        'content-type': type,
        'webhook-id': id,
        'webhook-timestamp': String(timestamp),
        'webhook-signature': signature ?? `v1,${right}`,
      },
      bodyBase64: Buffer.from(body).toString('base64'),
      remote: '10.0.0.9',
    } satisfies ListenedCall
  }

  async call(sent: Sent = {}, engine: Engine = this.engine): Promise<HttpAnswer> {
    return this.within(this.pending(sent, new AbortController().signal, engine))
  }

  pending(sent: Sent, signal: AbortSignal, engine: Engine = this.engine): Promise<HttpAnswer> {
    return engine.webhooks.answer({ name, call: this.callOf(sent), signal }, secret)
  }

  /** Calls the test address. */
  async capture(call: ListenedCall = this.callOf()): Promise<HttpAnswer> {
    const { signal } = new AbortController()
    return this.within(this.engine.webhooks.capture({ name, call, signal }, secret))
  }

  runs(): Promise<readonly RunRecord[]> {
    return this.store.list(0, 'runs', {
      filter: { statuses: null, workflowId: null, includeCore: false },
      page,
    })
  }

  async firings(): Promise<readonly FiringRecord[]> {
    const found = await this.store.list(0, 'registers', { filter: { prefix: firingPrefix }, page })
    return found.flatMap(({ value }) => readFiring(value) ?? [])
  }
}
