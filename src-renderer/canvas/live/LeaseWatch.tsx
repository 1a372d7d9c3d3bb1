/** Asks how long the claims of the shown run still last, while there are any and somebody looks at now. */

import { useEffect } from 'react'
import type { InvocationId } from '../../../src-engine/model/ids.ts'
import { invocationId } from '../../../src-engine/model/ids.ts'
import { leasesAskedMax } from '../../../src-engine/model/limits.ts'
import { RunLine } from '../../clusters/RunLine.tsx'
import { useDesigner, useRuns } from '../../state/context.ts'
import type { OpenRun } from '../../state/runs-store.ts'
import { shownUntil } from '../../state/runs-store.ts'
import { useLiveAnswer } from '../../ui/use-live-answer.ts'

export function LeaseWatch() {
  // As one text, so that an event that moves none of them draws nothing again.
  const ids = useRuns(({ current }) => (current === null ? '' : ownedIn(current)))
  if (ids === '') return null
  return (
    <RunLine>
      <Asking ids={ids.split('\n').map(invocationId)} />
    </RunLine>
  )
}

function Asking({ ids }: { readonly ids: readonly InvocationId[] }) {
  const designer = useDesigner()
  const { answer } = useLiveAnswer('runs.leases', { invocationIds: ids })
  useEffect(() => {
    if (answer !== null) designer.leases.getState().setLeases(answer.leases, designer.ambient.now())
  }, [designer, answer])
  useEffect(() => () => designer.leases.getState().setLeases([], 0), [designer])
  return null
}

function ownedIn(current: OpenRun): string {
  if (shownUntil(current) !== Number.POSITIVE_INFINITY || current.pulled !== null) return ''
  const owned: string[] = []
  for (const { invocation } of current.live.nodes.values()) {
    if (invocation !== null && invocation.lease !== null) owned.push(invocation.id)
    if (owned.length === leasesAskedMax) break
  }
  return owned.join('\n')
}
