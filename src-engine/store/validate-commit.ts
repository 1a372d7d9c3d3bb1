/**
 * What every store asks before it writes a checkpoint: is it coherent in itself, and does the world still
 * look the way its author saw it? Pure, and careful with allocations: it runs for every step of every run.
 */

import type { Checkpoint, CommitRefusal } from '../model/checkpoint.ts'
import { compareFences } from '../model/fence.ts'
import type { InvocationId, OpId, RunId } from '../model/ids.ts'
import type { Actor } from '../model/invocation-status.ts'
import type { RunStatus } from '../model/run-status.ts'
import { runMachine } from '../model/run-status.ts'
import type { Instant } from '../model/time.ts'
import { problemsOfShape } from './checkpoint-shape.ts'
import type { InvocationChain, InvocationHead } from './invocation-chain.ts'
import { invocationChains, validateChainEnd, validateChainEvent } from './invocation-chain.ts'

/** What a check needs to know of a run; a whole record is one. */
export interface RunHead {
  readonly version: number
  readonly status: RunStatus
}

/** The current records, as the committing store sees them inside its transaction. */
export interface CommitView {
  readonly epoch: number
  /** Whether it takes sealed values only; false where somebody else will see to that. */
  readonly isSealed: boolean
  readonly run: (id: RunId) => RunHead | null
  /** Whether this connection made the run's last write, by this checkpoint of this actor. */
  readonly isLast: (id: RunId, opId: OpId, actor: Actor) => boolean
  /** `runId`, where the caller knows it, may save a look-up. */
  readonly invocation: (id: InvocationId, runId?: RunId) => InvocationHead | null
  /** 0 when there is no such register. */
  readonly registerVersion: (key: string) => number
  /** Who holds permits of a key that still count at the instant. */
  readonly slotHolders: (key: string, at: Instant) => readonly string[]
}

/** Null when the checkpoint may be written whole; else why nothing of it may. */
export function validateCommit(checkpoint: Checkpoint, view: CommitView): CommitRefusal | null {
  const problems = problemsOfShape(checkpoint)
  if (problems !== null) return { kind: 'invalid', problems }
  if (view.isSealed && checkpoint.values === undefined) return { kind: 'unsealed' }
  const chains = invocationChains(checkpoint, view.invocation)
  return (
    checkEpoch(checkpoint, view) ??
    checkRunVersion(checkpoint, view) ??
    checkInvocationVersions(checkpoint, chains, view) ??
    checkRegisterVersions(checkpoint, view) ??
    checkRunEvents(checkpoint, view) ??
    checkInvocationEvents(checkpoint, chains, view.epoch) ??
    checkSlots(checkpoint, view)
  )
}

function checkEpoch({ expect: { epoch, run } }: Checkpoint, view: CommitView): CommitRefusal | null {
  if (epoch === undefined || epoch === view.epoch) return null
  const [previous, expected, actual] = [null, `epoch ${epoch}`, `epoch ${view.epoch}`]
  return { kind: 'lost-race', record: run?.id ?? 'the partition', previous, expected, actual }
}

function checkRunVersion(checkpoint: Checkpoint, view: CommitView): CommitRefusal | null {
  const expected = checkpoint.expect.run
  if (expected === undefined) return null
  const run = view.run(expected.id)
  const { id, after } = expected
  const follows = after === undefined || view.isLast(id, after, checkpoint.actor)
  if ((run?.version ?? 0) === expected.version && follows) return null
  // Who takes a step over changes its run, too: of both, the author is to know that the step isn't its own.
  const takenOver = checkFences(checkpoint, view)
  return takenOver ?? lostRace(expected.id, { previous: null, expected: expected.version, found: run })
}

/** Whether what the author owned was taken from it, by who owns it since or by who lets others have it. */
function checkFences(checkpoint: Checkpoint, view: CommitView): CommitRefusal | null {
  for (const { id, fence } of checkpoint.expect.invocations) {
    const found = fence === null ? null : view.invocation(id)
    if (fence === null || found === null || found.fence === null) continue
    const since = compareFences(found.fence, fence)
    if (since > 0 || (since === 0 && found.lease === null)) {
      const owner = found.lease?.runnerId ?? null
      return { kind: 'not-the-owner', owner, actor: checkpoint.actor.id, record: id }
    }
  }
  return null
}

function checkInvocationVersions(
  checkpoint: Checkpoint,
  chains: readonly InvocationChain[],
  view: CommitView,
): CommitRefusal | null {
  const { invocations } = checkpoint.expect
  // By index: pairs of an iterator would be made for every step.
  for (let index = 0; index < invocations.length; index += 1) {
    const expected = invocations[index]
    if (expected === undefined) continue
    const chain = chains[index]
    const found = chain?.id === expected.id ? chain.before : view.invocation(expected.id)
    if (expected.fence !== null && found !== null) {
      const fence = found.lease?.fence
      if (fence?.counter !== expected.fence.counter || fence.epoch !== expected.fence.epoch) {
        const owner = found.lease?.runnerId ?? null
        return { kind: 'not-the-owner', owner, actor: checkpoint.actor.id, record: expected.id }
      }
    }
    if ((found?.version ?? 0) !== expected.version) {
      const previous = believedStatus(checkpoint, expected.id)
      return lostRace(expected.id, { previous, expected: expected.version, found })
    }
    if (expected.fence === null && found !== null && found.lease !== null) {
      return {
        kind: 'not-the-owner',
        owner: found.lease.runnerId,
        actor: checkpoint.actor.id,
        record: expected.id,
      }
    }
  }
  return null
}

/** The status that the author of the checkpoint saw. */
function believedStatus(checkpoint: Checkpoint, id: InvocationId): string | null {
  for (const { body, invocationId } of checkpoint.events) {
    if (invocationId === id && body.type === 'invocation.changed') return body.from
  }
  return null
}

function checkRegisterVersions(checkpoint: Checkpoint, view: CommitView): CommitRefusal | null {
  for (const expected of checkpoint.expect.registers) {
    const version = view.registerVersion(expected.key)
    if (version === expected.version) continue
    const found = version === 0 ? null : { version, status: 'set' }
    return lostRace(expected.key, { previous: null, expected: expected.version, found })
  }
  return null
}

/** The run's events must lead, move by legal move, from its status to the written one. */
function checkRunEvents(checkpoint: Checkpoint, view: CommitView): CommitRefusal | null {
  const { run } = checkpoint.writes
  if (run === null) return null
  let status: RunStatus | null = view.run(run.id)?.status ?? null
  for (const { body } of checkpoint.events) {
    if (body.type !== 'run.created' && body.type !== 'run.changed') continue
    const from = body.type === 'run.created' ? null : body.from
    const to = body.type === 'run.created' ? body.run.status : body.to
    if (from !== status) return invalid(`events of ${run.id} tell of ${from}, but it was ${status}`)
    const refusal = from === to ? null : runMachine.validateTransition(from, to, checkpoint.actor)
    if (refusal !== null) return { ...refusal, record: run.id }
    status = to
  }
  if (status !== run.status)
    return invalid(`${run.id} is written as ${run.status}, but its events end with ${status}`)
  if (runMachine.final.has(run.status) !== (run.finishedAt !== null)) {
    return invalid(`${run.id}: finishedAt must be set exactly when the run is final`)
  }
  return null
}

function checkInvocationEvents(
  checkpoint: Checkpoint,
  chains: readonly InvocationChain[],
  epoch: number,
): CommitRefusal | null {
  const byId = chains.length > 8 ? new Map(chains.map((chain) => [chain.id, chain])) : null
  for (const { body, invocationId } of checkpoint.events) {
    if (body.type !== 'invocation.registered' && body.type !== 'invocation.changed') continue
    const chain = byId === null ? findChain(chains, invocationId) : byId.get(invocationId as InvocationId)
    if (chain === undefined) return invalid(`an event tells of ${invocationId}, which is not written`)
    const refusal = validateChainEvent(chain, body, checkpoint.actor)
    if (refusal !== null) return refusal
  }
  for (const chain of chains) {
    const { acquired, record, before } = chain
    // It was right when it was decided; meanwhile an epoch began. Whoever looks again decides in the new one.
    if (acquired && record.fence !== null && record.fence.epoch < epoch) {
      const expected = record.version - 1
      return lostRace(chain.id, { previous: before?.status ?? null, expected, found: before })
    }
    const problem = validateChainEnd(chain, epoch)
    if (problem !== null) return invalid(`${chain.id}: ${problem}`)
  }
  return null
}

function findChain(chains: readonly InvocationChain[], id: InvocationId | null): InvocationChain | undefined {
  for (const chain of chains) if (chain.id === id) return chain
  return undefined
}

/** Releases count before takes, and taking what one holds already is free. */
function checkSlots(checkpoint: Checkpoint, view: CommitView): CommitRefusal | null {
  const { take, release } = checkpoint.writes
  if (take.length === 0) return null
  const holdersByKey = new Map<string, Set<string>>()
  const holdersOf = (key: string): Set<string> => {
    const known = holdersByKey.get(key)
    if (known !== undefined) return known
    const holders = new Set(view.slotHolders(key, checkpoint.at))
    holdersByKey.set(key, holders)
    return holders
  }
  for (const { key, holder } of release) holdersOf(key).delete(holder)
  for (const { key, holder, limit } of take) {
    const holders = holdersOf(key)
    if (!holders.has(holder) && holders.size >= limit)
      return { kind: 'slot-taken', key, holders: [...holders] }
    holders.add(holder)
  }
  return null
}

const invalid = (problem: string): CommitRefusal => ({ kind: 'invalid', problems: [problem] })

function lostRace(
  record: string,
  race: {
    readonly previous: string | null
    readonly expected: number
    readonly found: { readonly version: number; readonly status: string } | null
  },
): CommitRefusal {
  const { previous, expected, found } = race
  const actual = found === null ? null : `version ${found.version} (${found.status})`
  return {
    kind: 'lost-race',
    previous,
    expected: expected === 0 ? null : `version ${expected}`,
    actual,
    record,
  }
}
