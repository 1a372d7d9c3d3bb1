/**
 * Who starts runs and follows them, executing nothing. It keeps a journal of its own of what it was told: starts
 * that were acknowledged, and every event that the feed brought (`feed-journal.ts`).
 */

import { setTimeout as pause } from 'node:timers/promises'
import { SagasmithError } from '../../src-engine/model/errors.ts'
import type { EngineEvent } from '../../src-engine/model/event.ts'
import type { RunId } from '../../src-engine/model/ids.ts'
import { runMachine } from '../../src-engine/model/run-status.ts'
import type { WorkflowDocument } from '../../src-engine/model/workflow.ts'
import type { Engine } from '../../src-engine/runtime/engine.ts'
import { crashScenarios } from '../crash/scenarios.ts'
import type { FeedJournal } from './feed-journal.ts'

/** How one run was seen so far. */
interface Seen {
  /** Null while it goes on; `LOST` when a failover took it back. */
  end: string | null
  /** Of its last event, by `performance.now()`. */
  movedAt: number
  /** Since when the store doesn't know it: whoever wrote it may bring it back. */
  missingSince: number | null
}

export interface Client {
  readonly accepted: ReadonlyMap<RunId, Seen>
  /** Codes of what starting runs was answered, and how often. */
  readonly refusals: ReadonlyMap<string, number>
  /** What must never happen to a client. */
  readonly problems: readonly string[]
  /** Waits until everything that is under way has moved on; tells what hasn't in time. */
  readonly movedOn: () => Promise<readonly string[]>
  /** Starts no more and waits for the ends; tells what has none in time. */
  readonly settle: () => Promise<readonly string[]>
  readonly stop: () => void
}

/** Who has not moved, or ended, by then is stuck, be the machine as busy as it may. */
const stuckMs = 180_000
const askAgainMs = 50
/** What its author hasn't brought back by then is gone. */
const broughtBackMs = 20_000
/** A failover may have taken back a run: only the store can tell that. */
const lookEveryMs = 2_000

/** Which workflow each of the lanes plays, one run after the other. */
const lanes: readonly string[] = ['order', 'nest', 'order', 'line', 'order', 'nest', 'order', 'order']

const documentOf = (name: string): WorkflowDocument => {
  const scenario = crashScenarios.find((each) => each.name === name)
  if (scenario === undefined) throw new Error(`there is no scenario ${name}`)
  return scenario.document
}

export function createClient(engine: Engine, journal: FeedJournal): Client {
  return new LoadingClient(engine, journal)
}

class LoadingClient implements Client {
  readonly accepted = new Map<RunId, Seen>()
  readonly refusals = new Map<string, number>()
  readonly problems: string[] = []
  readonly #engine: Engine
  readonly #lanes: Promise<void>[]
  readonly #unfollow: () => void
  /** Of runs that nobody has told of yet: the feed may be faster than the answer. */
  readonly #early = new Map<RunId, EngineEvent>()
  #isOver = false

  constructor(engine: Engine, journal: FeedJournal) {
    this.#engine = engine
    this.#unfollow = engine.follow({
      runId: null,
      cursor: null,
      receive: (events) => {
        journal.note(events)
        for (const event of events) this.#note(event)
      },
    })
    this.#lanes = lanes.map((name, index) =>
      this.#play(`lane${index}`, documentOf(name)).catch((thrown: unknown) => {
        this.problems.push(`a lane ended: ${String(thrown)}`)
      }),
    )
  }

  async movedOn(): Promise<readonly string[]> {
    const since = performance.now()
    const open = [...this.accepted].filter(([, { end }]) => end === null)
    const still = () => open.filter(([, { end, movedAt }]) => end === null && movedAt < since)
    await within(stuckMs, () => still().length === 0)
    return still().map(([id]) => `${id} did not go on`)
  }

  async settle(): Promise<readonly string[]> {
    this.#isOver = true
    const still = () => [...this.accepted].filter(([, { end }]) => end === null)
    await within(stuckMs, () => still().length === 0)
    if (still().length === 0) await Promise.all(this.#lanes)
    return still().map(([id]) => `${id} never ended`)
  }

  stop(): void {
    this.#isOver = true
    this.#unfollow()
  }

  #note(event: EngineEvent): void {
    const { runId, body } = event
    if (runId === null) return
    const seen = this.accepted.get(runId)
    const isEnd = body.type === 'run.changed' && runMachine.final.has(body.to)
    if (seen === undefined) {
      if (isEnd) this.#early.set(runId, event)
      return
    }
    seen.movedAt = performance.now()
    if (!isEnd) return
    seen.end = body.to
    // None of these workflows fails by itself, and a fault of the store is no fault of a step.
    if (body.to !== 'SUCCEEDED')
      this.problems.push(`${runId} ended ${body.to}: ${JSON.stringify(body.set.error)}`)
  }

  async #play(lane: string, document: WorkflowDocument): Promise<void> {
    for (let turn = 0; !this.#isOver; turn += 1) {
      const id = await this.#start(`${lane}-${turn}`, document)
      if (id === null) return
      let lookedAt = performance.now()
      while (this.accepted.get(id)?.end === null) {
        await pause(askAgainMs)
        if (performance.now() - lookedAt < lookEveryMs) continue
        lookedAt = performance.now()
        await this.#look(id)
      }
    }
  }

  /** Asks with one request id until it is told: however often, one run. */
  async #start(requestId: string, document: WorkflowDocument): Promise<RunId | null> {
    while (!this.#isOver) {
      try {
        const request = { document, input: { requestId }, baseDirectory: null, requestId }
        const { runId } = await this.#engine.startRun(request)
        this.accepted.set(runId, { end: null, movedAt: performance.now(), missingSince: null })
        const early = this.#early.get(runId)
        this.#early.delete(runId)
        if (early !== undefined) this.#note(early)
        return runId
      } catch (thrown) {
        if (!(thrown instanceof SagasmithError)) throw thrown
        this.refusals.set(thrown.code, (this.refusals.get(thrown.code) ?? 0) + 1)
        await pause(askAgainMs)
      }
    }
    return null
  }

  async #look(id: RunId): Promise<void> {
    const seen = this.accepted.get(id)
    const run = await this.#engine.store.load(0, 'run', { runId: id }).catch(() => undefined)
    if (seen === undefined || run === undefined || seen.end !== null) return
    if (run !== null) {
      seen.missingSince = null
      return
    }
    seen.missingSince ??= performance.now()
    if (performance.now() - seen.missingSince > broughtBackMs) seen.end = 'LOST'
  }
}

/** Waits until it holds, and no longer than that. */
async function within(ms: number, holds: () => boolean): Promise<void> {
  const end = performance.now() + ms
  while (!holds() && performance.now() < end) await pause(10)
}
