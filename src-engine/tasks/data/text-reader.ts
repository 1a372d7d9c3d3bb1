/**
 * Reads texts without holding up the engine. Short ones of a form that costs by its length are read at once; all
 * others by a thread, with a deadline and a bound on memory. A thread that reads for too long, or for a step that is
 * cancelled, is ended: no parser can be asked to stop.
 */

import { SagasmithError } from '../../model/errors.ts'
import type { JsonValue } from '../../model/json.ts'
import { textReadHereMax, textReadMs, textThreadsMax } from '../../model/limits.ts'
import type { Millis } from '../../model/time.ts'
import { throwIfAborted } from '../abort.ts'
import type { TaskContext } from '../task.ts'
import type { TextRequest } from './text-request.ts'
import { readHere } from './text-request.ts'
import type { TextThread } from './text-thread.ts'
import { startTextThread } from './text-thread.ts'

/** What reading gets to know of the step. */
type ReadingStep = Pick<TaskContext, 'signal' | 'clock'>

/** Reads texts for the steps of an engine. */
export interface TextReader {
  /** Throws what reading throws, `data_too_slow` at its deadline, and `task_cancelled`. */
  readonly read: (request: TextRequest, step: ReadingStep) => Promise<JsonValue>
}

/** A thread is kept so long for the next text: starting one takes as long as reading a page. */
const idleMs: Millis = 10_000

/** A reader whose threads start with the first text that needs one. */
export function createTextReader(start: () => TextThread = startTextThread): TextReader {
  const threads = new TextThreads(start)
  return {
    read: (request, step) => (isQuick(request) ? readHere(request) : threads.read(request, step)),
  }
}

/** What a selector costs isn't told by the length of its page. */
const isQuick = ({ kind, text }: TextRequest): boolean =>
  (kind === 'yaml' || kind === 'xml') && text.length <= textReadHereMax

class TextThreads implements TextReader {
  readonly #start: () => TextThread
  #idle: readonly TextThread[] = []
  /** Those who wait for a place, the longest waiting first. */
  readonly #line: (() => void)[] = []
  #busy = 0

  constructor(start: () => TextThread) {
    this.#start = start
  }

  async read(request: TextRequest, step: ReadingStep): Promise<JsonValue> {
    await this.#comeTo(step.signal)
    const thread = this.#take()
    try {
      return await readWithin(thread, request, step)
    } finally {
      this.#keep(thread, step)
      this.#leave()
    }
  }

  /** Waits for a place; it is handed on, and never free while somebody waits. */
  async #comeTo(signal: AbortSignal): Promise<void> {
    throwIfAborted(signal)
    if (this.#busy < textThreadsMax) {
      this.#busy += 1
      return
    }
    let stop = (): void => undefined
    const isTurn = await new Promise<boolean>((resolve) => {
      const next = (): void => resolve(true)
      this.#line.push(next)
      stop = () => {
        const place = this.#line.indexOf(next)
        // Whose turn it is already hands its place on below.
        if (place !== -1) this.#line.splice(place, 1)
        resolve(false)
      }
      signal.addEventListener('abort', stop, { once: true })
    })
    signal.removeEventListener('abort', stop)
    if (isTurn && signal.aborted) this.#leave()
    throwIfAborted(signal)
  }

  #leave(): void {
    const next = this.#line.shift()
    if (next === undefined) this.#busy -= 1
    else next()
  }

  #take(): TextThread {
    const [thread = this.#start(), ...others] = this.#idle.filter(({ isLost }) => !isLost())
    this.#idle = others
    return thread
  }

  /** For a while, unless it is gone. */
  #keep(thread: TextThread, { clock }: ReadingStep): void {
    if (thread.isLost()) return
    this.#idle = [...this.#idle, thread]
    clock.after(idleMs, () => {
      if (!this.#idle.includes(thread)) return
      this.#idle = this.#idle.filter((one) => one !== thread)
      thread.end()
    })
  }
}

/** What the thread gives in time; it is ended otherwise. */
function readWithin(
  thread: TextThread,
  request: TextRequest,
  { signal, clock }: ReadingStep,
): Promise<JsonValue> {
  return new Promise((resolve, reject) => {
    const giveUp = (error: SagasmithError): void => {
      // A thread that is ended answers nothing, so that what waits for it is put away here.
      done()
      thread.end()
      reject(error)
    }
    const cancelLimit = clock.after(textReadMs, () => giveUp(tooSlow()))
    const stop = (): void => giveUp(new SagasmithError('task_cancelled'))
    signal.addEventListener('abort', stop, { once: true })
    const done = (): void => {
      cancelLimit()
      signal.removeEventListener('abort', stop)
    }
    void thread.read(request).then(resolve, reject).finally(done)
  })
}

const tooSlow = (): SagasmithError =>
  new SagasmithError('data_too_slow', {
    message: `Reading the text took longer than ${textReadMs / 1_000} s.`,
    details: { limitMs: textReadMs },
  })
