/** Starts the run of a web call: once per message, whatever is sent again and whoever hears it. */

import type { RunId } from '../../model/ids.ts'
import type { Proof } from '../../triggers/webhook/proof.ts'
import type { WebCall } from '../../triggers/webhook/web-call.ts'
import { lookAtRegister } from '../register-look.ts'
import type { Fired, FireParts } from '../triggers/fire.ts'
import { fire, runOfRequest, skipFiring } from '../triggers/fire.ts'
import type { StoredTrigger } from '../triggers/trigger-registers.ts'
import { loadFiring, loadTrigger, writeRegisters } from '../triggers/trigger-registers.ts'
import type { WantedStart } from '../triggers/wanted-start.ts'
import type { CallMark } from './call-marks.ts'
import { callMarksKeptMs, markedTriesMax, markKey, markValue, readMark, tryMark } from './call-marks.ts'

export interface CallToStart {
  readonly trigger: StoredTrigger
  readonly call: WebCall
  readonly proof: Extract<Proof, { readonly kind: 'believed' }>
  readonly wanted: WantedStart
}

export type CallStart =
  | { readonly kind: 'started' | 'known'; readonly runId: RunId }
  /** This very try came before: somebody plays it again. */
  | { readonly kind: 'replayed' }
  | { readonly kind: 'refused'; readonly words: string }
  /** The filter leaves it out. */
  | { readonly kind: 'ignored' }
  /** It is a condition of other triggers, which start runs. */
  | { readonly kind: 'taken' }
  /** The trigger has gone meanwhile. */
  | { readonly kind: 'gone' }
  /** Too many do this at a time; the sender tries again. */
  | { readonly kind: 'busy' }

const racesMax = 8

export async function startCall(parts: FireParts, given: CallToStart): Promise<CallStart> {
  const { messageId, tryId } = given.proof
  const key = messageId ?? tryId
  // What starts nothing may come again as often as it likes.
  const isMarked = key !== null && !isIgnored(given.wanted)
  const names = !isMarked ? null : markKey(given.trigger.record, key)
  let { trigger } = given
  for (let races = 0; races < racesMax; races += 1) {
    const known = names === null ? null : await knownCall(parts, names, tryId)
    if (known !== null && known !== 'lost') return isTaken(trigger, known) ? { kind: 'taken' } : known
    if (known === null) {
      const fired = await fireCall(parts, { ...given, trigger }, names)
      const answer = await answerOf(parts, fired)
      if (answer !== null) return answer
    }
    const again = await loadTrigger(parts, given.trigger.record)
    if (again === null) return { kind: 'gone' }
    trigger = again
  }
  return { kind: 'busy' }
}

const isIgnored = (wanted: WantedStart): boolean => wanted.kind === 'nothing' && wanted.reason === 'filtered'

/** Its message has no run of its own. */
const isTaken = ({ record }: StoredTrigger, known: CallStart): boolean =>
  known.kind === 'refused' && record.conditionOf.length > 0

/** What became of the message when it came before; null when it didn't. */
async function knownCall(
  parts: FireParts,
  key: string,
  tryId: string | null,
): Promise<CallStart | 'lost' | null> {
  const { register, epoch, version } = await lookAtRegister(parts, key)
  const mark = readMark(register?.value)
  if (mark === null) return null
  if (tryId !== null) {
    if (mark.tries.includes(tryMark(tryId))) return { kind: 'replayed' }
    const tries = [...mark.tries, tryMark(tryId)].slice(-markedTriesMax)
    const value = markValue({ ...mark, tries })
    if (!(await writeRegisters(parts, [{ key, epoch, version, value }]))) return 'lost'
  }
  const run = await parts.store.load(parts.partition, 'run', { runId: mark.runId })
  // Its mark was written with the record of why it started nothing.
  if (run === null) return { kind: 'refused', words: 'The message came before, and started nothing.' }
  return { kind: 'known', runId: mark.runId }
}

/** Null when another one came between: look again. */
async function answerOf(parts: FireParts, fired: Fired): Promise<CallStart | null> {
  if (fired.kind === 'started') return { kind: 'started', runId: fired.runId }
  if (fired.kind === 'met') return { kind: 'taken' }
  if (fired.kind !== 'skipped') return null
  if (fired.reason === 'filtered') return { kind: 'ignored' }
  const firing = await loadFiring(parts, fired.firingId)
  return { kind: 'refused', words: firing?.words ?? 'It starts nothing now.' }
}

function fireCall(
  parts: FireParts,
  { trigger, call, proof, wanted }: CallToStart,
  key: string | null,
): Promise<Fired> {
  const { record } = trigger
  const id = key ?? parts.ids.next()
  const request = `webhook:${record.workflowId}/${record.triggerId}:${id.slice(id.lastIndexOf('/') + 1)}`
  const mark: CallMark = {
    runId: runOfRequest(request),
    at: call.at,
    tries: proof.tryId === null ? [] : [tryMark(proof.tryId)],
  }
  const source = { kind: 'call', method: call.method, path: call.path, remote: call.remote } as const
  const toFire = {
    trigger,
    occurrence: {
      id,
      at: call.at,
      sources: [source],
      slots: null,
      words: `It was called from ${call.remote}.`,
      depth: 1,
    },
    move: null,
    guards: [],
    also: key === null ? [] : [{ key, version: 0, value: markValue(mark), dueAt: call.at + callMarksKeptMs }],
  }
  if (wanted.kind === 'input') return fire(parts, { ...toFire, input: wanted.input, request })
  return skipFiring(parts, toFire, wanted)
}
