/** Tokens: a version with a mark that no other write has, for versions come again after a failover. */

import { createHash } from 'node:crypto'
import type { OpId } from '../../model/ids.ts'
import type { RunStatus } from '../../model/run-status.ts'

/** Marks one write; made anew for each decision. */
export type WriteTag = string

/** Tags of one opened store. */
export function createTags(writerId: string): () => WriteTag {
  let count = 0
  return () => `${writerId}.${(count += 1)}`
}

export const recordToken = (version: number, tag: WriteTag): string => `${version} ${tag}`
/** A run's token has its status too: a claim asks for nothing else. */
export const runToken = (version: number, tag: WriteTag, status: RunStatus): string =>
  `${version} ${tag} ${status}`

/** The version of a token; 0 for none. */
export const versionOf = (token: string): number => (token === '' ? 0 : Number.parseInt(token, 10))

const opTagLength = 10
/** Finds the groups of an op-id among a run's; the events tell whether it is really it. */
export const opTagOf = (opId: OpId): string =>
  createHash('sha1').update(opId).digest('hex').slice(0, opTagLength)
