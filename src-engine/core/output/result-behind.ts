/** What a step was given and gave, for what undoes it: also where others don't see it. */

import type { InvocationRecord } from '../../model/invocation.ts'
import type { Payload } from '../../model/payload.ts'

/** Null for what there never was, or what was thrown away. */
export function resultBehind({ input, output, dispatch }: InvocationRecord): {
  readonly input: Payload | null
  readonly output: Payload | null
} {
  const check = dispatch?.check ?? null
  return { input: input ?? check?.input ?? null, output: output ?? check?.held ?? null }
}
