/**
 * How the steps of a run under way stand: which one is told of, how many are at work, how many may still begin. A run of
 * many steps changes many times in a second: of each step that is the same as before nothing is read again.
 */

import { runsBodyOnce } from '../../../src-engine/model/containers.ts'
import type { InvocationRecord } from '../../../src-engine/model/invocation.ts'
import type { Ways } from '../../state/generations.ts'
import type { NodeRun, RunModel } from '../../state/run-model.ts'
import { isHeld } from '../../status/wait-words.ts'

/** What a step that has not ended does, or waits for. */
export type Manner =
  | 'lost'
  | 'stopping'
  | 'running'
  | 'starting'
  | 'body'
  | 'turns'
  | 'inside'
  | 'limit'
  | 'backoff'
  | 'timer'
  | 'waits'
  | 'queued'

/** The further ahead, the sooner the sentence is about it. */
const order: readonly Manner[] = [
  'lost',
  'stopping',
  'running',
  'starting',
  'body',
  'turns',
  'inside',
  'limit',
  'backoff',
  'timer',
  'waits',
  'queued',
]

export interface Headline {
  readonly run: NodeRun
  readonly manner: Manner
}

export interface Standing {
  /** The first of the steps that are the furthest ahead; null when none is under way. */
  readonly headline: Headline | null
  /** Steps at work, or about to be. */
  readonly busy: number
  /** Steps that have not begun, and may still. */
  readonly following: number
}

/** What was read of a step. */
interface Read {
  readonly id: string
  readonly run: NodeRun
  readonly manner: Manner | null
  /** Its place in the order of what is told of; behind all of them for what isn't. */
  readonly rank: number
  readonly isOpen: boolean
}

/** By the ways of a run, which are the same while it is shown. */
const readingByWays = new WeakMap<Ways, Reading>()

/** How the steps stand, with what was read of the same run before at hand. */
export function standingOf({ nodes, ways }: RunModel): Standing {
  let reading = readingByWays.get(ways)
  if (reading === undefined) {
    reading = new Reading(ways)
    readingByWays.set(ways, reading)
  }
  return reading.at(nodes)
}

class Reading {
  readonly #ways: Ways
  readonly #read = new Map<string, Read>()
  /** The same in their order, which mostly stays: a step is found by its place without being looked for. */
  #inOrder: Read[] = []
  #nodes: RunModel['nodes'] | null = null
  #standing: Standing = { headline: null, busy: 0, following: 0 }
  /** Null while steps may be reached that weren't, or no longer. */
  #following: number | null = null

  constructor(ways: Ways) {
    this.#ways = ways
  }

  at(nodes: RunModel['nodes']): Standing {
    if (nodes !== this.#nodes) this.#standing = this.#next(nodes)
    this.#nodes = nodes
    return this.#standing
  }

  #next(nodes: RunModel['nodes']): Standing {
    let first: Read | null = null
    let busy = 0
    let place = 0
    for (const [id, run] of nodes) {
      const there = this.#inOrder[place]
      const known = there?.run === run && there.id === id ? there : this.#read.get(id)
      const read = known?.run === run ? known : this.#take(id, run)
      if (read !== there) this.#inOrder[place] = read
      place += 1
      if (read.manner === 'running' || read.manner === 'starting') busy += 1
      if (read.manner !== null && (first === null || read.rank < first.rank)) first = read
    }
    this.#inOrder.length = place
    // At an earlier moment fewer have begun.
    if (this.#read.size > nodes.size) this.#forget(nodes)
    this.#following ??= countFollowing(this.#read, this.#ways)
    const headline = first?.manner ? { run: first.run, manner: first.manner } : null
    return { headline, busy, following: this.#following }
  }

  #take(id: string, run: NodeRun): Read {
    const { invocation } = run
    const manner = invocation === null ? null : mannerOf(invocation)
    const isOpen = invocation !== null && invocation.finishedAt === null
    const rank = manner === null ? order.length : order.indexOf(manner)
    const before = this.#read.get(id)
    const read = { id, run, manner, rank, isOpen }
    this.#read.set(id, read)
    if (before === undefined || (before.isOpen !== isOpen && this.#leadsOn(id))) this.#following = null
    return read
  }

  /** Whether something behind it has not begun. */
  #leadsOn(id: string): boolean {
    return this.#ways.get(id)?.some((next) => !this.#read.has(next)) === true
  }

  #forget(nodes: RunModel['nodes']): void {
    for (const id of this.#read.keys()) if (!nodes.has(id)) this.#read.delete(id)
    this.#following = null
  }
}

/** What can be reached from steps that have not ended, and has not begun. */
function countFollowing(read: ReadonlyMap<string, Read>, ways: Ways): number {
  const reached = new Set<string>()
  const queue = [...read].filter(([, { isOpen }]) => isOpen).map(([id]) => id)
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    for (const next of ways.get(id) ?? []) {
      if (read.has(next) || reached.has(next)) continue
      reached.add(next)
      queue.push(next)
    }
  }
  return reached.size
}

/** Null for what has ended, and for what a person is asked in a banner. */
function mannerOf(record: InvocationRecord): Manner | null {
  const { status, wait, notBefore } = record
  if (record.finishedAt !== null || isHeld(record)) return null
  switch (status) {
    case 'PENDING_RECOVERY':
    case 'RUNNING_RECOVERY':
      return 'lost'
    case 'RUNNING':
    case 'RESUMED':
      return record.cancelRequestedAt === null ? 'running' : 'stopping'
    case 'PENDING':
      return 'starting'
    case 'CONCURRENCY_CONTROLLED':
      return 'limit'
    case 'RETRY':
      return notBefore === null ? 'queued' : 'backoff'
    case 'WAITING':
      if (wait?.kind === 'items') return 'body'
      if (wait?.kind === 'turn') return runsBodyOnce(record.taskKind) ? 'inside' : 'turns'
      return wait === null && notBefore !== null ? 'timer' : 'waits'
    case 'REGISTERED':
    case 'REROUTED':
    case 'KILLED':
      return 'queued'
    default:
      return null
  }
}
