/** Engines that can't prove each other's death, on a store that keeps a list of who wrote what. */

import { parseDocument } from '../../../../src-engine/model/read-document.ts'
import type { WorkflowDocument } from '../../../../src-engine/model/workflow.ts'
import type { EngineOptions } from '../../../../src-engine/runtime/create-engine.ts'
import type { Store } from '../../../../src-engine/store/store.ts'
import { sceneStores } from '../../../simulation/stores.ts'
import { EnginesScene } from '../permits/engines-scene.ts'
import type { SettingValues } from '../permits/scene-settings.ts'

/** One step that ends when the test says so. */
export function oneStep(
  given: { readonly timeoutMs?: number; readonly runMs?: number } = {},
): WorkflowDocument {
  const read = parseDocument({
    format: 'sagasmith.workflow',
    schemaVersion: 1,
    id: 'one-step',
    title: 'One step',
    nodes: {
      work: {
        kind: 'noop',
        ...(given.timeoutMs === undefined ? {} : { timeout: { attemptMs: given.timeoutMs } }),
      },
    },
    edges: {},
    ...(given.runMs === undefined ? {} : { settings: { timeoutMs: given.runMs } }),
  })
  if (!read.ok) throw read.error
  return read.value.document
}

/** Nobody knows whether the other's process still runs: only leases tell. */
export const strangers = (pid: number): Pick<EngineOptions, 'process'> => ({
  process: {
    own: { host: 'host', pid, startTime: null, bootId: null },
    isProvenGone: () => false,
  },
})

export interface ClockScene {
  readonly scene: EnginesScene
  /** The first words of the op ids that were committed, and `renew` for each renewal, by process. */
  readonly written: string[]
  readonly launch: (settings?: SettingValues) => Promise<void>
}

export const clockStores = Object.entries(sceneStores)

export async function clockScene(open: () => Promise<Store>): Promise<ClockScene> {
  const written: string[] = []
  const inner = await open()
  const store = new Proxy(inner, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name)
      if (typeof member !== 'function') return member
      return (...given: readonly unknown[]): unknown => {
        if (name === 'renew') written.push('renew')
        if (name === 'commit') {
          for (const { opId } of given[1] as readonly { readonly opId: string }[])
            written.push(opId.split(':')[0] ?? '')
        }
        return Reflect.apply(member, target, given)
      }
    },
  })
  const scene = new EnginesScene(store)
  scene.looksSeldom = true
  return {
    scene,
    written,
    launch: async (settings = {}) => {
      await scene.launch(settings, strangers(scene.engines.length + 1))
    },
  }
}
