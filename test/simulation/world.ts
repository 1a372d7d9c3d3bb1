/**
 * Virtual time: a heap of things to happen, ordered by instant and then by order of planning. Between two of
 * them everything that the last one set in motion comes to rest, so a seed always gives the same story.
 */

import type { Clock } from '../../src-engine/model/ports.ts'

interface Planned {
  readonly at: number
  readonly order: number
  call: (() => void) | null
}

/**
 * What is ready to happen happens: Node goes on with a tick once no promise has anything left to do. Nothing of a story
 * but store calls under way waits for the event loop, a turn of which costs as much as a happening.
 */
const settle = () => new Promise<void>((resolve) => process.nextTick(resolve))
/** Real timers and answers get their turn. */
const turn = () => new Promise<void>((resolve) => void setImmediate(resolve))
/** So often, for whoever else lives in this process. */
const turnEvery = 256

/** A story of minutes takes thousands. */
const happeningsOfMinutes = 200_000

export class World {
  now = 1_000_000
  happened = 0
  readonly #heap: Planned[] = []
  readonly #happeningsMax: number
  #order = 0
  #pending = 0
  /** Several may wait for the same answers. */
  readonly #resting: (() => void)[] = []

  /** With more happenings than that a story goes nowhere. */
  constructor(happeningsMax = happeningsOfMinutes) {
    this.#happeningsMax = happeningsMax
  }

  /** Store calls under way in the real event loop. */
  get pending(): number {
    return this.#pending
  }

  set pending(count: number) {
    this.#pending = count
    if (count === 0) for (const goOn of this.#resting.splice(0)) goOn()
  }

  /** Plans a call; returns the way to cancel it. */
  at(at: number, call: () => void): () => void {
    this.#order += 1
    const planned: Planned = { at: Math.max(at, this.now), order: this.#order, call }
    this.#push(planned)
    return () => {
      planned.call = null
    }
  }

  /** Lets things happen until the instant, or until `done`. */
  async run(until: number, done: () => boolean): Promise<void> {
    await this.#rest()
    while (!done()) {
      const next = this.#heap[0]
      if (next === undefined || next.at > until) break
      this.#pop()
      if (next.call === null) continue
      this.now = Math.max(this.now, next.at)
      this.happened += 1
      if (this.happened > this.#happeningsMax)
        throw new Error(`more than ${this.#happeningsMax} happenings: a livelock`)
      next.call()
      await this.#rest()
    }
    if (!done()) this.now = Math.max(this.now, until)
  }

  /** Whoever looked all the time whether a server has answered would keep the core from that server. */
  async #rest(): Promise<void> {
    await (this.happened % turnEvery === 0 ? turn() : settle())
    while (this.#pending > 0) {
      await new Promise<void>((resolve) => void this.#resting.push(resolve))
      await settle()
    }
  }

  #push(planned: Planned): void {
    const heap = this.#heap
    heap.push(planned)
    for (let index = heap.length - 1; index > 0; ) {
      const parent = (index - 1) >> 1
      if (!this.#before(index, parent)) return
      this.#swap(index, parent)
      index = parent
    }
  }

  #pop(): void {
    const heap = this.#heap
    const last = heap.pop()
    if (last === undefined || heap.length === 0) return
    heap[0] = last
    for (let index = 0; ; ) {
      let least = index
      for (const child of [2 * index + 1, 2 * index + 2]) {
        if (child < heap.length && this.#before(child, least)) least = child
      }
      if (least === index) return
      this.#swap(index, least)
      index = least
    }
  }

  #before(a: number, b: number): boolean {
    const left = this.#heap[a]
    const right = this.#heap[b]
    if (left === undefined || right === undefined) return false
    return left.at < right.at || (left.at === right.at && left.order < right.order)
  }

  #swap(a: number, b: number): void {
    const left = this.#heap[a]
    const right = this.#heap[b]
    if (left === undefined || right === undefined) return
    this.#heap[a] = right
    this.#heap[b] = left
  }
}

/** One simulated operating-system process: it may die, stand still, or have a clock of its own. */
export class SimulatedProcess {
  readonly pid: number
  readonly world: World
  readonly bornAt: number
  diedAt: number | null = null
  pausedUntil = 0
  /** How far its wall clock is from the world's. */
  skew = 0
  /** How long its machine slept. */
  slept = 0
  /** Whether a lease of its may ever have looked expired while it lived. */
  wasDisturbed = false
  /** What becomes of what it had open. */
  readonly endings: (() => void)[] = []

  constructor(world: World, pid: number) {
    this.world = world
    this.pid = pid
    this.bornAt = world.now
  }

  get alive(): boolean {
    return this.diedAt === null
  }

  /** Plans a call that happens only if the process lives, and not while it stands still. */
  plan(span: number, call: () => void): () => void {
    let cancel = this.world.at(this.world.now + Math.max(0, span), () => {
      if (!this.alive) return
      if (this.pausedUntil <= this.world.now) call()
      else cancel = this.plan(this.pausedUntil - this.world.now, call)
    })
    return () => cancel()
  }

  /** Its machine sleeps: nothing of it happens, and its timers don’t count that time. */
  sleep(ms: number): void {
    this.slept += ms
    this.skew += ms
  }

  die(): void {
    if (this.diedAt !== null) return
    this.diedAt = this.world.now
    for (const end of this.endings) end()
  }

  clock(): Clock {
    return {
      now: () => this.world.now + this.skew,
      monotonic: () => this.world.now,
      uptime: () => this.world.now + this.slept,
      after: (span, call) => this.plan(span, call),
    }
  }
}
