/**
 * What running tasks print: handed to whoever listens, and kept until the attempt has ended, so that somebody
 * who starts to look in the middle sees what was printed before. The attempt's own log is the truth.
 */

import type { InvocationId, RunId } from '../model/ids.ts'
import type { LiveLine } from './engine.ts'

/** Per invocation; a screen or two. */
const keptMax = 500

export interface LiveLines {
  readonly add: (line: LiveLine) => void
  /** Calls with every line from now on; returns the way to stop. */
  readonly listen: (receive: (line: LiveLine) => void) => () => void
  /** What attempts of the run, or of all, that are still under way have printed, by invocation, oldest first. */
  readonly soFar: (runId: RunId | null) => readonly LiveLine[]
  /** The attempt has ended: its log is in the store. */
  readonly forget: (invocationId: InvocationId) => void
}

export function createLiveLines(): LiveLines {
  const listeners = new Set<(line: LiveLine) => void>()
  const kept = new Map<InvocationId, LiveLine[]>()
  return {
    add: (line) => {
      const lines = kept.get(line.invocationId)
      if (lines === undefined) kept.set(line.invocationId, [line])
      else {
        lines.push(line)
        if (lines.length > keptMax) lines.shift()
      }
      for (const listener of listeners) listener(line)
    },
    listen: (receive) => {
      listeners.add(receive)
      return () => listeners.delete(receive)
    },
    soFar: (runId) => [...kept.values()].flat().filter((line) => runId === null || line.runId === runId),
    forget: (invocationId) => {
      kept.delete(invocationId)
    },
  }
}
