/** The desk of results that are held back: look at them, release them, throw them away. */

import type { Decision, DecisionContext } from '../../core/draft.ts'
import { discardOutput, noteLook, releaseOutput, releaseRefusal } from '../../core/output/decide-held.ts'
import type { RunState } from '../../core/run-state.ts'
import type { DeadLetter } from '../../model/checkpoint.ts'
import { recordOfThrown, SagasmithError } from '../../model/errors.ts'
import type { InvocationId, RunId } from '../../model/ids.ts'
import { opId, runIdOf } from '../../model/ids.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import type { OutputCheck, OutputFinding } from '../../model/output/output-check.ts'
import type { RunRecord } from '../../model/run.ts'
import type { RunStatus } from '../../model/run-status.ts'
import type {
  QuarantineApi,
  QuarantineDecision,
  QuarantineDependent,
  QuarantineDetail,
  QuarantineEntry,
  QuarantinePage,
  QuarantineQuery,
} from '../../protocol/quarantine.ts'
import type { Retries } from '../controls/retries.ts'
import type { PayloadStore } from '../payload-store.ts'
import type { Runner, RunnerDependencies } from '../runner.ts'
import type { QuarantineDesk } from './output-desk.ts'
import { payloadBytes } from './output-meta.ts'

export interface QuarantineDeskParts {
  readonly dependencies: RunnerDependencies
  readonly runner: Runner
  readonly payloads: PayloadStore
  readonly retries: Pick<Retries, 'retry'>
  readonly poke: () => void
}

const reasons = ['output_quarantined', 'output_quarantined_async'] as const

export function createQuarantineDesk(parts: QuarantineDeskParts): QuarantineDesk {
  return new StoredQuarantine(parts)
}

class StoredQuarantine implements QuarantineDesk {
  readonly #parts: QuarantineDeskParts

  constructor(parts: QuarantineDeskParts) {
    this.#parts = parts
  }

  /** Each held result has its dead letter, of one of two reasons: two lists are merged, newest first. */
  async list({ workflowId, runId, after, limit }: QuarantineQuery): Promise<QuarantinePage> {
    const { store, partition } = this.#parts.dependencies
    const places = placesOf(after)
    const pages = await Promise.all(
      reasons.map((reason, index) =>
        store.list(partition, 'deadLetters', {
          filter: { reason, workflowId, runId },
          page: { after: places[index] ?? null, limit },
        }),
      ),
    )
    const all = pages.flat().toSorted((left, right) => right.at - left.at)
    const letters = all.slice(0, limit)
    const entries = await Promise.all(letters.map((letter) => this.#entryOfLetter(letter)))
    const next =
      all.length > limit || pages.some((page) => page.length === limit) ? nextOf(places, letters) : null
    return { entries: entries.filter((entry) => entry !== null), next }
  }

  async #entryOfLetter({ invocationId }: DeadLetter): Promise<QuarantineEntry | null> {
    if (invocationId === null) return null
    const found = await this.#find(invocationId)
    // Decided about at this moment, or its run is gone.
    return found === null || found.check.standing !== 'held' ? null : entryOf(found)
  }

  async #find(invocationId: InvocationId): Promise<FoundCheck | null> {
    const { store, partition } = this.#parts.dependencies
    const record = await store.load(partition, 'invocation', { invocationId })
    const check = record?.dispatch?.check ?? null
    const run = record === null ? null : await store.load(partition, 'run', { runId: record.runId })
    return record === null || check === null || run === null ? null : { record, check, run }
  }

  async #findHeld(invocationId: InvocationId): Promise<FoundCheck> {
    const found = await this.#find(invocationId)
    if (found !== null) return found
    const { store, partition } = this.#parts.dependencies
    const record = await store.load(partition, 'invocation', { invocationId })
    throw new SagasmithError(record === null ? 'invocation_not_found' : 'output_not_held', {
      details: { invocationId },
    })
  }

  async show(invocationId: InvocationId): Promise<QuarantineDetail> {
    const found = await this.#findHeld(invocationId)
    const { findings } = found.check
    const text = findings === null ? '[]' : await this.#parts.payloads.json(findings)
    return {
      ...entryOf(found),
      // Nobody but the scan writes them.
      findings: JSON.parse(text) as readonly OutputFinding[],
      dependents: await this.#dependentsOf(found.check),
    }
  }

  async content(invocationId: InvocationId, by: string | null): Promise<{ readonly json: string }> {
    const { held } = (await this.#findHeld(invocationId)).check
    if (held === null) throw new SagasmithError('output_not_held', { details: { invocationId } })
    await this.#decide(invocationId, { kind: 'quarantine.seen', by, reason: null }, (state, context) =>
      noteLook(state, context, invocationId),
    )
    return { json: await this.#parts.payloads.json(held) }
  }

  async #dependentsOf({ dependents }: OutputCheck): Promise<readonly QuarantineDependent[]> {
    const { store, partition } = this.#parts.dependencies
    const records = await Promise.all(
      dependents.map((invocationId) => store.load(partition, 'invocation', { invocationId })),
    )
    return records.flatMap((record) =>
      record === null ? [] : [{ invocationId: record.id, nodeId: record.nodeId, status: record.status }],
    )
  }

  async release(
    request: QuarantineApi['quarantine.release']['input'],
  ): Promise<{ readonly runStatus: RunStatus }> {
    const { invocationId, by, reason, goOn } = request
    const runStatus = await this.#decide(
      invocationId,
      { kind: 'quarantine.released', by, reason },
      (state, context) => releaseOutput(state, context, { id: invocationId, by: nameOf(by), reason }),
    )
    this.#parts.poke()
    return { runStatus: goOn ? await this.#goOn(runIdOf(invocationId), by, runStatus) : runStatus }
  }

  /** A run that ended without the result goes on with it; the release stands, whatever becomes of that. */
  async #goOn(runId: RunId, by: string | null, ended: RunStatus): Promise<RunStatus> {
    if (ended !== 'FAILED' && ended !== 'CANCELLED') return ended
    const { retries, dependencies } = this.#parts
    try {
      const { status } = await retries.retry({
        runId,
        nodeId: null,
        input: null,
        version: 'same',
        document: null,
        by,
        reason: 'released',
      })
      return status
    } catch (thrown) {
      const { code, message } = recordOfThrown(thrown)
      dependencies.log.warn('quarantine.not-gone-on', { runId, code, error: message })
      return ended
    }
  }

  async discard({
    invocationId,
    by,
    reason,
  }: QuarantineDecision): Promise<{ readonly runStatus: RunStatus }> {
    const runStatus = await this.#decide(
      invocationId,
      { kind: 'quarantine.discarded', by, reason },
      (state, context) => discardOutput(state, context, { id: invocationId, by: nameOf(by), reason }),
    )
    return { runStatus }
  }

  async #decide(
    invocationId: InvocationId,
    why: { readonly kind: string; readonly by: string | null; readonly reason: string | null },
    make: (state: RunState, context: DecisionContext) => Decision,
  ): Promise<RunStatus> {
    const { dependencies, runner } = this.#parts
    const runId = runIdOf(invocationId)
    dependencies.executor.failpoints('quarantine.before-commit')
    const decision = await dependencies.book.decide(runId, (state) => {
      const version = state.invocations.get(invocationId)?.version ?? 0
      const context = runner.context({
        actor: 'operator',
        cause: { kind: why.kind, by: nameOf(why.by), detail: why.reason },
        opId: opId(`${why.kind}:${invocationId}:${version}`),
        runId,
        claims: false,
      })
      return make(state, context)
    })
    dependencies.executor.failpoints('quarantine.after-commit')
    if (decision === null) throw new SagasmithError('output_not_held', { details: { invocationId } })
    dependencies.log.info(why.kind, { runId, invocationId, by: nameOf(why.by) })
    return decision.changes.run.status
  }
}

const nameOf = (by: string | null): string => by ?? 'local'

interface FoundCheck {
  readonly record: InvocationRecord
  readonly check: OutputCheck
  readonly run: RunRecord
}

function entryOf({ record, check, run }: FoundCheck): QuarantineEntry {
  const { findings: _findings, held, input: _input, ports: _ports, dependents: _dependents, ...said } = check
  const refusal = releaseRefusal(run)
  return {
    ...said,
    runId: run.id,
    invocationId: record.id,
    nodeId: record.nodeId,
    path: record.path,
    workflowId: run.workflowId,
    workflowTitle: run.workflowTitle,
    taskKind: record.taskKind,
    runStatus: run.status,
    bytes: held === null ? null : payloadBytes(held),
    refusal: refusal === null ? null : { code: refusal.code, message: refusal.message },
  }
}

/** The cursor: the letter that each list ended with, `-` where none of it was told yet. */
function placesOf(after: string | null): readonly (string | null)[] {
  if (after === null) return reasons.map(() => null)
  const parts = after.split('|')
  return reasons.map((_, index) => (parts[index] === undefined || parts[index] === '-' ? null : parts[index]))
}

const nextOf = (places: readonly (string | null)[], letters: readonly DeadLetter[]): string =>
  reasons
    .map(
      (reason, index) => letters.findLast((letter) => letter.reason === reason)?.id ?? places[index] ?? '-',
    )
    .join('|')
