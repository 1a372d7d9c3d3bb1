/**
 * What the first demand gave, for a run that waited for it: a value that is not to stay goes with the run that made it, so each
 * other run gets one of its own, kept no longer.
 */

import { recordOfThrown } from '../../model/errors.ts'
import type { RunId } from '../../model/ids.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import { isFleeting } from '../../model/payload.ts'
import { keptLike } from '../kept-output.ts'
import type { PayloadStore } from '../payload-store.ts'

/** The first one as that run may take it over; null where what it gave has gone. */
export async function copyFor(
  payloads: PayloadStore,
  runId: RunId,
  first: InvocationRecord | null,
): Promise<InvocationRecord | null> {
  const output = first?.output ?? null
  if (first === null || first.runId === runId || output === null || !isFleeting(output)) return first
  try {
    return { ...first, output: await keptLike(payloads, output, await payloads.value(output)) }
  } catch (thrown) {
    if (recordOfThrown(thrown).code === 'output_not_kept') return null
    throw thrown
  }
}
