/** Engines in virtual time that read a stream, and what became of its entries. */

import type { JsonObject, JsonValue } from '../../../../src-engine/model/json.ts'
import type { RunRecord } from '../../../../src-engine/model/run.ts'
import type { FiringRecord } from '../../../../src-engine/model/trigger.ts'
import { firingPrefix, readFiring } from '../../../../src-engine/model/trigger.ts'
import type { Engine } from '../../../../src-engine/runtime/engine.ts'
import type { Store } from '../../../../src-engine/store/store.ts'
import { documentOf } from '../../model/workflow-fixture.ts'
import { FlowScene } from '../control-flow/flow-scene.ts'
import { StreamDouble } from './stream-double.ts'

const page = { after: null, limit: 200 }

export class StreamScene extends FlowScene {
  override looksSeldom = true
  readonly stream: StreamDouble

  constructor(store: Store) {
    super(store)
    this.chores = true
    this.stream = new StreamDouble(this.world)
    this.streams = this.stream
  }

  /** An engine that reads. */
  async reader(): Promise<Engine> {
    const engine = await this.launch()
    engine.streams.start()
    return engine
  }

  async publish(parameters: JsonObject = {}, more: JsonObject = {}): Promise<void> {
    const orders = {
      kind: 'redis-stream',
      parameters: { host: 'redis.test', stream: 'orders', ...parameters },
    }
    const document = documentOf({ nodes: { a: { kind: 'noop' } }, triggers: { orders }, ...more })
    await this.within(this.engine.publishing.publish({ document, baseDirectory: null }))
  }

  async runs(): Promise<readonly RunRecord[]> {
    const filter = { statuses: null, workflowId: null, includeCore: false }
    const runs: readonly RunRecord[] = await this.store.list(0, 'runs', { filter, page })
    // Listed newest first, also of one instant.
    return runs
      .filter(({ cause }) => cause.kind.startsWith('trigger:'))
      .toReversed()
      .toSorted((a, b) => a.createdAt - b.createdAt)
  }

  /** What runs began with, oldest first. */
  async inputs(): Promise<readonly JsonValue[]> {
    return (await this.runs()).map(({ input }) =>
      input.kind === 'inline' ? (JSON.parse(input.json) as JsonValue) : null,
    )
  }

  /** The `n` of each entry that a run began with, oldest first. */
  async told(): Promise<readonly string[]> {
    const inputs = (await this.inputs()) as readonly {
      readonly fields?: { readonly n: string }
      readonly entries?: readonly { readonly fields: { readonly n: string } }[]
    }[]
    return inputs.map(({ fields, entries }) =>
      entries === undefined ? (fields?.n ?? '') : entries.map((entry) => entry.fields.n).join('+'),
    )
  }

  async firings(): Promise<readonly FiringRecord[]> {
    const kept = await this.store.list(0, 'registers', { filter: { prefix: firingPrefix }, page })
    return kept.flatMap(({ value }) => readFiring(value) ?? [])
  }

  /** Why it isn't read, and what is not acknowledged, as people are told. */
  async standing(): Promise<{
    readonly words: readonly string[]
    readonly code: string | null
    readonly open: number
  }> {
    const [engine] = this.engines.slice(-1)
    if (engine === undefined) throw new Error('no engine was launched')
    const [first] = (await this.within(engine.triggers['triggers.list']({ workflowId: null }))).triggers
    if (first === undefined) throw new Error('no trigger is published')
    const { standing } = await this.within(engine.triggers['triggers.show'](first))
    return { words: standing, code: first.reading?.problem?.code ?? null, open: first.reading?.open ?? 0 }
  }
}
