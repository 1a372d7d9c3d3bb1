/** Which version a copy is looked at on, and from which step: as its dialogs let people choose. */

import { useState } from 'react'
import type { NodeId } from '../../src-engine/model/ids.ts'
import type { PulledRun } from '../../src-engine/model/pulled-run.ts'
import { useDesigner } from '../state/context.ts'
import type { Choice } from '../state/teleport.ts'
import { isOpenHere } from '../state/teleport.ts'

export interface ChoiceState {
  readonly choice: Choice
  /** Whether the open document is a version of the same workflow. */
  readonly mayChoose: boolean
  /** Steps are those of a version: another one begins without one. */
  readonly chooseVersion: (version: Choice['version']) => void
  readonly chooseStep: (nodeId: NodeId | null) => void
}

export function useChoice(run: PulledRun): ChoiceState {
  const mayChoose = isOpenHere(useDesigner(), run)
  const [choice, setChoice] = useState<Choice>({ version: mayChoose ? 'open' : 'same', nodeId: null })
  return {
    choice,
    mayChoose,
    chooseVersion: (version) => setChoice({ version, nodeId: null }),
    chooseStep: (nodeId) => setChoice({ ...choice, nodeId }),
  }
}
