/** The mark by which a workspace remembers that it seals: a register at home, so every process can see it. */

import { noWrites } from '../../model/checkpoint.ts'
import { opId } from '../../model/ids.ts'
import type { Ids } from '../../model/ports.ts'
import type { SealMark } from '../../model/seal.ts'
import { readSealMark, sealRegister } from '../../model/seal.ts'
import type { Instant } from '../../model/time.ts'
import type { Store } from '../../store/store.ts'
import type { RegisterAge } from '../register-look.ts'
import { expecting, lookAtRegister } from '../register-look.ts'

/** The mark, and how old what was seen of its register is. */
export interface SeenMark {
  readonly mark: SealMark | null
  readonly seen: RegisterAge
}

type MarkStore = Pick<Store, 'info' | 'load' | 'commit'>

/** As the store has it now. */
export async function loadSealMark(store: MarkStore): Promise<SeenMark> {
  const { register, epoch, version } = await lookAtRegister({ store, partition: homeOf(store) }, sealRegister)
  return { mark: readSealMark(register?.value), seen: { epoch, version } }
}

/** How a mark is written. */
export interface MarkChange {
  readonly key: string
  /** The register as it was seen, so that a mark of another epoch is not written over. */
  readonly seen: RegisterAge
  readonly at: Instant
  readonly ids: Ids
  /** What is known of the other partitions; absent for nothing. */
  readonly everywhere?: boolean
  /** When it began; absent for now. */
  readonly since?: Instant
}

/**
 * Has the workspace seal with the key from now on; false when somebody else changed the mark first. Its own partition
 * takes sealed values only from then on.
 */
export async function writeSealMark(store: MarkStore, change: MarkChange): Promise<boolean> {
  const { key, seen, at, ids, since = at, everywhere = store.info.partitions.length === 1 } = change
  const partition = homeOf(store)
  const value = { key, since, everywhere }
  const [answer] = await store.commit(partition, [
    {
      partition,
      opId: opId(`seal:${ids.next()}`),
      actor: { kind: 'operator', id: 'seal' },
      at,
      values: 'sealed',
      expect: expecting([{ key: sealRegister, ...seen }]),
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

/**
 * Tells every partition that only sealed values are written by now, so that whoever has not noticed is refused there.
 * Who comes in between finds the mark without that, and does the same.
 */
export async function sealEverywhere(
  store: MarkStore,
  { clock, ids }: { readonly clock: { readonly now: () => Instant }; readonly ids: Ids },
): Promise<void> {
  const { mark, seen } = await loadSealMark(store)
  if (mark === null || mark.everywhere) return
  const at = clock.now()
  await Promise.all(
    store.info.partitions.map((partition) =>
      store.commit(partition, [
        {
          partition,
          opId: opId(`seal:${ids.next()}`),
          actor: { kind: 'operator', id: 'seal' },
          at,
          values: 'sealed',
          expect: { invocations: [], registers: [] },
          writes: noWrites,
          events: [],
        },
      ]),
    ),
  )
  await writeSealMark(store, { ...mark, seen, at, ids, everywhere: true })
}

const homeOf = ({ info }: MarkStore): number => info.partitions[0] ?? 0
