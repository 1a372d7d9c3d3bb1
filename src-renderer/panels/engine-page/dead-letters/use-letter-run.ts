/** The run of a dead letter as it is by now: whether it can go on depends on it. */

import { useEffect, useState } from 'react'
import type { DefinitionHash, RunId } from '../../../../src-engine/model/ids.ts'
import type { RunStatus } from '../../../../src-engine/model/run-status.ts'
import { useDesigner, useLetters } from '../../../state/context.ts'

export interface LetterRun {
  readonly runId: RunId
  readonly status: RunStatus
  /** The version that it runs. */
  readonly hash: DefinitionHash
}

/** Null while nobody knows; asked for anew whenever the letters are. */
export function useLetterRun(runId: RunId | null): LetterRun | null {
  const designer = useDesigner()
  const letters = useLetters((state) => state.letters)
  const [known, setKnown] = useState<LetterRun | null>(null)
  useEffect(() => {
    if (runId === null) return undefined
    let isWanted = true
    designer.connection.call('runs.get', { runId }).then(
      ({ run }) => isWanted && setKnown({ runId, status: run.status, hash: run.definitionHash }),
      // A run that isn't there any more, or a line that is cut: nothing is offered that needs it.
      () => isWanted && setKnown(null),
    )
    return () => {
      isWanted = false
    }
    // Whatever changes what can be done about a letter has the letters loaded anew.
    // oxlint-disable-next-line react/exhaustive-effect-dependencies
  }, [designer, letters, runId])
  return known !== null && known.runId === runId ? known : null
}
