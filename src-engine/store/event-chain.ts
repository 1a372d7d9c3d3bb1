/** Gives events their place and chains them by hash, so that a change to the past can be seen. */

import { hash } from 'node:crypto'
import type { EngineEvent, EventDraft } from '../model/event.ts'
import { eventText, firstPrevHash } from '../model/event.ts'
import type { OpId } from '../model/ids.ts'
import type { Actor } from '../model/invocation-status.ts'
import type { Instant } from '../model/time.ts'

/** Where a partition's feed ends. */
export interface ChainHead {
  readonly partition: number
  readonly epoch: number
  readonly seq: number
  readonly hash: string
}

/** What the drafts of one checkpoint have in common. */
export interface EventOrigin {
  readonly opId: OpId
  readonly actor: Actor
  readonly at: Instant
}

/** The end of a feed that has no event yet. */
export const emptyChain = (partition: number, epoch: number): ChainHead => {
  return { partition, epoch, seq: 0, hash: firstPrevHash }
}

/** The hash of an event from its predecessor's and its own text. */
export const hashEvent = (prevHash: string, text: string): string => hash('sha256', prevHash + text, 'hex')

/** The drafts as events that continue the chain. */
export function chainEvents(
  head: ChainHead,
  origin: EventOrigin,
  drafts: readonly EventDraft[],
): readonly EngineEvent[] {
  const { partition, epoch } = head
  const { opId, actor, at } = origin
  const events: EngineEvent[] = []
  let prevHash = head.hash
  let seq = head.seq
  for (const draft of drafts) {
    seq += 1
    const event = { partition, epoch, seq, at, opId, actor, ...draft }
    const chained: EngineEvent = { ...event, prevHash, hash: hashEvent(prevHash, eventText(event)) }
    events.push(chained)
    prevHash = chained.hash
  }
  return events
}

/** The first break in a whole feed of one partition, in words; null when it is unbroken from its start. */
export function verifyChain(events: readonly EngineEvent[]): string | null {
  let previous: EngineEvent | null = null
  for (const event of events) {
    const place = `event ${event.epoch}/${event.seq}`
    const sameEpoch = previous?.epoch === event.epoch
    if (event.seq !== (sameEpoch ? (previous?.seq ?? 0) + 1 : 1))
      return `${place} does not follow its predecessor`
    if (!sameEpoch && event.epoch < (previous?.epoch ?? 0)) return `${place} goes back to an older epoch`
    if (event.prevHash !== (previous?.hash ?? firstPrevHash)) return `${place} names another predecessor`
    if (event.hash !== hashEvent(event.prevHash, eventText(event))) return `${place} was changed`
    previous = event
  }
  return null
}
