/** Tokens: a version with a mark that no other write has, for versions come again after a failover. */

import { hash } from 'node:crypto'
import type { OpId } from '../../model/ids.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import type { RunStatus } from '../../model/run-status.ts'

/** Marks one write; made anew for each decision. */
export type WriteTag = string

/** Tags of one opened store. */
export function createTags(writerId: string): () => WriteTag {
  let count = 0
  return () => `${writerId}.${(count += 1)}`
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

/** The version of a token; 0 for none. */
export const versionOf = (token: string): number => (token === '' ? 0 : Number.parseInt(token, 10))

const opTagLength = 10
/** Finds the groups of an op-id among a run's; the events tell whether it is really it. */
export const opTagOf = (opId: OpId): string => hash('sha1', opId).slice(0, opTagLength)
