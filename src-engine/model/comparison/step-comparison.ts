/** What two runs made of one step. */

import type { InvocationStatus } from '../invocation-status.ts'
import type { Payload } from '../payload.ts'
import type { Millis } from '../time.ts'
import type { VersionChange } from '../version-changes.ts'

/** What may differ of a step. */
export type StepDifference =
  | 'presence'
  | 'status'
  | 'ways'
  | 'attempts'
  | 'input'
  | 'output'
  | 'error'
  | 'undo'

/** What a step did in one of the runs. */
export interface StepSide {
  readonly status: InvocationStatus | 'SKIPPED'
  /** The ways out that it took; null for all of them, or before its end. */
  readonly ways: readonly string[] | null
  readonly attempts: number
  /** From its first start to its end; null before both are known. */
  readonly tookMs: Millis | null
  readonly input: Payload | null
  readonly output: Payload | null
  readonly errorCode: string | null
  readonly errorMessage: string | null
  readonly undo: InvocationStatus | null
}

export interface StepComparison {
  readonly nodeId: string
  /** The item or turn, as records have it; empty outside of maps and loops. */
  readonly path: string
  readonly title: string
  /** Null in a run that never came to it. */
  readonly before: StepSide | null
  readonly after: StepSide | null
  readonly differences: readonly StepDifference[]
  /** How much longer the later run took; negative when it was faster, null where one of them is unknown. */
  readonly deltaMs: Millis | null
  /** What became of the node from one version to the other; null when it means the same. */
  readonly definition: VersionChange['change'] | null
  /** Whether values couldn't be compared: they are sealed, or weren't read. */
  readonly hasUnread: boolean
}

/** The only run in which the step ran: the other never came to it, or skipped it. Null when both did, or neither. */
export function onlyIn({
  before,
  after,
}: Pick<StepComparison, 'before' | 'after'>): 'before' | 'after' | null {
  const [was, is] = [before, after].map((side) => side !== null && side.status !== 'SKIPPED')
  if (was === is) return null
  return was === true ? 'before' : 'after'
}
