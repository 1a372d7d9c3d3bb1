/**
 * Names, causes, leases and payloads as short JSON values: relative to the checkpoint, and to what its text
 * told before. Numbers in the place of a text stand for that; only the short form writes them.
 */

import type { Fence } from './fence.ts'
import { sameFence } from './fence.ts'
import type { BlobHash } from './ids.ts'
import type { Cause, Lease } from './invocation.ts'
import type { Payload } from './payload.ts'
import type { SealProblem } from './seal.ts'

/** What packed values are relative to; the codec moves on what isn't read-only as it goes. */
export interface CodecContext {
  readonly at: number
  readonly epoch: number
  readonly runId: string | null
  readonly actorId: string | null
  /** Whether what was told already is named by a number: all but texts of version 1. */
  readonly short: boolean
  /** What the event at hand is about, and the one before it. */
  id: string | null
  idBefore: string | null
  /** The cause of the event at hand; while that is packed, still the one before it. */
  cause: Cause | null
  /** What caused the event before. */
  byBefore: string | null
  /** The output told last. */
  output: Payload | null
  /** The lease among the fields at hand. */
  lease: Lease | null
  /** The run's version as the event before told it. */
  runVersion: number | undefined
}

/** Before the first event of a text. */
export const newContext = (
  { at, epoch, runId }: Pick<CodecContext, 'at' | 'epoch' | 'runId'>,
  { actorId, short }: Pick<CodecContext, 'actorId' | 'short'>,
): CodecContext => {
  return {
    at,
    epoch,
    runId,
    actorId,
    short,
    id: null,
    idBefore: null,
    cause: null,
    byBefore: null,
    output: null,
    lease: null,
    runVersion: undefined,
  }
}

/** A packed value: JSON, read by its place. */
export type Packed = unknown

/** Texts that name the run, or something of it, without repeating its id. */
export function packName(name: string | null, { runId, actorId }: CodecContext): Packed {
  if (name === null) return null
  if (runId !== null && name.startsWith(runId)) {
    if (name.length === runId.length) return '.'
    if (name.charCodeAt(runId.length) === slash) return name.slice(runId.length)
  }
  return name === actorId ? '@' : `=${name}`
}

const slash = 47

/** The text that was packed. */
export function unpackName(packed: string | null, { runId, actorId }: CodecContext): string | null {
  if (packed === null) return null
  if (packed === '.') return runId
  if (packed === '@') return actorId
  return packed.charCodeAt(0) === slash ? runId + packed : packed.slice(1)
}

/** The lease that was packed. */
export function unpackLease(packed: readonly [string, number, number, number], context: CodecContext): Lease {
  const [runner, epoch, counter, expiresAt] = packed
  return {
    runnerId: unpackName(runner, context) as Lease['runnerId'],
    fence: { epoch: epoch + context.epoch, counter },
    expiresAt: expiresAt + context.at,
  }
}

/** 0 stands for the fence of the lease that was packed with it. */
export function packFence(value: Fence | null, context: CodecContext): Packed {
  if (value === null) return null
  if (context.lease !== null && sameFence(value, context.lease.fence)) return 0
  return [value.epoch - context.epoch, value.counter]
}

/** The fence that was packed. */
export function unpackFence(
  packed: readonly [number, number] | 0 | null,
  context: CodecContext,
): Fence | null {
  if (packed === null) return null
  if (packed === 0) return context.lease?.fence ?? null
  return { epoch: packed[0] + context.epoch, counter: packed[1] }
}

/** A cause that was packed. */
export type PackedCause = string | readonly [string, string | number | null, string?]

/** `[kind, by, detail]`, in short the kind alone where that is all. */
export function packCause({ kind, by, detail }: Cause, context: CodecContext): Packed {
  if (detail !== null) return [kind, packBy(by, context), detail]
  return by === null && context.short ? kind : [kind, packBy(by, context)]
}

function packBy(by: string | null, context: CodecContext): Packed {
  if (by !== null && context.short) {
    if (by === context.id) return 1
    if (by === context.idBefore) return 2
    if (by === context.byBefore) return 3
  }
  return packName(by, context)
}

function unpackBy(packed: string | number | null, context: CodecContext): string | null {
  if (packed === 1) return context.id
  if (packed === 2) return context.idBefore
  if (packed === 3) return context.byBefore
  return unpackName(packed as string | null, context)
}

/** The cause that was packed. */
export function unpackCause(packed: PackedCause, context: CodecContext): Cause {
  if (typeof packed === 'string') return { kind: packed, by: null, detail: null }
  const [kind, by, detail] = packed
  return { kind, by: unpackBy(by, context), detail: detail ?? null }
}

/** Equal by value. */
export const sameCause = (a: Cause, b: Cause | null): boolean =>
  a === b || (b !== null && a.kind === b.kind && a.by === b.by && a.detail === b.detail)

/** The node in `run/node@path#generation~role`, if the id at hand has that form. */
export function nodeOfId({ id, runId }: CodecContext): string | null {
  if (id === null || runId === null || !id.startsWith(runId)) return null
  if (id.charCodeAt(runId.length) !== slash) return null
  const rest = id.slice(runId.length + 1)
  const end = rest.search(/[@#~]/)
  return end === -1 ? rest : rest.slice(0, end)
}

/** A payload that was packed. */
export type PackedPayload =
  | string
  | readonly [string, number]
  | readonly [string, number, string | 0]
  | readonly [string]
  | readonly [string, string]
  | readonly [string, string | null, SealProblem]
  | readonly [string, string | null, SealProblem | null, 1]

/**
 * Inline text as it is, a blob as `[hash, bytes]`, with what stays of one that goes as a third; what is sealed as
 * `[token]` or `[token, blob]`. Why it can't be read is told third, to readers alone: no store is given that. A fourth says
 * that its blob goes.
 */
export function packPayload(value: Payload | null): Packed {
  if (value === null) return null
  if (value.kind === 'inline') return value.json
  if (value.kind === 'blob') {
    const { hash, bytes, fleeting } = value
    return fleeting === undefined ? [hash, bytes] : [hash, bytes, fleeting.summary ?? 0]
  }
  const { token, blob, problem = null, fleeting } = value
  if (fleeting !== undefined) return [token, blob, problem, 1]
  if (problem !== null) return [token, blob, problem]
  return blob === null ? [token] : [token, blob]
}

/** The payload that was packed. */
export function unpackPayload(packed: PackedPayload | null): Payload | null {
  if (packed === null) return null
  if (typeof packed === 'string') return { kind: 'inline', json: packed }
  if (typeof packed[1] === 'number') return unpackBlob(packed as PackedBlob)
  const [token, name = null, problem = null, fleeting] = packed as PackedSeal
  const sealed = { kind: 'sealed', token, blob: name as BlobHash | null } as const
  return {
    ...sealed,
    ...(problem === null ? {} : { problem }),
    ...(fleeting === undefined ? {} : { fleeting: true }),
  }
}

type PackedBlob = readonly [hash: string, bytes: number, stays?: string | 0]
type PackedSeal = readonly [token: string, blob?: string | null, problem?: SealProblem | null, fleeting?: 1]

function unpackBlob([hash, bytes, stays]: PackedBlob): Payload {
  const blob = { kind: 'blob', hash: hash as BlobHash, bytes } as const
  return stays === undefined ? blob : { ...blob, fleeting: { summary: stays === 0 ? null : stays } }
}

/** Whether both are there and equal by value. */
export function samePayload(a: Payload | null, b: Payload | null | undefined): boolean {
  if (a === null || b === null || b === undefined) return false
  if (a.kind === 'inline') return b.kind === 'inline' && a.json === b.json
  if (a.kind === 'sealed')
    return b.kind === 'sealed' && a.token === b.token && a.blob === b.blob && a.fleeting === b.fleeting
  const isSame = b.kind === 'blob' && a.hash === b.hash && a.bytes === b.bytes
  return isSame && a.fleeting?.summary === b.fleeting?.summary
}
