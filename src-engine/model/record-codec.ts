/** Runs and invocations as short JSON values by place: those of their fields that aren't as usual (record-fields.ts). */

import type { Field, FieldList } from './field-list.ts'
import { lowerBits, masksJoined, upperOf } from './field-list.ts'
import type { InvocationId, RunId } from './ids.ts'
import { definitionHash, invocationId, nodeId, runId, workflowId } from './ids.ts'
import type { InvocationRecord } from './invocation.ts'
import { newInvocation, newRun } from './new-records.ts'
import { emptyList, invocationFields, runFields } from './record-fields.ts'
import type { RunRecord } from './run.ts'
import type { CodecContext, Packed } from './value-codec.ts'

type Source = Readonly<Record<string, unknown>>

/** Where packed values are appended, and what they are relative to. */
export interface Packing {
  readonly context: CodecContext
  readonly out: Packed[]
}

/**
 * Packs a whole record: a bit per field whose value isn't the usual one, then these values; appended to
 * `out`.
 */
export function packRecord(fields: FieldList, source: object, packing: Packing): void {
  const { all } = fields
  const { out } = packing
  const place = out.length
  out.push(0)
  let mask = 0
  let upper = 0
  let next = 0
  packing.context.lease = null
  // Records are made with their fields in the order of the list, behind the ids: reading them in their own order
  // is several times as fast as looking for each.
  for (const name in source) {
    const field = next < lowerBits ? all[next] : undefined
    if (field?.name === name) {
      if (packUnusual(field, (source as Source)[name], packing)) mask |= 1 << next
      next += 1
    } else if (next > 0) break
  }
  for (; next < all.length; next += 1) {
    const field = all[next] as Field
    if (!packUnusual(field, (source as Source)[field.name], packing)) continue
    if (next < lowerBits) mask |= 1 << next
    else upper |= 1 << (next - lowerBits)
  }
  out[place] = masksJoined(mask, upper)
}

/** Whether the value isn't the usual one, and was appended to `out`. */
function packUnusual(field: Field, value: unknown, { context, out }: Packing): boolean {
  const { usual, pack } = field
  if (value === usual || (usual === emptyList && isEmpty(value))) return false
  out.push(pack === null ? value : pack(value as never, context))
  return true
}

/** Packs the fields that are there: a bit for each, then the values; appended to `out`. */
export function packSet(fields: FieldList, source: object, { context, out }: Packing): void {
  let mask = 0
  let upper = 0
  for (const name in source) {
    const bit = fields.bitByName.get(name)
    if (bit === undefined) upper |= fields.upperByName.get(name) ?? 0
    else mask |= bit
  }
  out.push(masksJoined(mask, upper))
  context.lease = null
  let place = 0
  for (let left = mask; left !== 0 || upper !== 0; left &= left - 1) {
    if (left === 0) {
      left = upper
      upper = 0
      place = lowerBits
    }
    // The lowest bit that is left.
    const field = fields.all[place + 31 - Math.clz32(left & -left)] as Field
    const value = (source as Source)[field.name]
    out.push(field.pack === null ? value : field.pack(value as never, context))
  }
}

const isEmpty = (value: unknown): boolean => (value as readonly unknown[]).length === 0

/** The run that `packRecord` wrote at `from`; the context tells its id. */
export function unpackRun(packed: readonly Packed[], context: CodecContext, from: number): RunRecord {
  // A copy of a record has its shape at once; fields added one by one would make a slow dictionary.
  const target = { ...blankRun, id: context.runId as RunId }
  unpackInto(runFields, packed, { context, from, target })
  return target
}

/** The same of an invocation. */
export function unpackInvocation(
  packed: readonly Packed[],
  context: CodecContext,
  from: number,
): InvocationRecord {
  const { id, runId: of } = context
  const target = { ...blankInvocation, id: id as InvocationId, runId: of as RunId }
  unpackInto(invocationFields, packed, { context, from, target })
  return target
}

const blankInvocation = newInvocation({
  id: invocationId(''),
  runId: runId(''),
  nodeId: nodeId(''),
  taskKind: '',
  registeredAt: 0,
  cause: { kind: '', by: null, detail: null },
})

const blankRun = newRun({
  id: runId(''),
  workflowId: workflowId(''),
  workflowTitle: '',
  definitionHash: definitionHash(''),
  input: { kind: 'inline', json: 'null' },
  seed: '',
  now: 0,
})

/** The fields that `packSet` wrote at `from`, and the place after them. */
export function unpackSet(
  fields: FieldList,
  packed: readonly Packed[],
  reading: { readonly context: CodecContext; readonly from: number },
): { readonly values: Source; readonly next: number } {
  const target: Record<string, unknown> = {}
  return { values: target, next: unpackInto(fields, packed, { ...reading, target }) }
}

/** Reads packed fields into an object that is there; the place after them. */
export function unpackInto(
  fields: FieldList,
  packed: readonly Packed[],
  reading: { readonly context: CodecContext; readonly from: number; readonly target: object },
): number {
  const { context, from } = reading
  const target = reading.target as Record<string, unknown>
  const word = packed[from] as number
  let next = from + 1
  let upper = upperOf(word)
  let place = 0
  context.lease = null
  for (let left = word | 0; left !== 0 || upper !== 0; left &= left - 1) {
    if (left === 0) {
      left = upper
      upper = 0
      place = lowerBits
    }
    const field = fields.all[place + 31 - Math.clz32(left & -left)] as Field
    const value = packed[next]
    target[field.name] = field.unpack === null ? value : field.unpack(value as never, context)
    next += 1
  }
  return next
}
