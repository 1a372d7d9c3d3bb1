/** Tells who asks that the inbox has changed: followed only while somebody does, and from the events alone. */

import type { EventDraft } from '../../model/event.ts'
import type { InvocationId } from '../../model/ids.ts'
import { draftsOf } from '../../model/packed-group.ts'
import type { Millis } from '../../model/time.ts'
import { minute } from '../../model/time.ts'
import type { OutputOf } from '../../protocol/api.ts'
import { touchesInbox } from '../../protocol/notices.ts'
import { followEvents } from '../event-feed.ts'
import type { RunnerDependencies } from '../runner.ts'

/** Who asks again within this long has missed nothing. */
const keptMs: Millis = 5 * minute
/** More news than that is told as such. */
const newsMax = 1_000

export interface InboxFeed {
  /** Resolves when there is news after the token, or when the span is over; without a token at once. */
  readonly next: (asked: {
    readonly token: string | null
    readonly spanMs: Millis
  }) => Promise<Pick<OutputOf<'approvals.watch'>, 'token' | 'fresh'>>
}

export function createInboxFeed(dependencies: RunnerDependencies): InboxFeed {
  return new FollowedInbox(dependencies)
}

class FollowedInbox implements InboxFeed {
  readonly #dependencies: RunnerDependencies
  /** Tells one time of following from another. */
  #name = 0
  #count = 0
  #fresh: { readonly count: number; readonly id: InvocationId }[] = []
  #stop: (() => void) | null = null
  #forget: () => void = () => {}
  #waiting: (() => void)[] = []

  constructor(dependencies: RunnerDependencies) {
    this.#dependencies = dependencies
  }

  next: InboxFeed['next'] = async ({ token, spanMs }) => {
    await this.#follow()
    const seen = this.#countOf(token)
    if (seen === this.#count) await this.#news(spanMs)
    const fresh = seen === null ? null : this.#fresh.filter(({ count }) => count > seen).map(({ id }) => id)
    return { token: `${this.#name}:${this.#count}`, fresh: fresh === null ? null : [...new Set(fresh)] }
  }

  /** Null for a token of another time, or of too long ago. */
  #countOf(token: string | null): number | null {
    const [name, count] = (token ?? '').split(':')
    const seen = Number(count)
    if (name !== String(this.#name) || !Number.isInteger(seen) || seen > this.#count) return null
    return this.#fresh.length === newsMax && (this.#fresh[0]?.count ?? 0) > seen + 1 ? null : seen
  }

  #news(spanMs: Millis): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const cancel = this.#dependencies.clock.after(spanMs, resolve)
    this.#waiting.push(resolve)
    return promise.finally(cancel)
  }

  async #follow(): Promise<void> {
    const { store, clock } = this.#dependencies
    this.#forget()
    this.#forget = clock.after(keptMs, () => this.#end())
    if (this.#stop !== null) return
    this.#stop = () => {}
    const { info } = store
    const cursor = await Promise.all(info.partitions.map((partition) => store.load(partition, 'feedEnd', {})))
    this.#name = clock.now()
    this.#count = 0
    this.#fresh = []
    this.#stop = followEvents(this.#dependencies, {
      runId: null,
      cursor,
      form: 'packed',
      wants: touchesInbox,
      receive: (items) => this.#receive(items.flatMap(draftsOf)),
    })
  }

  #end(): void {
    this.#stop?.()
    this.#stop = null
    this.#wake()
  }

  #receive(events: readonly Pick<EventDraft, 'body' | 'invocationId'>[]): void {
    const before = this.#count
    for (const { body, invocationId } of events) {
      if (body.type !== 'invocation.changed' || invocationId === null) continue
      if (body.from !== 'APPROVAL_REQUIRED' && body.to !== 'APPROVAL_REQUIRED') continue
      this.#count += 1
      if (body.to === 'APPROVAL_REQUIRED') this.#fresh.push({ count: this.#count, id: invocationId })
    }
    this.#fresh = this.#fresh.slice(-newsMax)
    if (this.#count !== before) this.#wake()
  }

  #wake(): void {
    const waiting = this.#waiting
    this.#waiting = []
    for (const resolve of waiting) resolve()
  }
}
