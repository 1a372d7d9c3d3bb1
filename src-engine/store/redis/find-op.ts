/** Whether a checkpoint with some op-id was accepted before: its events tell. */

import type { Checkpoint } from '../../model/checkpoint.ts'
import { unpackHead } from '../../model/event-codec.ts'
import type { OpId, RunId } from '../../model/ids.ts'
import { runId as asRunId } from '../../model/ids.ts'
import type { Actor } from '../../model/invocation-status.ts'
import { keyNames } from './layout.ts'
import type { PartitionState } from './partition-state.ts'
import type { Router } from './router.ts'
import { opTagOf } from './tokens.ts'

/** Looked through at a time, newest first: what is repeated is mostly young. */
const slice = 1_000

export async function isKnownOp(
  router: Router,
  state: PartitionState,
  checkpoint: Checkpoint,
): Promise<boolean> {
  const runId = checkpoint.events.find((event) => event.runId !== null)?.runId ?? null
  return knowsOp(router, state, { opId: checkpoint.opId, runId })
}

/** What is looked for. */
interface WantedOp {
  readonly opId: OpId
  /** The run that its events are of; null for none. */
  readonly runId: string | null
  /** Only one of whoever that is: several may have decided under the same name. Anybody's when absent. */
  readonly by?: Actor
}

/** The same of an operation by itself. */
export async function knowsOp(
  router: Router,
  state: PartitionState,
  { opId, runId, by }: WantedOp,
): Promise<boolean> {
  const { keys } = state
  const actor = by === undefined ? {} : { by }
  if (runId !== null) return runKnowsOp(router, state, { runId: asRunId(runId), opId, ...actor })
  return (await router.ask(keys.slot, ['ZSCORE', keys.of(keyNames.ops), opId])) !== null
}

type WantedOfRun = WantedOp & { readonly runId: RunId }

async function runKnowsOp(router: Router, { keys }: PartitionState, wanted: WantedOfRun): Promise<boolean> {
  const { runId, opId } = wanted
  const tag = opTagOf(opId)
  for (let end = -1; ; end -= slice) {
    const page = ['LRANGE', keys.groups(runId), end - slice + 1, end] as const
    const groups = (await router.ask(keys.slot, page)) as readonly string[]
    for (const group of groups) {
      const [id = '', groupTag] = group.split(' ')
      if (groupTag === tag && (await isGroupOf(router, id, { keys, ...wanted }))) return true
    }
    if (groups.length < slice) return false
  }
}

async function isGroupOf(
  router: Router,
  id: string,
  { keys, runId, opId, by }: Pick<PartitionState, 'keys'> & WantedOfRun,
): Promise<boolean> {
  const found = (await router.ask(keys.slot, ['XRANGE', keys.of('events'), id, id])) as readonly [
    string,
    readonly string[],
  ][]
  // The text is the last field.
  const text = found[0]?.[1].at(-1)
  if (text === undefined) return false
  const { opId: name, actor } = unpackHead(text, runId)
  return name === opId && (by === undefined || (actor.kind === by.kind && actor.id === by.id))
}
