/** Completion for the step whose form it stands in, on the data at hand. */

import { useMemo } from 'react'
import type { JsonValue } from '../../src-engine/model/json.ts'
import { useDesigner } from '../state/context.ts'
import { useNodePlace } from '../state/selectors.ts'
import type { CompletionMeans } from './completion.ts'
import { useForm } from './form-context.ts'
import type { EndSeen } from './schema-fields.ts'
import { dataAtHand, previewOf } from './use-preview.ts'

/** Answers that are kept while nothing else is looked at: what is written names the same values again and again. */
const keptMax = 40

/** `takesSecrets`: whether the field may name one; `sees`: what of the step's own end it may read. */
export function useCompletion({
  takesSecrets = false,
  sees = null,
}: {
  readonly takesSecrets?: boolean
  readonly sees?: EndSeen | null
} = {}): CompletionMeans {
  const designer = useDesigner()
  const { nodeId: ofForm, expressionsOf = null } = useForm()
  const nodeId = ofForm ?? expressionsOf
  const path = useNodePlace(nodeId ?? '')
  return useMemo(() => {
    const known = new Map<string, Promise<JsonValue | undefined>>()
    const ask = async (text: string): Promise<JsonValue | undefined> => {
      if (nodeId === null) return undefined
      const at = dataAtHand(designer)
      const found = await previewOf(designer, { ...at, text, mode: 'expression', nodeId, path, sees }).catch(
        () => null,
      )
      return found?.kind === 'value' ? found.value : undefined
    }
    return {
      document: () => designer.document.getState().history.document,
      nodeId,
      sees,
      secrets: () => (takesSecrets ? (designer.secrets.getState().view?.secrets ?? []) : null),
      valueOf: (text) => {
        const { runId, mocks } = dataAtHand(designer)
        // What a run gives grows while it is under way.
        const events = designer.runs.getState().current?.live.replay.attempts.length ?? 0
        const key = JSON.stringify([text, runId, mocks, events])
        const kept = known.get(key)
        if (kept !== undefined) return kept
        const answer = ask(text)
        if (known.size >= keptMax) known.clear()
        known.set(key, answer)
        return answer
      },
    }
  }, [designer, nodeId, path, takesSecrets, sees])
}
