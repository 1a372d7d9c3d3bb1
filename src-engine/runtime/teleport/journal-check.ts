/**
 * Whether the events of one run hold together: each is chained by its hash, none is missing, and each goes on
 * from what the ones before it led to. Events come in batches of whole checkpoints.
 */

import { SagasmithError } from '../../model/errors.ts'
import type { EngineEvent } from '../../model/event.ts'
import type { InvocationId, RunId } from '../../model/ids.ts'
import type { ReplayState } from '../../model/replay.ts'
import { applyEvents, emptyReplay } from '../../model/replay.ts'
import type { ChainKind } from '../../store/event-chain.ts'
import { verifyChain } from '../../store/event-chain.ts'

export interface JournalCheck {
  /** Throws `teleport_journal_damaged`. */
  readonly add: (events: readonly EngineEvent[]) => void
  readonly state: () => ReplayState
  readonly last: () => EngineEvent | null
  readonly count: () => number
}

/** The last versions that were told. */
interface Versions {
  run: number
  readonly invocations: Map<InvocationId, number>
}

export function createJournalCheck(runId: RunId, chain: ChainKind): JournalCheck {
  let state = emptyReplay
  let last: EngineEvent | null = null
  let count = 0
  const versions: Versions = { run: 0, invocations: new Map() }
  return {
    add(events) {
      const broken = linkProblem(last, events[0]) ?? verifyChain(events, true, chain)
      if (broken !== null) throw damaged(runId, broken)
      for (const event of events) {
        const problem = event.runId === runId ? versionProblem(event, versions) : 'is of another run'
        if (problem !== null) throw damaged(runId, `event ${event.epoch}/${event.seq} ${problem}`)
      }
      state = applyEvents(state, events)
      last = events.at(-1) ?? last
      count += events.length
    },
    state: () => state,
    last: () => last,
    count: () => count,
  }
}

/** Neighbours in the partition's feed must name each other; between others there are events of other runs. */
export function linkProblem(before: EngineEvent | null, next: EngineEvent | undefined): string | null {
  if (before === null || next === undefined) return null
  const place = `event ${next.epoch}/${next.seq}`
  if (next.epoch < before.epoch || (next.epoch === before.epoch && next.seq <= before.seq))
    return `${place} goes back`
  const isNext = next.epoch === before.epoch && next.seq === before.seq + 1
  return isNext && next.prevHash !== before.hash ? `${place} names another predecessor` : null
}

/** Every checkpoint raises by one what it writes, so a missing one leaves a gap. */
function versionProblem({ body, invocationId, runVersion }: EngineEvent, versions: Versions): string | null {
  if (versions.run === 0 && body.type !== 'run.created') return 'comes before the beginning of the run'
  const told = body.type === 'run.created' ? body.run.version : runVersion
  if (told !== undefined) {
    if (told !== versions.run && told !== versions.run + 1) {
      return `tells version ${told} of the run after version ${versions.run}`
    }
    versions.run = told
  }
  if (invocationId === null) return null
  const before = versions.invocations.get(invocationId) ?? 0
  const after = invocationVersion(body, before)
  if (after !== before && after !== before + 1) {
    return `tells version ${after} of ${invocationId} after version ${before}`
  }
  versions.invocations.set(invocationId, after)
  return null
}

function invocationVersion(body: EngineEvent['body'], before: number): number {
  if (body.type === 'invocation.registered') return body.invocation.version
  return body.type === 'invocation.changed' ? (body.set.version ?? before) : before
}

/** What is wrong with a history, in words. */
export const damaged = (runId: RunId, problem: string): SagasmithError =>
  new SagasmithError('teleport_journal_damaged', {
    message: `The history of the run ${runId} does not hold together: ${problem}.`,
    details: { runId, problem },
  })
