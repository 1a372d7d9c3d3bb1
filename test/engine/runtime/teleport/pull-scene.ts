/** A cluster of this process with runs in it, and the file that they are pulled into. */

import type { RunId } from '../../../../src-engine/model/ids.ts'
import { pullFamily } from '../../../../src-engine/runtime/teleport/pull-family.ts'
import type { PulledOne, PullParts } from '../../../../src-engine/runtime/teleport/pull-run.ts'
import { pullRun } from '../../../../src-engine/runtime/teleport/pull-run.ts'
import { createMemoryStore } from '../../../../src-engine/store/memory/memory-store.ts'
import type { PulledFile } from '../../../../src-engine/store/pulled/pulled-file.ts'
import { openPulledFile } from '../../../../src-engine/store/pulled/pulled-file.ts'
import { createPulledStore } from '../../../../src-engine/store/pulled/pulled-store.ts'
import type { Store } from '../../../../src-engine/store/store.ts'
import { taskSpecsByKind } from '../../../../src-engine/tasks/specs.ts'
import { FlowScene } from '../control-flow/flow-scene.ts'

export class PullScene {
  readonly cluster: FlowScene
  readonly file: PulledFile
  /** The runs of this machine. */
  readonly local: Store = createMemoryStore()
  /** What the pull told of itself. */
  readonly told: string[] = []

  constructor(cluster: FlowScene, file: PulledFile) {
    this.cluster = cluster
    this.file = file
  }

  parts(given: Partial<PullParts> = {}): PullParts {
    return {
      source: this.cluster.store,
      cluster: 'plant',
      file: this.file,
      local: this.local,
      now: () => 5_000_000,
      told: ({ phase, events, payloads }) => this.told.push(`${phase} ${events} ${payloads}`),
      waiting: async () => '[]',
      specsByKind: taskSpecsByKind,
      ...given,
    }
  }

  pull(runId: RunId, given: Partial<PullParts> = {}): Promise<PulledOne> {
    return this.cluster.within(pullRun(this.parts(given), runId))
  }

  pullFamily(runId: RunId) {
    const parts = { ...this.parts(), told: () => undefined }
    return this.cluster.within(pullFamily(parts, { runId, family: true }))
  }

  /** The pulled runs as a store. */
  store(runId: RunId): Store {
    const origin = this.file.originOf(runId)
    if (origin === null) throw new Error(`${runId} was not pulled`)
    return createPulledStore(this.file, origin)
  }

  async close(): Promise<void> {
    await this.cluster.close()
    await this.local.close()
    this.file.close()
  }
}

/** With an engine on the store. */
export async function pullSceneOn(store: Store): Promise<PullScene> {
  const cluster = new FlowScene(store)
  await cluster.launch()
  return new PullScene(cluster, await openPulledFile(':memory:', 0))
}
