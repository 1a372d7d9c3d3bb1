/** A partition that holds nothing but tokens, judges units as the script does, and can go back. */

import { packEvents } from '../../../../../src-engine/model/event-codec.ts'
import type { OpId } from '../../../../../src-engine/model/ids.ts'
import type { Boundary } from '../../../../../src-engine/store/redis/journal/boundaries.ts'
import type { Place } from '../../../../../src-engine/store/redis/journal/entry.ts'
import type { ReplayTarget } from '../../../../../src-engine/store/redis/journal/replay.ts'
import type { Unit, UnitAnswer } from '../../../../../src-engine/store/redis/unit.ts'
import { checksOf, emptyUnit } from '../../../../../src-engine/store/redis/unit.ts'

interface Copy {
  readonly tokens: ReadonlyMap<string, string>
  readonly ops: readonly OpId[]
  readonly place: Place
  readonly boundaries: readonly Boundary[]
}

export class FakePartition {
  #tokens = new Map<string, string>()
  #ops: OpId[] = []
  #boundaries: readonly Boundary[] = []
  #newestEpoch = 1
  place: Place = { epoch: 1, seq: 0 }

  get tokens(): ReadonlyMap<string, string> {
    return this.#tokens
  }

  get ops(): readonly OpId[] {
    return this.#ops
  }

  get boundaries(): readonly Boundary[] {
    return this.#boundaries
  }

  token(key: string): string {
    return this.#tokens.get(key) ?? ''
  }

  copy(): Copy {
    const { tokens, ops, place, boundaries } = this
    return { tokens: new Map(tokens), ops: [...ops], place, boundaries }
  }

  /** A replica leads that had come as far as the copy; the next epoch begins. */
  goBack({ tokens, ops, place, boundaries }: Copy): void {
    this.#newestEpoch += 1
    this.#tokens = new Map(tokens)
    this.#ops = [...ops]
    this.#boundaries = [...boundaries, { epoch: this.#newestEpoch, foundAt: place }]
    this.place = { epoch: this.#newestEpoch, seq: 1 }
  }

  write(units: readonly Unit[]): readonly UnitAnswer[] {
    return units.map((unit) => this.#writeOne(unit))
  }

  /** What a replay is told of it. */
  target(): ReplayTarget {
    return {
      epoch: this.place.epoch,
      write: async (units) => {
        const answers = this.write(units)
        return { kind: 'done', seq: this.place.seq, answers }
      },
      token: async (key) => this.token(key),
      isThere: async ({ opId }) => this.#ops.includes(opId),
      lateTakes: () => [],
      takeAgain: async () => true,
    }
  }

  #writeOne(unit: Unit): UnitAnswer {
    const { parts, opId } = unit
    const checks = [...checksOf(unit)]
    const isSame = checks.every(({ key, believed }) => this.token(key) === believed)
    if (!isSame) {
      const isThere = checks.every(({ key, written }) => this.token(key) === written)
      return { kind: isThere ? 'there' : 'differs' }
    }
    for (const { key, written } of checks) this.#tokens.set(key, written)
    this.place = { ...this.place, seq: this.place.seq + parts.length }
    if (opId !== undefined) this.#ops.push(opId)
    return { kind: 'written', fresh: [] }
  }
}

/** A unit that moves these records on from what they hold, with one event. */
export function aUnit(
  partition: FakePartition,
  opId: OpId,
  keys: readonly string[],
): Unit & { readonly opId: OpId } {
  const hashes = keys.map((key) => {
    const believed = partition.token(key)
    const version = believed === '' ? 0 : Number.parseInt(believed, 10)
    const token = `${version + 1} ${opId}`
    return { key, written: [{ field: 'v', believed, token }], looked: [], placed: [], sets: [] }
  })
  const { epoch } = partition.place
  const cause = { kind: 'manual', by: null, detail: null } as const
  const body = { type: 'register.changed', key: keys.join(), value: null } as const
  const group = { epoch, runId: null, at: 0, opId, actor: { kind: 'run', id: null } } as const
  const text = packEvents(group, [{ runId: null, invocationId: null, cause, body }])
  const part = { groups: null, runId: '', count: 1, digest: '', opTag: '', text }
  return { ...emptyUnit, opId, hashes, parts: [part] }
}
