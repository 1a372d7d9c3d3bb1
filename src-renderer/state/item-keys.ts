/** What the items of a map are known by in the run that is shown. */

import type { InvocationId } from '../../src-engine/model/ids.ts'
import { invocationIdOf, nodeId } from '../../src-engine/model/ids.ts'
import type { InvocationRecord } from '../../src-engine/model/invocation.ts'
import { itemKeysOf } from '../../src-engine/model/item-keys.ts'
import type { RunRecord } from '../../src-engine/model/run.ts'

/** What of a shown run this needs. */
interface ShownRecords {
  readonly replay: {
    readonly run: RunRecord | null
    readonly invocations: ReadonlyMap<InvocationId, InvocationRecord>
  }
}

/** Of the map that a scope names (`each`, or `rows:3/each`); null for one without keys. */
export function keysOfScope({ replay }: ShownRecords, scope: string): readonly string[] | null {
  const { run, invocations } = replay
  if (run === null) return null
  const slash = scope.lastIndexOf('/')
  const place = { runId: run.id, nodeId: nodeId(scope.slice(slash + 1)), role: 'forward' } as const
  const path = slash === -1 ? '' : scope.slice(0, slash)
  // The newest that there is: a run that goes on keeps what it needn't do again.
  for (let { generation } = run; generation >= 0; generation -= 1) {
    const record = invocations.get(invocationIdOf({ ...place, generation, path }))
    if (record !== undefined) return itemKeysOf(record)
  }
  return null
}
