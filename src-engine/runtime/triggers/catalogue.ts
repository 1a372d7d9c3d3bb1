/** The triggers that there are, kept in mind until somebody publishes, switches or removes one. */

import type { TriggerRecord } from '../../model/trigger.ts'
import { isTriggerOn } from '../../model/trigger.ts'
import { isNewer, lookAtRegister, neverSeen } from '../register-look.ts'
import type { TriggerRegistersParts } from './trigger-registers.ts'
import { catalogueKey, listTriggers } from './trigger-registers.ts'

export interface TriggerCatalogue {
  /** Those of a kind that are on. One read, unless something has changed since the last time. */
  readonly ofKind: (kind: string) => Promise<readonly TriggerRecord[]>
}

export function createTriggerCatalogue(
  parts: Pick<TriggerRegistersParts, 'store' | 'partition'>,
): TriggerCatalogue {
  let byKind: ReadonlyMap<string, readonly TriggerRecord[]> = new Map()
  let known = neverSeen
  return {
    ofKind: async (kind) => {
      const look = await lookAtRegister(parts, catalogueKey)
      if (isNewer(look, known)) {
        // Read after its version: what is newer than that is read again.
        const on = look.register === null ? [] : (await listTriggers(parts)).map(({ record }) => record)
        byKind = Map.groupBy(on.filter(isTriggerOn), (record) => record.kind)
        known = look
      }
      return byKind.get(kind) ?? []
    },
  }
}
