/** Runs whose results somebody judges. */

import type { DeadLetter } from '../../../../src-engine/model/checkpoint.ts'
import type { InvocationId, RunId } from '../../../../src-engine/model/ids.ts'
import { invocationIdOf, nodeId } from '../../../../src-engine/model/ids.ts'
import type { InvocationRecord } from '../../../../src-engine/model/invocation.ts'
import type { JsonObject } from '../../../../src-engine/model/json.ts'
import type { FeedItem } from '../../../../src-engine/model/packed-group.ts'
import { draftsOf } from '../../../../src-engine/model/packed-group.ts'
import type { Store } from '../../../../src-engine/store/store.ts'
import { edgesOf } from '../../model/workflow-fixture.ts'
import { FlowScene } from '../control-flow/flow-scene.ts'
import type { SettingValues } from '../permits/scene-settings.ts'

export const secretKey = 'AKIAIOSFODNN7EXAMPLE'

export const rule = (decision: string, match: JsonObject, id = 'r'): JsonObject => ({
  id,
  decision,
  match,
  reason: 'It may not leave.',
})

export const transform = (expression: string): JsonObject => ({
  kind: 'transform',
  parameters: { expression },
})

/** `a` gives what the run was given, `b` and `c` say more. */
export const chain: JsonObject = {
  nodes: { a: transform('input'), b: transform('{ "got": input }'), c: transform('input') },
  edges: edgesOf('a>b', 'b>c'),
}

/** The same with a pause before `b`. */
export const pausing: JsonObject = {
  nodes: {
    a: transform('input'),
    wait: { kind: 'delay', parameters: { amount: 10, unit: 'minutes' } },
    b: transform('{ "got": input }'),
  },
  edges: edgesOf('a>wait', 'wait>b'),
}

export class OutputScene extends FlowScene {
  /** An engine on the store that judges by these rules. */
  static async judging(
    store: Store,
    rules: readonly JsonObject[],
    settings: SettingValues = {},
  ): Promise<OutputScene> {
    const scene = new OutputScene(store, { outputPolicyEnabled: true, ...settings })
    await scene.launch()
    await scene.setRules(rules)
    return scene
  }

  async setRules(rules: readonly JsonObject[]): Promise<void> {
    const document: JsonObject = { format: 1, rules: [...rules] }
    await this.within(this.engine.outputs.policy.change({ document, ifHash: null, by: 'ada' }))
  }

  id(runId: RunId, node: string): InvocationId {
    return invocationIdOf({ runId, generation: 0, nodeId: nodeId(node), path: '', role: 'forward' })
  }

  async step(runId: RunId, node: string): Promise<InvocationRecord> {
    const record = await this.store.load(0, 'invocation', { invocationId: this.id(runId, node) })
    if (record === null) throw new Error(`there is no step ${node}`)
    return record
  }

  async letters(): Promise<readonly DeadLetter[]> {
    const filter = { reason: null, workflowId: null, runId: null }
    return this.store.list(0, 'deadLetters', { filter, page: { after: null, limit: 100 } })
  }

  async held(): Promise<readonly InvocationId[]> {
    const query = { workflowId: null, runId: null, after: null, limit: 50 }
    const { entries } = await this.within(this.engine.outputs.quarantine.list(query))
    return entries.map(({ invocationId }) => invocationId)
  }

  /** All that a reader can get of a run, as one text. */
  async seen(runId: RunId): Promise<string> {
    const { engine } = this
    const snapshot = await this.within(engine.snapshot(runId))
    const states = await Promise.all(
      Array.from({ length: snapshot.seq }, (_, index) =>
        this.within(engine.stateAt(runId, index + 1)).catch(() => null),
      ),
    )
    const events: unknown[] = []
    const stop = engine.follow({ runId, cursor: null, receive: (batch) => events.push(...batch) })
    const handed: FeedItem[] = []
    const stopHanding = engine.follow({
      ...{ runId, cursor: null, form: 'packed' },
      receive: (items: readonly FeedItem[]) => handed.push(...items),
    })
    await this.pass(200)
    stop()
    stopHanding()
    const drafts = handed.flatMap(draftsOf)
    if (events.length < 4 || drafts.length !== events.length) throw new Error('the feed told nothing')
    const attempts = await this.within(engine.attempts(runId, null))
    return JSON.stringify([snapshot, states, events, drafts, attempts])
  }
}
