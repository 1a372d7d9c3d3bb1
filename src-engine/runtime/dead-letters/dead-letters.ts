/** The desk of dead letters: look at them, run them again, throw them away, forget the old ones. */

import { createHash } from 'node:crypto'
import { settleLetters } from '../../core/control/dead-letters.ts'
import type { DeadLetter } from '../../model/checkpoint.ts'
import { noWrites } from '../../model/checkpoint.ts'
import { SagasmithError } from '../../model/errors.ts'
import type { RunId } from '../../model/ids.ts'
import { opId } from '../../model/ids.ts'
import type { Cause } from '../../model/invocation.ts'
import { isJsonObject } from '../../model/json.ts'
import { pageSizeMax } from '../../model/limits.ts'
import type { DeadLetterPage, DeadLetterQuery, LetterReplay } from '../../protocol/dead-letters.ts'
import type { Reruns } from '../controls/reruns.ts'
import type { EngineParts } from '../engine-parts.ts'
import type { Locks } from '../locks/locks.ts'
import type { Runner, RunnerDependencies } from '../runner.ts'
import type { SagaDesk } from '../saga/saga-desk.ts'
import type { DeadLetters } from './dead-letter-desk.ts'

export function createDeadLetters(
  parts: Pick<EngineParts, 'dependencies' | 'runner' | 'locks'>,
  reruns: Reruns,
  saga: Pick<SagaDesk, 'retry'>,
): DeadLetters {
  return new StoredDeadLetters(parts, reruns, saga)
}

class StoredDeadLetters implements DeadLetters {
  readonly #dependencies: RunnerDependencies
  readonly #runner: Runner
  readonly #locks: Locks
  readonly #reruns: Reruns
  readonly #saga: Pick<SagaDesk, 'retry'>

  constructor(
    { dependencies, runner, locks }: Pick<EngineParts, 'dependencies' | 'runner' | 'locks'>,
    reruns: Reruns,
    saga: Pick<SagaDesk, 'retry'>,
  ) {
    this.#dependencies = dependencies
    this.#runner = runner
    this.#locks = locks
    this.#reruns = reruns
    this.#saga = saga
  }

  async list({ reason, workflowId, runId, after, limit }: DeadLetterQuery): Promise<DeadLetterPage> {
    const { store, partition } = this.#dependencies
    const filter = { reason, workflowId, runId }
    const letters = await store.list(partition, 'deadLetters', { filter, page: { after, limit } })
    const next = letters.length === limit ? (letters.at(-1)?.id ?? null) : null
    return { letters, next }
  }

  async show(id: string): Promise<DeadLetter> {
    const { store, partition } = this.#dependencies
    const letter = await store.load(partition, 'deadLetter', { id })
    if (letter !== null) return letter
    throw new SagasmithError('dead_letter_not_found', {
      message: `There is no dead letter ${id}.`,
      details: { id },
    })
  }

  /** Of two people who want it at once one gets it, and the other hears that the letter is dealt with. */
  async replay(request: LetterReplay): ReturnType<DeadLetters['replay']> {
    const { id } = request
    const { runId } = await this.show(id)
    if (runId === null) throw new SagasmithError('dead_letter_not_replayable', { details: { id } })
    const { runLockTtlMs } = this.#dependencies.settings
    return this.#locks.within(lockKeyOf(id), runLockTtlMs, async (signal) =>
      this.#replayAlone({ ...request, runId }, signal),
    )
  }

  async #replayAlone(
    { id, input, by, runId }: LetterReplay & { readonly runId: RunId },
    signal: AbortSignal,
  ): ReturnType<DeadLetters['replay']> {
    const letter = await this.show(id)
    const { nodeId, invocationId: of } = letter
    if (of !== null && isOfUndo(letter)) {
      // The decision that tries it again takes the letter away.
      const run = await this.#saga.retry({ runId, of, input, by, reason: `replay of ${id}` })
      return { runId, hash: run.definitionHash }
    }
    const started = await this.#reruns.rerun(
      {
        runId,
        document: null,
        otherVersion: false,
        input,
        // The same letter starts the same run: a crash between the start and the end of the letter repeats it.
        requestId: hexOf(`replay:${id}:${letter.at}`).slice(0, 26),
        by,
        reason: `replay of ${id}`,
      },
      { kind: 'retry', runId, nodeId },
    )
    // Without the lock the letter may be somebody else's; its replay then gives the same run.
    if (!signal.aborted)
      await this.#settle(letter, { kind: 'dlq.replay', by: by ?? 'local', detail: started.runId })
    return started
  }

  async discard(id: string, by: string | null): Promise<void> {
    await this.#settle(await this.show(id), { kind: 'dlq.discard', by: by ?? 'local', detail: id })
  }

  async sweep(): Promise<number> {
    const { clock, settings } = this.#dependencies
    const oldest = clock.now() - settings.deadLetterTtlMs
    let kept = 0
    let count = 0
    for (let page: DeadLetterPage | null = await this.#all(null); page !== null; ) {
      // Before letters of this page are taken off the list: from then on nothing is behind them.
      const next: DeadLetterPage | null = page.next === null ? null : await this.#all(page.next)
      for (const letter of page.letters) {
        if (letter.at >= oldest && kept < settings.deadLetterMax) kept += 1
        else {
          await this.#settle(letter, { kind: 'dlq.expired', by: null, detail: letter.id })
          count += 1
        }
      }
      page = next
    }
    return count
  }

  #all(after: string | null): Promise<DeadLetterPage> {
    return this.list({ reason: null, workflowId: null, runId: null, after, limit: pageSizeMax })
  }

  async #settle(letter: DeadLetter, cause: Cause): Promise<void> {
    const { book, store, partition, runnerId, clock } = this.#dependencies
    const { runId } = letter
    const nameAt = (version: number) => opId(`${cause.kind}:${letter.id}:${version}`)
    if (runId !== null) {
      const made = { actor: 'operator', cause, runId, claims: false } as const
      await book.decide(runId, (state) => {
        const context = this.#runner.context({ ...made, opId: nameAt(state.run.version) })
        return settleLetters(state, context, [letter.id])
      })
      return
    }
    await store.commit(partition, [
      {
        partition,
        opId: nameAt(0),
        actor: { kind: 'operator', id: runnerId },
        at: clock.now(),
        expect: { invocations: [], registers: [] },
        writes: { ...noWrites, settledLetters: [letter.id] },
        events: [],
      },
    ])
  }
}

/** Whether it tells of what failed to undo a step. */
const isOfUndo = ({ body }: DeadLetter): boolean => isJsonObject(body) && body['role'] === 'compensation'

const hexOf = (text: string): string => createHash('sha256').update(text).digest('hex')

/** One of 256: a lock stays for ever, for its fence must grow, so there may not be one per letter. */
const lockKeyOf = (letterId: string): string => `replay:${hexOf(letterId).slice(0, 2)}`
