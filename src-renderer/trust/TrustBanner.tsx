/** Looks whether a step in line waits because nobody trusts its version. */

import type { DefinitionHash } from '../../src-engine/model/ids.ts'
import type { InvocationRecord } from '../../src-engine/model/invocation.ts'
import type { InvocationStatus } from '../../src-engine/model/invocation-status.ts'
import { useRuns } from '../state/context.ts'
import { useLiveAnswer } from '../ui/use-live-answer.ts'
import { TrustNotice } from './TrustNotice.tsx'

const inLine: ReadonlySet<InvocationStatus> = new Set(['REGISTERED', 'REROUTED', 'RETRY'])

/** Nothing while every step that is in line could be had by somebody. */
export function TrustBanner() {
  const hash = useRuns(({ current }) => current?.live.replay.run?.definitionHash ?? null)
  const first = useRuns(({ current }) => firstInLine(current?.live.replay.invocations.values() ?? []))
  return hash === null || first === null ? null : <Asked key={first.id} hash={hash} first={first} />
}

interface AskedProps {
  readonly hash: DefinitionHash
  readonly first: InvocationRecord
}

function Asked({ hash, first: { runId, nodeId, id } }: AskedProps) {
  const { answer } = useLiveAnswer('runs.why', { runId, nodeId })
  const reason = answer?.waiting.find((one) => one.invocationId === id)
  return reason?.code === 'not_trusted' ? <TrustNotice hash={hash} /> : null
}

/** The one that stands there longest: what is true of it is true of the version. */
function firstInLine(records: Iterable<InvocationRecord>): InvocationRecord | null {
  for (const record of records) if (inLine.has(record.status)) return record
  return null
}
