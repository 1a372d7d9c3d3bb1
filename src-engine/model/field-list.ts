/** Fields of records by place, a bit each: of those behind the 32nd one in the upper half of a number. */

import type { CodecContext, Packed } from './value-codec.ts'

export interface Field {
  readonly name: string
  /** What most records have: left out of a whole record. Undefined for what is never left out, or may be absent. */
  readonly usual: unknown
  /** Null for what is packed as it is. */
  readonly pack: ((value: never, context: CodecContext) => Packed) | null
  readonly unpack: ((packed: never, context: CodecContext) => unknown) | null
}

/** Fields by place and by name. */
export interface FieldList {
  readonly all: readonly Field[]
  readonly bitByName: ReadonlyMap<string, number>
  /** Of those behind the 32nd. */
  readonly upperByName: ReadonlyMap<string, number>
}

/** Bits of a number that operators on bits see. */
export const lowerBits = 32
const upperUnit = 2 ** lowerBits

export const fieldList = (all: readonly Field[]): FieldList => {
  const bits = all.map(({ name }, index) => [name, 1 << (index % lowerBits)] as const)
  return {
    all,
    bitByName: new Map(bits.slice(0, lowerBits)),
    upperByName: new Map(bits.slice(lowerBits)),
  }
}

/** Both halves in one number. The highest bit of the lower one is its sign, as it was when there was no other half. */
export const masksJoined = (mask: number, upper: number): number =>
  upper === 0 ? mask : upper * upperUnit + mask

/** The other half of what was joined; `| 0` gives the lower one. */
export const upperOf = (word: number): number => {
  const mask = word | 0
  return word === mask ? 0 : (word - mask) / upperUnit
}
