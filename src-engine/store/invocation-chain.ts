/** The moves of one written invocation inside one checkpoint, checked against the status table. */

import type { Checkpoint, CommitRefusal } from '../model/checkpoint.ts'
import type { EventBody } from '../model/event.ts'
import type { Fence } from '../model/fence.ts'
import { compareFences, sameFence } from '../model/fence.ts'
import type { InvocationId, RunId } from '../model/ids.ts'
import type { InvocationRecord, Lease } from '../model/invocation.ts'
import type { Actor, InvocationStatus } from '../model/invocation-status.ts'
import { invocationMachine } from '../model/invocation-status.ts'

/** What a check needs to know of an invocation; a whole record is one. */
export interface InvocationHead {
  readonly version: number
  readonly status: InvocationStatus
  readonly lease: Lease | null
  readonly fence: Fence | null
}

/** A written invocation on its way through its events. */
export interface InvocationChain {
  readonly id: InvocationId
  readonly record: InvocationRecord
  readonly before: InvocationHead | null
  status: InvocationStatus | null
  owner: string | null
  /** Whether one of the moves acquired it. */
  acquired: boolean
  told: boolean
}

/** WAITING keeps what it will hand on. */
const mayHaveOutput: ReadonlySet<InvocationStatus> = new Set(['SUCCESS', 'OUTPUT_QUARANTINED', 'WAITING'])

type InvocationEventBody = Extract<
  EventBody,
  { readonly type: 'invocation.registered' | 'invocation.changed' }
>

/** One chain per written invocation, in order of writing. */
export function invocationChains(
  checkpoint: Checkpoint,
  find: (id: InvocationId, runId: RunId) => InvocationHead | null,
): readonly InvocationChain[] {
  const chains: InvocationChain[] = []
  for (const record of checkpoint.writes.invocations) {
    const before = find(record.id, record.runId)
    chains.push({
      id: record.id,
      record,
      before,
      status: before?.status ?? null,
      owner: before?.lease?.runnerId ?? null,
      acquired: false,
      told: false,
    })
  }
  return chains
}

/** Takes one event of the chain; the refusal when the table or the ownership forbids it. */
export function validateChainEvent(
  chain: InvocationChain,
  body: InvocationEventBody,
  actor: Actor,
): CommitRefusal | null {
  const from = body.type === 'invocation.registered' ? null : body.from
  const to = body.type === 'invocation.registered' ? body.invocation.status : body.to
  if (from !== chain.status) {
    return {
      kind: 'invalid',
      problems: [`events of ${chain.id} tell of ${from}, but it was ${chain.status}`],
    }
  }
  chain.told = true
  if (from === to) return null
  const owner = chain.owner
  const refusal =
    invocationMachine.validateTransition(from, to, actor) ??
    invocationMachine.validateOwnership({ from, to, owner, actor })
  if (refusal !== null) return { ...refusal, record: chain.id }
  chain.owner = invocationMachine.computeOwner(to, owner, actor)
  if (invocationMachine.table.rows[to].acquires === true) chain.acquired = true
  chain.status = to
  return null
}

/** What is wrong with the record at the end of its chain; null when it is what the events told. */
export function validateChainEnd(chain: InvocationChain, epoch: number): string | null {
  const { record, before } = chain
  if (!chain.told) return 'it is written without an event'
  if (chain.status !== record.status)
    return `it is written as ${record.status}, its events end with ${chain.status}`
  if ((record.lease?.runnerId ?? null) !== chain.owner) {
    return `its lease names ${record.lease?.runnerId ?? 'nobody'}, its events ${chain.owner ?? 'nobody'}`
  }
  const { final, owned } = invocationMachine
  if (owned.has(record.status) !== (record.lease !== null))
    return 'a lease must be set exactly while it is owned'
  if (final.has(record.status) !== (record.finishedAt !== null))
    return 'finishedAt must be set exactly when it is final'
  if (record.output !== null && !mayHaveOutput.has(record.status)) return `${record.status} has no output`
  if (record.lease !== null && !sameFence(record.lease.fence, record.fence))
    return 'its lease has another fence'
  return fenceProblem({ acquired: chain.acquired, fence: record.fence, before: before?.fence ?? null, epoch })
}

function fenceProblem(move: {
  readonly acquired: boolean
  readonly fence: Fence | null
  readonly before: Fence | null
  readonly epoch: number
}): string | null {
  const { acquired, fence, before, epoch } = move
  if (!acquired) return sameFence(fence, before) ? null : 'its fence changed without an acquisition'
  if (fence === null || fence.epoch !== epoch) return `it was acquired without a fence of epoch ${epoch}`
  return before !== null && compareFences(fence, before) <= 0 ? 'its fence did not grow' : null
}
