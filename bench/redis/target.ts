/** Where the subjects on Redis work, and how they are told what to do. */

import type { RedisAddress } from '../../src-engine/store/redis/redis-options.ts'
import type { Subject } from '../subject.ts'

/** Ours, ours with steps that are taken to act, the two limit loops, and the peer. */
export const subjectNames = ['ours', 'acting', 'queue', 'sticky', 'bullmq'] as const

export type TurnName = (typeof subjectNames)[number]

/** Or ours with steps that are each claimed from the queue: for another pool comes first, or with a permit of a limit that each has. */
export type SubjectName = TurnName | 'queued' | 'limited'

export interface RedisTarget {
  readonly nodes: readonly RedisAddress[]
  /** What keys begin with: each subject of each round has its own. */
  readonly prefix: string
  readonly partitions: number
  readonly durability: 'fast' | 'safe'
}

/** Opens a subject on servers that run. */
export type OpenOnRedis = (target: RedisTarget) => Promise<Subject>

/** One piece of work for a subject's process. */
export type Task =
  | { readonly kind: 'open'; readonly subject: SubjectName; readonly target: RedisTarget }
  | { readonly kind: 'throughput'; readonly runs: number; readonly inFlight: number }
  | { readonly kind: 'chains' | 'fans'; readonly samples: number }
  | { readonly kind: 'close' }

/** What a piece of work took. */
export interface Taken {
  /** One per sample, in ms. */
  readonly spans: readonly number[]
  readonly seconds: number
  /** Of the process, user and system, in microseconds. */
  readonly cpuMicros: number
}
