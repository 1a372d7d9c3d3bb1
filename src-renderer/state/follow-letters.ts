/** Keeps the dead letters fresh, and does what a person decides about them. */

import type { DeadLetter } from '../../src-engine/model/checkpoint.ts'
import { recordOfThrown } from '../../src-engine/model/errors.ts'
import type { EngineEvent } from '../../src-engine/model/event.ts'
import type { RunId } from '../../src-engine/model/ids.ts'
import type { JsonValue } from '../../src-engine/model/json.ts'
import { pageSizeMax } from '../../src-engine/model/limits.ts'
import { touchesLetters } from '../../src-engine/protocol/notices.ts'
import type { Designer } from './designer.ts'
import { followList, wholeList } from './follow-list.ts'

/** Loads them now, when the line comes back, and after events that touch them. Gives who looks at events. */
export const startLetters = (designer: Designer): ((events: readonly EngineEvent[]) => void) =>
  followList(designer, { delayMs: 400, touches: touchesLetters, load: () => loadLetters(designer) })

/** Asks for all letters, as far as a person can read them. */
export async function loadLetters(designer: Designer): Promise<void> {
  const { setLetters, setError } = designer.letters.getState()
  try {
    const { items, hasMore } = await wholeList<DeadLetter, string>(async (after) => {
      const query = { reason: null, workflowId: null, runId: null, after, limit: pageSizeMax }
      const { letters, next } = await designer.connection.call('deadLetters.list', query)
      return { items: letters, next }
    })
    setLetters(items, hasMore)
  } catch (thrown) {
    // They are asked for again when the line is back; until then the page says why there are none.
    setError(recordOfThrown(thrown))
  }
}

/** Starts a letter's run again and takes the letter away; another input takes the place of the run's. */
export async function replayLetter(
  designer: Designer,
  id: string,
  input: { readonly value: JsonValue } | null,
): Promise<RunId> {
  const { runId } = await designer.connection.call('deadLetters.replay', { id, input, by: null })
  forget(designer, id)
  return runId
}

/** Has the letter's own run go on from what failed; the engine takes the letter away with it. */
export async function retryLetter(designer: Designer, { id, runId }: DeadLetter): Promise<void> {
  if (runId === null) return
  const rest = { nodeId: null, input: null, version: 'same', document: null, by: null, reason: null } as const
  await designer.connection.call('runs.retry', { runId, ...rest })
  forget(designer, id)
}

/** Takes a letter away for good. */
export async function discardLetter(designer: Designer, id: string): Promise<void> {
  await designer.connection.call('deadLetters.discard', { id, by: null })
  forget(designer, id)
}

/** It is gone at once; the next loading agrees. */
function forget(designer: Designer, id: string): void {
  const { letters, hasMore, setLetters } = designer.letters.getState()
  setLetters(
    letters.filter((letter) => letter.id !== id),
    hasMore,
  )
}
