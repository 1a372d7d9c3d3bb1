/** The triggers that there are, kept in mind until somebody publishes, switches or removes one. */

import type { TriggerRecord } from '../../model/trigger.ts'
import { isTriggerOn } from '../../model/trigger.ts'
import type { TriggerRegistersParts } from './trigger-registers.ts'
import { catalogueKey, listTriggers } from './trigger-registers.ts'

export interface TriggerCatalogue {
  /** Those of a kind that are on. One read, unless something has changed since the last time. */
  readonly ofKind: (kind: string) => Promise<readonly TriggerRecord[]>
}

export function createTriggerCatalogue(
  parts: Pick<TriggerRegistersParts, 'store' | 'partition'>,
): TriggerCatalogue {
  let known: { readonly version: number; readonly byKind: ReadonlyMap<string, readonly TriggerRecord[]> } = {
    version: 0,
    byKind: new Map(),
  }
  return {
    ofKind: async (kind) => {
      const register = await parts.store.load(parts.partition, 'register', { key: catalogueKey })
      const version = register?.version ?? 0
      if (version !== known.version) {
        // Read after its version: what is newer than that is read again.
        const on = (await listTriggers(parts)).map(({ record }) => record).filter(isTriggerOn)
        known = { version, byKind: Map.groupBy(on, (record) => record.kind) }
      }
      return known.byKind.get(kind) ?? []
    },
  }
}
