/** The log of one attempt: every line goes out live, the tail is kept within its limit. */

import type { LogLine } from '../model/attempt.ts'
import { attemptLogBytesMax } from '../model/limits.ts'

export interface AttemptLog {
  readonly add: (line: LogLine) => void
  /** JSON text of the kept lines; null when nothing was printed. */
  readonly json: () => string | null
  /** Changes every text from now on, before anybody sees it. */
  readonly setRedaction: (redact: (text: string) => string) => void
}

/** A line costs about this much beside its text. */
const lineOverheadBytes = 80

export function createAttemptLog(live: (line: LogLine) => void): AttemptLog {
  const lines: LogLine[] = []
  let first = 0
  let bytes = 0
  let dropped = 0
  let redact: ((text: string) => string) | null = null
  return {
    setRedaction: (call) => {
      redact = call
    },
    add: (line) => {
      const kept = shortened(redact === null ? line : { ...line, text: redact(line.text) })
      live(kept)
      lines.push(kept)
      bytes += kept.text.length + lineOverheadBytes
      while (bytes > attemptLogBytesMax && first < lines.length - 1) {
        bytes -= (lines[first]?.text.length ?? 0) + lineOverheadBytes
        first += 1
        dropped += 1
      }
    },
    json: () => {
      if (lines.length === 0) return null
      const kept = lines.slice(first)
      const [head] = kept
      if (dropped === 0 || head === undefined) return JSON.stringify(kept)
      const note: LogLine = {
        at: head.at,
        level: 'info',
        stream: 'task',
        text: `… ${dropped} earlier lines left out`,
      }
      return JSON.stringify([note, ...kept])
    },
  }
}

/** A line alone must fit into the log. */
function shortened(line: LogLine): LogLine {
  const most = attemptLogBytesMax / 4
  if (line.text.length <= most) return line
  return { ...line, text: `${line.text.slice(0, most)}… (${line.text.length - most} more characters)` }
}
