/** The version and the step, as both are chosen in each dialog about a copy. */

import { StepSelect } from './StepSelect.tsx'
import type { ChoiceState } from './use-choice.ts'
import { VersionSelect } from './VersionSelect.tsx'

export function ChoiceFields({
  state: { choice, mayChoose, chooseVersion, chooseStep },
  otherwise,
}: {
  readonly state: ChoiceState
  /** What no choice of a step means. */
  readonly otherwise: string
}) {
  return (
    <>
      <VersionSelect value={choice.version} mayChoose={mayChoose} onChange={chooseVersion} />
      <StepSelect choice={choice} otherwise={otherwise} onChange={chooseStep} />
    </>
  )
}
