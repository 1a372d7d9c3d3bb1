/** The log of one attempt: every line goes out live, the tail is kept within its limit. */

import type { LogLine } from '../model/attempt.ts'
import { attemptLogBytesMax } from '../model/limits.ts'

/** A line costs about this much beside its text. */
const lineOverheadBytes = 80

/** No lines yet; most attempts never have one. */
export class AttemptLog {
  readonly #live: (line: LogLine) => void
  #lines: LogLine[] | null = null
  #first = 0
  #bytes = 0
  #dropped = 0
  #redact: ((text: string) => string) | null = null

  /** `live` is called with each line. */
  constructor(live: (line: LogLine) => void) {
    this.#live = live
  }

  /** Changes every text from now on, before anybody sees it. */
  setRedaction(redact: (text: string) => string): void {
    this.#redact = redact
  }

  /** Changes what is kept, too; what was seen live has been seen. */
  takeOut(without: (text: string) => string): void {
    this.#lines = this.#lines?.map((line) => ({ ...line, text: without(line.text) })) ?? null
    const before = this.#redact
    this.setRedaction((text) => without(before === null ? text : before(text)))
  }

  add(line: LogLine): void {
    const redact = this.#redact
    const kept = shortened(redact === null ? line : { ...line, text: redact(line.text) })
    this.#live(kept)
    this.#lines ??= []
    const lines = this.#lines
    lines.push(kept)
    this.#bytes += kept.text.length + lineOverheadBytes
    while (this.#bytes > attemptLogBytesMax && this.#first < lines.length - 1) {
      this.#bytes -= (lines[this.#first]?.text.length ?? 0) + lineOverheadBytes
      this.#first += 1
      this.#dropped += 1
    }
  }

  /** JSON text of the kept lines; null when nothing was printed. */
  json(): string | null {
    const kept = this.#lines?.slice(this.#first) ?? []
    const [head] = kept
    if (head === undefined) return null
    if (this.#dropped === 0) return JSON.stringify(kept)
    const note: LogLine = {
      at: head.at,
      level: 'info',
      stream: 'task',
      text: `… ${this.#dropped} earlier lines left out`,
    }
    return JSON.stringify([note, ...kept])
  }
}

/** A line alone must fit into the log. */
function shortened(line: LogLine): LogLine {
  const most = attemptLogBytesMax / 4
  if (line.text.length <= most) return line
  return { ...line, text: `${line.text.slice(0, most)}… (${line.text.length - most} more characters)` }
}
