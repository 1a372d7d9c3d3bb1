/**
 * Values that are not to stay: when their run is over, an effect of that checkpoint names the blobs that go. What can
 * still be asked for goes later: a run that failed may go on, and somebody may be waiting for what the run gave.
 */

import type { OutboxRecord } from '../model/checkpoint.ts'
import { outboxRecordOf } from '../model/effect.ts'
import type { BlobHash } from '../model/ids.ts'
import type { InvocationRecord } from '../model/invocation.ts'
import { runOutputGraceMs, scanGraceMs, unkeptGraceMsDefault } from '../model/limits.ts'
import type { Payload } from '../model/payload.ts'
import { isFleeting } from '../model/payload.ts'
import type { RunRecord } from '../model/run.ts'
import { runMachine } from '../model/run-status.ts'
import type { Instant, Millis } from '../model/time.ts'
import type { CompiledNode, CompiledWorkflow } from './compile.ts'
import type { NeedsScan } from './output/scan-effects.ts'
import type { RunState } from './run-state.ts'

type Effects = ReadonlyMap<string, OutboxRecord> | null

/** What of a finished draft this needs. */
export interface EndedDraft {
  readonly run: RunRecord
  readonly created: boolean
  readonly context: {
    readonly now: Instant
    readonly needsScan?: NeedsScan | null
    readonly unkeptGraceMs?: Millis
  }
  readonly state: Pick<RunState, 'run' | 'workflow' | 'invocations'>
}

/** The effects of a decision with what is forgotten because it ends the run; the same where it doesn't. */
export function withForgetting(
  draft: EndedDraft,
  records: readonly InvocationRecord[],
  outbox: Effects,
): Effects {
  const { run, state, created } = draft
  if (!runMachine.final.has(run.status)) return outbox
  const may = mayForget(state.workflow)
  if (may === 'no') return outbox
  if (!created && state.run.status === run.status) return outbox
  const found = new Set<BlobHash>()
  noteFleeting([...state.invocations.values(), ...records], found)
  const given = asFleeting(run.output)
  if (given !== null) found.delete(given)
  const all = new Map(outbox)
  const { now } = draft.context
  const add = (id: string, hashes: readonly BlobHash[], dueAt: Instant): void => {
    const effect = { kind: 'values.forgotten', runId: run.id, generation: run.generation, hashes } as const
    all.set(id, outboxRecordOf(id, effect, dueAt))
  }
  // What was replaced under way is read off the history: its own steps may have left some though no record names any.
  if (found.size > 0 || may === 'own')
    add(`forget:${run.id}:${run.version}`, [...found], now + graceOf(draft))
  // The step that waits for the run hands it on, and its own run forgets it.
  const isTaken = run.parentInvocationId !== null
  if (given !== null && !isTaken)
    add(`forget-output:${run.id}:${run.version}`, [given], now + runOutputGraceMs)
  return all.size === 0 ? null : all
}

/** What looks into results comes first; a run that can go on needs what it has. */
function graceOf({ run, context }: EndedDraft): Millis {
  const mayGoOn =
    runMachine.validateTransition(run.status, 'RUNNING', { kind: 'operator', id: null }) === null
  if (mayGoOn) return context.unkeptGraceMs ?? unkeptGraceMsDefault
  return (context.needsScan ?? null) === null ? 0 : scanGraceMs
}

const asFleeting = (payload: Payload | null): BlobHash | null =>
  payload !== null && isFleeting(payload) ? payload.hash : null

type Forgetful = 'own' | 'of others' | 'no'

const forgetful = new WeakMap<CompiledWorkflow, Forgetful>()

/** Whether there may be such values: its own, or those of runs that it waits for. */
function mayForget(workflow: CompiledWorkflow): Forgetful {
  let known = forgetful.get(workflow)
  if (known === undefined) {
    // What undoes a step stands with it, and nowhere else.
    const nodes = [...workflow.nodeById.values()].flatMap((node): readonly CompiledNode[] =>
      node.undo === null ? [node] : [node, node.undo.node],
    )
    const waits = nodes.some(({ kind }) => kind === 'sub-workflow')
    known = nodes.some(({ keep }) => keep !== null) ? 'own' : waits ? 'of others' : 'no'
    forgetful.set(workflow, known)
  }
  return known
}

/** By their form, wherever in a record or an event they stand. */
export function noteFleeting(value: unknown, found: Set<BlobHash>): void {
  if (typeof value !== 'object' || value === null) return
  if ('fleeting' in value && 'hash' in value) found.add(value.hash as BlobHash)
  else for (const item of Object.values(value)) noteFleeting(item, found)
}
