/** The turnstile of a limit: its slots, who has them, and the line in front of it. Pure. */

import type { PermitQueue } from '../../../src-engine/protocol/why-waiting.ts'
import { gate } from '../../text/live-words.ts'
import { fill } from '../../text/messages.ts'
import { aheadWords, momentWords, spanWords } from '../../ui/time-words.ts'
import { limitWords } from './limit-words.ts'

/** More of either are counted. */
const slotsMax = 6
const dotsMax = 8

export interface GateSlot {
  /** The run that has it; null while it is free, or when what has it is no run. */
  readonly runId: string | null
  /** The step that has it, where it is a step. */
  readonly nodeId: string | null
  readonly isOwn: boolean
  readonly isTaken: boolean
  /** One letter or digit that tells holders apart. */
  readonly avatar: string
  readonly words: string
}

export interface GateLook {
  readonly label: string
  readonly slots: readonly GateSlot[]
  /** Slots that aren't drawn. */
  readonly hiddenSlots: number
  /** In order, the next one first: whether it is this step. */
  readonly line: readonly boolean[]
  readonly place: string
  /** When it gives up, as seen from now; null where it waits as long as it takes. */
  readonly ends: string | null
  /** The whole of it in one sentence. */
  readonly sentence: string
}

export interface GateTimes {
  readonly now: number
  readonly since: number
  /** When it gives up; null for never. */
  readonly until: number | null
}

/** What the gate of a step of this run shows. */
export function gateOf(permit: PermitQueue, ownRun: string, times: GateTimes): GateLook {
  const { key, limit, holders, position, waiting } = permit
  const { now, since, until } = times
  const slots = holders.slice(0, slotsMax).map((holder) => slotOf(holder, ownRun))
  for (let index = holders.length; index < Math.min(limit, slotsMax); index += 1) slots.push(freeSlot)
  // The line keeps the step that looks: what is between is left out.
  const shown = Math.min(waiting, dotsMax)
  const own = Math.min(position, shown)
  return {
    label: fill(gate.label, { key, used: holders.length, limit, position, count: waiting }),
    slots,
    hiddenSlots: Math.max(0, Math.max(limit, holders.length) - slots.length),
    line: Array.from({ length: shown }, (_, index) => index + 1 === own),
    place: fill(gate.line, { position, count: waiting }),
    ends: until === null ? null : fill(gate.until, { ahead: aheadWords(until, now) }),
    sentence: [
      fill(gate.waits, {
        span: spanWords(Math.max(0, now - since)),
        key: limitWords(key),
        used: holders.length,
        limit,
        position,
      }),
      ...(until === null ? [] : [fill(gate.givesUp, { moment: momentWords(until) })]),
    ].join(' '),
  }
}

const freeSlot: GateSlot = {
  ...{ runId: null, nodeId: null, isOwn: false, isTaken: false },
  ...{ avatar: '', words: gate.free },
}

/** Who holds is named as `run_x`, or as an invocation of it: `run_x/node@path#generation`, with `:2` for its second start. */
function slotOf(holder: string, ownRun: string): GateSlot {
  const [run = '', rest] = holder.split('/', 2)
  const node = rest?.split(/[@#~:]/, 1)[0] ?? null
  const isRun = run.startsWith('run_') || run === ownRun
  if (!isRun) {
    const words = fill(gate.unknown, { holder })
    return { runId: null, nodeId: null, isOwn: false, isTaken: true, avatar: holder.charAt(0), words }
  }
  const isOwn = run === ownRun
  const words = node === null ? gate.run : isOwn ? gate.own : gate.other
  return {
    runId: run,
    nodeId: node,
    isOwn,
    isTaken: true,
    avatar: run.charAt(run.length - 1).toUpperCase(),
    words: fill(words, { run, node: node ?? '' }),
  }
}
