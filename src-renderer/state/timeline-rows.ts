/**
 * The rows of the timeline: for each node, which status it had from when to when. What a map does at the same time lies
 * in lanes of its own; what comes one after the other shares one. Each event is looked at once.
 */

import type { EventChange } from '../../src-engine/model/event.ts'
import type { InvocationStatus } from '../../src-engine/model/invocation-status.ts'
import type { Instant } from '../../src-engine/model/time.ts'
import type { Phase } from './phases.ts'
import { isBusy, phaseOf } from './phases.ts'

export interface Stretch {
  readonly status: InvocationStatus
  readonly phase: Phase
  readonly from: Instant
  /** Null while it lasts. */
  readonly to: Instant | null
  /** Which try it is part of, from 1 on; 0 before the first. */
  readonly attempt: number
}

/** One lane of a node. */
export interface Lane {
  readonly nodeId: string
  /** From 0 on, by node. */
  readonly lane: number
  readonly stretches: readonly Stretch[]
  /** How many more were under way at the same time than there are lanes; 0 in all but a node's last. */
  readonly hidden: number
}

export interface Span {
  readonly from: Instant
  readonly to: Instant
}

export interface Rows {
  /** Node by node, in the order in which they began. */
  readonly lanes: readonly Lane[]
  /** When nothing was worked on, and nothing could be. */
  readonly idle: readonly Span[]
  /** When the last event was that they tell of. */
  readonly until: Instant
}

/** More lanes of one node than these tell nobody more. */
const lanesMax = 12

/** The last one of a lane has no end yet. */
interface GrowingStretch extends Stretch {
  to: Instant | null
}

interface GrowingLane extends Lane {
  readonly stretches: GrowingStretch[]
  hidden: number
  /** Who is in it now; null once it has ended. */
  by: string | null
  until: Instant
}

interface Life {
  /** Null for one that no lane has room for. */
  readonly lane: GrowingLane | null
  attempt: number
  phase: Phase
}

export class RowsBuilder {
  readonly #lanesByNode = new Map<string, GrowingLane[]>()
  readonly #lives = new Map<string, Life>()
  readonly #idle: Span[] = []
  #until: Instant = 0
  #busy = 0
  #idleFrom: Instant | null = null

  /** Takes what comes next. */
  take(changes: readonly EventChange[]): void {
    for (const change of changes) this.#take(change)
    this.#until = changes.at(-1)?.at ?? this.#until
  }

  /** As they are by now. */
  rows(): Rows {
    const lanes = [...this.#lanesByNode.values()].flat()
    return { lanes: lanes.map((lane) => ({ ...lane })), idle: [...this.#idle], until: this.#until }
  }

  #take({ body, invocationId, at }: EventChange): void {
    if (body.type === 'invocation.registered') {
      const { id, nodeId, status, attempt } = body.invocation
      const life: Life = { lane: this.#laneFor(nodeId, id, at), attempt, phase: 'end' }
      this.#lives.set(id, life)
      this.#enter(life, status, at)
    }
    if (body.type !== 'invocation.changed' || invocationId === null || body.from === body.to) return
    const life = this.#lives.get(invocationId)
    if (life === undefined) return
    life.attempt = body.set.attempt ?? life.attempt
    this.#enter(life, body.to, at)
  }

  #enter(life: Life, status: InvocationStatus, at: Instant): void {
    const phase = phaseOf(status)
    this.#count(Number(isBusy(phase)) - Number(isBusy(life.phase)), at)
    life.phase = phase
    const { lane } = life
    if (lane === null) return
    const last = lane.stretches.at(-1)
    if (last !== undefined) last.to ??= at
    const isEnd = phase === 'end'
    lane.stretches.push({ status, phase, from: at, to: isEnd ? at : null, attempt: life.attempt })
    if (!isEnd) return
    lane.by = null
    lane.until = at
  }

  #count(change: number, at: Instant): void {
    const before = this.#busy
    this.#busy += change
    if (before > 0 && this.#busy === 0) this.#idleFrom = at
    if (before === 0 && this.#busy > 0 && this.#idleFrom !== null && at > this.#idleFrom)
      this.#idle.push({ from: this.#idleFrom, to: at })
  }

  /** The first that is free by then: one that ends at that moment makes room. */
  #laneFor(nodeId: string, by: string, at: Instant): GrowingLane | null {
    const lanes = this.#lanesByNode.get(nodeId) ?? []
    this.#lanesByNode.set(nodeId, lanes)
    const free = lanes.find((lane) => lane.by === null && lane.until <= at)
    if (free !== undefined) {
      free.by = by
      return free
    }
    if (lanes.length === lanesMax) {
      const last = lanes.at(-1)
      if (last !== undefined) last.hidden += 1
      return null
    }
    const lane: GrowingLane = { nodeId, lane: lanes.length, stretches: [], hidden: 0, by, until: at }
    lanes.push(lane)
    return lane
  }
}
