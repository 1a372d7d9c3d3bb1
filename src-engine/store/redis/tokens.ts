/** Tokens: a version with a mark that no other write has, for versions come again after a failover. */

import type { OpId } from '../../model/ids.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import type { RunStatus } from '../../model/run-status.ts'

/** Marks one write; made anew for each decision. */
export type WriteTag = string

/**
 * Ids begin with the time, and end with what is drawn: sixty bits tell writers apart. It is in six tokens of a
 * step, so its length is felt.
 */
const writerLength = 12

/** Tags of one opened store. */
export function createTags(writerId: string): () => WriteTag {
  const writer = writerId.slice(-writerLength)
  let count = 0
  return () => `${writer}.${((count += 1)).toString(36)}`
}

export const recordToken = (version: number, tag: WriteTag): string => `${version} ${tag}`

/**
 * An invocation's token tells who owns it, too: the fence, whether the owner was asked to cancel, and the runner. It
 * is what a renewal is compared with.
 */
export function invocationToken(
  { version, lease, cancelRequestedAt }: Pick<InvocationRecord, 'version' | 'lease' | 'cancelRequestedAt'>,
  tag: WriteTag,
): string {
  if (lease === null) return `${version} ${tag}`
  const { epoch, counter } = lease.fence
  return `${version} ${tag} ${epoch}.${counter} ${cancelRequestedAt === null ? 0 : 1} ${lease.runnerId}`
}

/** The runner that owns it; empty for nobody. */
export const ownerOf = (token: string): string => token.split(' ').slice(4).join(' ')

/** A run's token has its status too: a claim asks for nothing else. */
export const runToken = (version: number, tag: WriteTag, status: RunStatus): string =>
  `${version} ${tag} ${status}`

/** The status that a run's token tells; empty for none. */
export const statusOf = (token: string): string => token.split(' ')[2] ?? ''

/** The version of a token; 0 for none. */
export const versionOf = (token: string): number => (token === '' ? 0 : Number.parseInt(token, 10))

/**
 * Finds the groups of an op-id among a run's; the events tell whether it is really it, so FNV-1a does, for which a step
 * needn't ask anybody.
 */
export function opTagOf(opId: OpId): string {
  let hash = 0x81_1c_9d_c5
  for (let place = 0; place < opId.length; place += 1)
    hash = Math.imul(hash ^ opId.charCodeAt(place), 0x01_00_01_93)
  return (hash >>> 0).toString(36)
}
