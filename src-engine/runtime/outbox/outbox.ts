/**
 * Brings about what decisions mean for other runs: at once after the checkpoint that says so, and at start
 * and at an interval what a crash or a failure left. Repeating an effect changes nothing; so it is taken off
 * the list only after it.
 */

import type { Decision } from '../../core/draft.ts'
import type { OutboxRecord } from '../../model/checkpoint.ts'
import { noWrites } from '../../model/checkpoint.ts'
import type { Effect } from '../../model/effect.ts'
import { effectOf, sourceRunOf } from '../../model/effect.ts'
import { recordOfThrown, SagasmithError } from '../../model/errors.ts'
import { opId } from '../../model/ids.ts'
import { pageSizeMax } from '../../model/limits.ts'
import type { Instant } from '../../model/time.ts'
import { expecting, lookAtRegister } from '../register-look.ts'
import { partitionOfRun } from '../run-place.ts'
import type { RunnerDependencies } from '../runner.ts'

/** A file that is locked or a disk that is full: soon tried again, then left to the replayer. */
const triesMax = 5
/** Who last took messages that others had left. */
const takenKey = 'outbox/taken'

export interface Outbox {
  /** This process committed the decision: what it means for others is brought about now, unless it is for later. */
  readonly committed: (decision: Decision) => void
  /** Brings about one that was just committed. Resolves when it was tried; a failure is tried again. */
  readonly deliver: (record: OutboxRecord) => Promise<void>
  /**
   * Takes what nobody has taken since the instant, so that no other process does meanwhile, and brings it
   * about. Resolves when each was tried.
   */
  readonly repair: (takenBefore: Instant) => Promise<void>
  /** Begins no more; resolves when nothing is under way. */
  readonly stop: () => Promise<void>
}

export type BringAbout = (effect: Effect) => Promise<void>

/** The outbox as this process empties it. */
export function createOutbox(dependencies: RunnerDependencies, bringAbout: BringAbout): Outbox {
  return new DurableOutbox(dependencies, bringAbout)
}

/** Brings about what others have left, whoever of them is gone; what somebody has in hand comes twice, and once in effect. */
export function takeLeft(
  { clock, log }: Pick<RunnerDependencies, 'clock' | 'log'>,
  outbox: Pick<Outbox, 'repair'>,
): void {
  outbox
    .repair(clock.now())
    .catch((thrown: unknown) => log.warn('effects.failed', { error: recordOfThrown(thrown).message }))
}

/** What nobody can bring back: were the run's end lost, it would go on without its values. */
const isForGood = ({ kind }: Effect): boolean => kind === 'values.forgotten'

class DurableOutbox implements Outbox {
  readonly #dependencies: RunnerDependencies
  readonly #bringAbout: BringAbout
  readonly #underWay = new Map<string, Promise<void>>()
  #stopped = false
  /** Ends what waits for replicas. */
  readonly #patient = new Set<() => void>()

  constructor(dependencies: RunnerDependencies, bringAbout: BringAbout) {
    this.#dependencies = dependencies
    this.#bringAbout = bringAbout
  }

  committed(decision: Decision): void {
    const { at, writes } = decision.checkpoint
    // What is for later is the replayer's.
    for (const record of writes.outbox) if (record.dueAt <= at) void this.#tryToDeliver(record)
  }

  async deliver(record: OutboxRecord): Promise<void> {
    await this.#tryToDeliver(record)
  }

  #deliverOnce(record: OutboxRecord): Promise<void> {
    const known = this.#underWay.get(record.id)
    if (known !== undefined || this.#stopped) return known ?? Promise.resolve()
    const delivery = this.#deliver(record).finally(() => this.#underWay.delete(record.id))
    this.#underWay.set(record.id, delivery)
    return delivery
  }

  async repair(takenBefore: Instant): Promise<void> {
    let page = await this.#waiting(takenBefore, null)
    while (page.length > 0 && !this.#stopped) {
      // Before what is on this page is taken off the list: from then on nothing is behind it.
      const after = page.length < pageSizeMax ? null : (page.at(-1)?.id ?? null)
      const next = after === null ? [] : await this.#waiting(takenBefore, after)
      // Who took it meanwhile delivers it; what is left of it after that is looked at again.
      if (!(await this.#take(page))) return
      const tried = await Promise.all(page.map((record) => this.#tryToDeliver(record)))
      const count = tried.filter(Boolean).length
      if (count > 0) this.#dependencies.log.info('replayer.replayed', { count })
      page = next
    }
  }

  #waiting(takenBefore: Instant, after: string | null): Promise<readonly OutboxRecord[]> {
    const { store, partition } = this.#dependencies
    return store.list(partition, 'outbox', {
      filter: { dueBefore: takenBefore },
      page: { after, limit: pageSizeMax },
    })
  }

  /**
   * From now on they are in this process's hands; false when another process was faster. One that its first
   * owner delivers at this moment comes twice.
   */
  async #take(records: readonly OutboxRecord[]): Promise<boolean> {
    const free = records.filter(({ id }) => !this.#underWay.has(id))
    const taken = await Promise.all(
      [...Map.groupBy(free, (record) => this.#placeOf(record))].map((group) => this.#takeIn(...group)),
    )
    return taken.every(Boolean)
  }

  /** With the run that it is from: what it means for others is written in that one's own checkpoint. */
  #placeOf(record: OutboxRecord): number {
    const { store, partition } = this.#dependencies
    const source = sourceRunOf(record)
    return source === null ? partition : partitionOfRun(store.info, source)
  }

  async #takeIn(partition: number, records: readonly OutboxRecord[]): Promise<boolean> {
    const { store, runnerId, clock } = this.#dependencies
    const at = clock.now()
    const outbox = records.map((item) => ({ ...item, dueAt: at }))
    const [first] = outbox
    if (first === undefined) return true
    const { epoch, version } = await lookAtRegister({ store, partition }, takenKey)
    const [answer] = await store.commit(partition, [
      {
        partition,
        opId: opId(`taken:${runnerId}:${at}:${version}:${first.id}`),
        actor: { kind: 'run', id: runnerId },
        at,
        expect: expecting([{ key: takenKey, epoch, version }]),
        writes: {
          ...noWrites,
          registers: [{ key: takenKey, value: { by: runnerId, at, count: outbox.length } }],
          outbox,
        },
        events: [],
      },
    ])
    return answer?.kind === 'accepted'
  }

  /** What the promise says; true once nobody waits any longer. Nothing is left with whoever is never told. */
  async #untilStopped(isSafe: Promise<boolean>): Promise<boolean> {
    if (this.#stopped) return true
    const stopped = Promise.withResolvers<boolean>()
    const end = (): void => stopped.resolve(true)
    this.#patient.add(end)
    try {
      return await Promise.race([isSafe, stopped.promise])
    } finally {
      this.#patient.delete(end)
    }
  }

  async stop(): Promise<void> {
    this.#stopped = true
    for (const end of this.#patient) end()
    await Promise.allSettled(this.#underWay.values())
  }

  /** One that fails must not keep the others: it stays on the list. */
  async #tryToDeliver(record: OutboxRecord, tries = 1): Promise<boolean> {
    try {
      await this.#deliverOnce(record)
      return true
    } catch (thrown) {
      const { clock, log, settings } = this.#dependencies
      const { code, message } = recordOfThrown(thrown)
      log.warn('effect.failed', { effect: record.id, tries, error: message })
      const { deadLetterRetryDelayMs, retryDelayPublishMs } = settings
      if (tries < triesMax) {
        clock.after(code === 'dead_letter_unwritten' ? deadLetterRetryDelayMs : retryDelayPublishMs, () => {
          if (!this.#stopped) void this.#tryToDeliver(record, tries + 1)
        })
      }
      return false
    }
  }

  /** Until no failover takes back what it follows from. */
  async #untilSafe(id: string): Promise<void> {
    const isSafe = this.#dependencies.store.watchLosses?.()
    if (isSafe === undefined) return
    if (!(await this.#untilStopped(isSafe())) || this.#stopped)
      throw new SagasmithError('lost_race', { details: { effect: id } })
  }

  async #deliver(record: OutboxRecord): Promise<void> {
    const { store, executor, runnerId, clock } = this.#dependencies
    const partition = this.#placeOf(record)
    const epoch = store.info.epochs[partition] ?? 0
    const effect = effectOf(record)
    if (isForGood(effect)) await this.#untilSafe(record.id)
    executor.failpoints('effect.before-delivery')
    const wasSafe = store.watchLosses?.()
    await this.#bringAbout(effect)
    // What it brought about lies elsewhere: a failover there may take it back, and leave it ticked off here.
    if (wasSafe !== undefined && !(await this.#untilStopped(wasSafe())))
      throw new SagasmithError('lost_race', { details: { effect: record.id } })
    executor.failpoints('effect.after-delivery')
    const [answer] = await store.commit(partition, [
      {
        partition,
        opId: opId(`delivered:${record.id}:${clock.now()}`),
        actor: { kind: 'run', id: runnerId },
        at: clock.now(),
        // While what it is from was lost, it looked as if there was nothing to bring about.
        expect: { epoch, invocations: [], registers: [] },
        writes: { ...noWrites, delivered: [record.id] },
        events: [],
      },
    ])
    if (answer?.kind === 'refused') throw new SagasmithError('lost_race', { details: { effect: record.id } })
    executor.failpoints('effect.delivered')
  }
}
