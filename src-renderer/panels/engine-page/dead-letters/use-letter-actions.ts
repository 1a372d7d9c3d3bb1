/** What a person can do with dead letters: each tells how it went. */

import type { DeadLetter } from '../../../../src-engine/model/checkpoint.ts'
import type { RunId } from '../../../../src-engine/model/ids.ts'
import type { JsonValue } from '../../../../src-engine/model/json.ts'
import { useDesigner } from '../../../state/context.ts'
import type { Designer } from '../../../state/designer.ts'
import { tellError } from '../../../state/designer.ts'
import { discardLetter, loadLetters, replayLetter, retryLetter } from '../../../state/follow-letters.ts'
import { showRunOf } from '../../../state/show-run.ts'
import { fill, letters as words } from '../../../text/messages.ts'
import { workflowWords } from './letter-words.ts'

export interface LetterActions {
  /** Throws what the engine refuses, so that a dialog can show it. */
  readonly replay: (letter: DeadLetter, input: { readonly value: JsonValue } | null) => Promise<void>
  readonly discard: (letters: readonly DeadLetter[]) => Promise<void>
  readonly replayAll: (letters: readonly DeadLetter[]) => Promise<void>
  /** The same run goes on, instead of a new one. */
  readonly retry: (letter: DeadLetter) => Promise<void>
  readonly openRun: (letter: DeadLetter) => void
}

export function useLetterActions(): LetterActions {
  const designer = useDesigner()
  const { toast } = designer.view.getState()
  const tellReplayed = (letter: DeadLetter, runId: RunId): void =>
    toast({
      tone: 'good',
      message: fill(words.replayed, { title: workflowWords(letter) }),
      hint: null,
      action: { label: words.openRun, run: () => void showRunOf(designer, { runId, nodeId: null }) },
    })
  return {
    replay: async (letter, input) => tellReplayed(letter, await replayLetter(designer, letter.id, input)),
    discard: async (letters) => {
      const done = await forEach(designer, letters, ({ id }) => discardLetter(designer, id))
      if (done === 0) return
      const message = done === 1 ? words.discardedOne : fill(words.discarded, { count: done })
      toast({ tone: 'neutral', message, hint: null })
    },
    replayAll: async (letters) => {
      const started: RunId[] = []
      const done = await forEach(designer, letters, async ({ id }) =>
        started.push(await replayLetter(designer, id, null)),
      )
      const [[letter], [runId]] = [letters, started]
      if (letters.length === 1 && letter !== undefined && runId !== undefined) tellReplayed(letter, runId)
      else if (done > 0)
        toast({ tone: 'good', message: fill(words.replayedMany, { count: done }), hint: null })
    },
    retry: async (letter) => {
      const { runId, nodeId } = letter
      if (runId === null || (await forEach(designer, [letter], (one) => retryLetter(designer, one))) === 0)
        return
      toast({
        tone: 'good',
        message: fill(words.goesOn, { title: workflowWords(letter) }),
        hint: null,
        action: { label: words.openRun, run: () => void showRunOf(designer, { runId, nodeId }) },
      })
    },
    openRun: ({ runId, nodeId }) => {
      if (runId !== null) void showRunOf(designer, { runId, nodeId })
    },
  }
}

/** One after the other: each is a commit of its own. The first refusal is told and ends it. */
async function forEach(
  designer: Designer,
  letters: readonly DeadLetter[],
  act: (letter: DeadLetter) => Promise<unknown>,
): Promise<number> {
  let done = 0
  try {
    for (const letter of letters) {
      await act(letter)
      done += 1
    }
  } catch (error) {
    tellError(designer, error)
    await loadLetters(designer)
  }
  return done
}
