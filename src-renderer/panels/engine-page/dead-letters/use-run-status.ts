/** How the run of a dead letter is by now: whether it can go on depends on it. */

import { useEffect, useState } from 'react'
import type { RunId } from '../../../../src-engine/model/ids.ts'
import type { RunStatus } from '../../../../src-engine/model/run-status.ts'
import { useDesigner, useLetters } from '../../../state/context.ts'

/** Null while nobody knows; asked for anew whenever the letters are. */
export function useRunStatus(runId: RunId | null): RunStatus | null {
  const designer = useDesigner()
  const letters = useLetters((state) => state.letters)
  const [known, setKnown] = useState<{ readonly runId: RunId; readonly status: RunStatus } | null>(null)
  useEffect(() => {
    if (runId === null) return undefined
    let isWanted = true
    designer.connection.call('runs.get', { runId }).then(
      ({ run }) => isWanted && setKnown({ runId, status: run.status }),
      // A run that isn't there any more, or a line that is cut: nothing is offered that needs it.
      () => isWanted && setKnown(null),
    )
    return () => {
      isWanted = false
    }
    // Whatever changes what can be done about a letter has the letters loaded anew.
    // oxlint-disable-next-line react/exhaustive-effect-dependencies
  }, [designer, letters, runId])
  return known !== null && known.runId === runId ? known.status : null
}
