/** An operation that was lost for good, in words. */

import type { EventBody } from '../../../model/event.ts'
import { unpackEvents } from '../../../model/event-codec.ts'
import type { OpId } from '../../../model/ids.ts'
import { runId } from '../../../model/ids.ts'
import { invocationMachine } from '../../../model/invocation-status.ts'
import { assertNever } from '../../../model/result.ts'
import type { JournalEntry, Place } from './entry.ts'

/**
 * `overtaken`: others have gone on from where it began, so it fits no more. `unfounded`: what it builds on was
 * lost too, and nobody has brought it back. `unreadable`: the server refused it. `no-room`: others have its permits.
 */
export type LostWhy = 'overtaken' | 'unfounded' | 'unreadable' | 'no-room'

/** One operation of this process that a failover took back and that could not be written again. */
export interface LostOp {
  readonly opId: OpId
  readonly at: Place
  readonly runId: string | null
  /** What it told of, as in `run_1/build RUNNING → SUCCESS`. */
  readonly did: readonly string[]
  /** Steps whose work was done and whose outcome was lost: it may be done a second time. */
  readonly doneSteps: readonly string[]
  readonly why: LostWhy
}

/** What is told of an entry that is given up. */
export function lostOpOf({ opId, place, unit }: JournalEntry, why: LostWhy): LostOp {
  const did: string[] = []
  const doneSteps: string[] = []
  for (const { runId: of, text } of unit.parts) {
    const run = of === '' ? null : runId(of)
    for (const { body, invocationId } of unpackEvents(text, { epoch: place.epoch, runId: run }).drafts) {
      did.push(wordsOf(body, invocationId ?? of))
      if (body.type === 'invocation.changed' && isDone(body)) doneSteps.push(invocationId ?? '')
    }
  }
  return { opId, at: place, runId: unit.parts[0]?.runId || null, did, doneSteps, why }
}

/** A step that had begun and then ended: whatever it does in the world is done. */
const isDone = ({ from, to }: Extract<EventBody, { type: 'invocation.changed' }>): boolean =>
  from === 'RUNNING' && invocationMachine.final.has(to)

function wordsOf(body: EventBody, id: string): string {
  switch (body.type) {
    case 'run.created':
      return `${id} created`
    case 'run.changed':
    case 'invocation.changed':
      return `${id} ${body.from} → ${body.to}`
    case 'invocation.registered':
      return `${id} registered`
    case 'node.skipped':
      return `${body.nodeId} skipped`
    case 'register.changed':
      return `register ${body.key} changed`
    case 'epoch.changed':
      return `epoch ${body.to} began`
    default:
      return assertNever(body)
  }
}

const whyWords: Readonly<Record<LostWhy, string>> = {
  overtaken: 'others have gone on from where it began',
  unfounded: 'what it builds on was lost too, and nobody brought it back',
  unreadable: 'the server refused to take it again',
  'no-room': 'others have what it had a permit for',
}

/** The same in a sentence. */
export function lostOpText({ did, doneSteps, why }: LostOp): string {
  const what = did.length === 0 ? 'a write without an event' : did.join(', ')
  const again =
    doneSteps.length === 0
      ? ''
      : ` What ${doneSteps.join(', ')} does was done, and may be done a second time.`
  return `Lost: ${what}; ${whyWords[why]}.${again}`
}
