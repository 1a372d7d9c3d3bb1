/** The mark by which a workspace remembers that it seals: a register at home, so every process can see it. */

import { noWrites } from '../../model/checkpoint.ts'
import { opId } from '../../model/ids.ts'
import type { Ids } from '../../model/ports.ts'
import type { SealMark } from '../../model/seal.ts'
import { readSealMark, sealRegister } from '../../model/seal.ts'
import type { Instant } from '../../model/time.ts'
import type { Store } from '../../store/store.ts'

/** The mark with the version of its register. */
export interface SeenMark {
  readonly mark: SealMark | null
  readonly version: number
}

type MarkStore = Pick<Store, 'info' | 'load' | 'commit'>

/** As the store has it now. */
export async function loadSealMark(store: MarkStore): Promise<SeenMark> {
  const register = await store.load(homeOf(store), 'register', { key: sealRegister })
  return { mark: readSealMark(register?.value), version: register?.version ?? 0 }
}

/** Has the workspace seal with the key from now on; false when somebody else changed the mark first. */
export async function writeSealMark(
  store: MarkStore,
  change: { readonly key: string; readonly version: number; readonly at: Instant; readonly ids: Ids },
): Promise<boolean> {
  const { key, version, at, ids } = change
  const partition = homeOf(store)
  const value = { key, since: at }
  const [answer] = await store.commit(partition, [
    {
      partition,
      opId: opId(`seal:${ids.next()}`),
      actor: { kind: 'operator', id: 'seal' },
      at,
      expect: { invocations: [], registers: [{ key: sealRegister, version }] },
      writes: { ...noWrites, registers: [{ key: sealRegister, value }] },
      events: [
        {
          runId: null,
          invocationId: null,
          cause: { kind: 'seal', by: null, detail: key },
          body: { type: 'register.changed', key: sealRegister, value },
        },
      ],
    },
  ])
  return answer?.kind === 'accepted' || answer?.kind === 'repeated'
}

const homeOf = ({ info }: MarkStore): number => info.partitions[0] ?? 0
