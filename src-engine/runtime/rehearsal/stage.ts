/** The processes of one rehearsed run: there is one at a time, and who dies is followed by another. */

import type { NodeId, RunId } from '../../model/ids.ts'
import type { Store } from '../../store/store.ts'
import { createEngine } from '../create-engine.ts'
import type { Engine } from '../engine.ts'
import type { TaskHost } from '../task-host.ts'
import { mortalStore } from './mortal-store.ts'
import type { PlayOptions } from './rehearsal-options.ts'
import type { Mishap } from './rehearsed-host.ts'
import { rehearsedHost } from './rehearsed-host.ts'
import type { SkippedTime } from './skipped-time.ts'

/** A worker that died is missed by the others after this span, in ms. */
const relaunchMs = 1_000

/** Where a rehearsed run plays. */
export class Stage {
  readonly came = new Set<NodeId>()
  readonly mocked = new Set<NodeId>()
  readonly #options: PlayOptions
  readonly #at: { readonly time: SkippedTime; readonly store: Store; readonly mishap: Mishap | null }
  /** Of the process that lives. */
  #alive = { is: false }
  #count = 0
  #ids = 0
  #runId: RunId | null = null

  constructor(options: PlayOptions, at: { time: SkippedTime; store: Store; mishap: Mishap | null }) {
    this.#options = options
    this.#at = at
  }

  launch(): Engine {
    const { time, store } = this.#at
    const { validation, workflows, log, random } = this.#options
    this.#count += 1
    const pid = this.#count
    const own = { is: true }
    this.#alive = own
    const isAlive = (): boolean => own.is
    const engine = createEngine({
      store: mortalStore(store, isAlive),
      host: this.#host(),
      validation,
      workflows,
      clock: time.clock(isAlive),
      random,
      log,
      ids: { next: () => String((this.#ids += 1)).padStart(26, '0') },
      process: {
        own: { host: 'rehearsal', pid, startTime: null, bootId: null },
        isProvenGone: (identity) => identity.pid !== this.#count,
      },
      preview: async () => ({ kind: 'no-data' }),
    })
    void engine.start()
    return engine
  }

  began<Answer extends { readonly runId: RunId }>(answer: Answer): Answer {
    this.#runId = answer.runId
    return answer
  }

  /** Lets time pass until the promise has come to something. */
  async result<Value>(promise: Promise<Value>): Promise<Value> {
    let isOver = false
    const end = (): void => {
      isOver = true
    }
    promise.then(end, end)
    await this.#at.time.until(() => isOver)
    return promise
  }

  /** Nothing of it happens any more. */
  end(): void {
    this.#alive.is = false
  }

  #host(): TaskHost {
    const { host, mocking } = this.#options
    const told = ({ nodeId }: { readonly nodeId: NodeId }): void => void this.mocked.add(nodeId)
    return rehearsedHost(
      host,
      { ...mocking, told },
      {
        ...this.#at,
        runId: () => this.#runId,
        came: (nodeId) => this.came.add(nodeId),
        dies: () => this.#dies(),
      },
    )
  }

  #dies(): boolean {
    if (this.#count > 1) return false
    this.#alive.is = false
    const { time } = this.#at
    time.clock(() => true).after(relaunchMs, () => void this.launch())
    return true
  }
}
