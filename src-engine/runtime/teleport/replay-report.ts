/** What a replay says of each step and of the run's end, beside what was recorded. */

import type { CompiledWorkflow } from '../../core/compile.ts'
import type { NodeId, RunId } from '../../model/ids.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import { invocationMachine } from '../../model/invocation-status.ts'
import type { JsonValue } from '../../model/json.ts'
import type { Payload } from '../../model/payload.ts'
import { runMachine } from '../../model/run-status.ts'
import type { ReplayDifference, ReplayedStep, ReplayReport, ReplayVerdict } from '../../protocol/teleport.ts'
import { replayVerdicts } from '../../protocol/teleport.ts'
import type { PayloadStore } from '../payload-store.ts'
import type { Recording } from './recording.ts'
import { stepKey } from './recording.ts'
import type { Answer } from './replay-answers.ts'
import { differenceOf } from './replay-answers.ts'
import type { Replayed } from './replay-run.ts'
import type { Definitions } from './step-definitions.ts'

export interface ReportParts {
  readonly payloads: PayloadStore
  readonly recording: Recording
  readonly definitions: Definitions
  readonly replayed: Replayed
}

export async function reportOf(parts: ReportParts, runId: RunId): Promise<ReplayReport> {
  const { recording, replayed, definitions } = parts
  const steps: ReplayedStep[] = []
  const seen = new Set<string>()
  for (const record of replayed.state.invocations.values()) {
    const key = stepKey(record.nodeId, record.path)
    seen.add(key)
    steps.push(await stepOf(parts, record, key))
  }
  for (const [key, { record }] of recording.steps) {
    if (!seen.has(key)) steps.push(goneStep(parts, record))
  }
  const counts = Object.fromEntries(
    replayVerdicts.map((verdict) => [verdict, steps.filter((step) => step.verdict === verdict).length]),
  ) as ReplayReport['counts']
  const end = await endOf(parts)
  const isSame = steps.every(({ verdict }) => quiet.has(verdict)) && end.differences.length === 0
  return {
    runId,
    recordedHash: definitions.before,
    replayedHash: definitions.after,
    steps,
    counts,
    end,
    isSame,
  }
}

const quiet: ReadonlySet<ReplayVerdict> = new Set(['same', 'kept', 'open'])

async function stepOf(parts: ReportParts, record: InvocationRecord, key: string): Promise<ReplayedStep> {
  const { recording, replayed } = parts
  const was = recording.steps.get(key)?.record
  const answer = replayed.answers.get(key)
  const differences = [...(answer?.differences ?? [])]
  if (was !== undefined) differences.push(...(await resultDifferences(parts, was, record)))
  const verdict = verdictOf(was, record, { answer, differences })
  const isTold = verdict === 'differs' || verdict === 'new' || verdict === 'failed'
  return {
    ...named(replayed.workflow, record),
    verdict,
    source: answer?.source ?? 'computed',
    recorded: was?.status ?? null,
    replayed: record.status,
    differences,
    error: isTold ? (answer?.refusal ?? (answer?.source === 'recorded' ? null : record.error)) : null,
  }
}

function verdictOf(
  was: InvocationRecord | undefined,
  is: InvocationRecord,
  found: { readonly answer: Answer | undefined; readonly differences: readonly ReplayDifference[] },
): ReplayVerdict {
  if (found.answer !== undefined && found.answer.refusal !== null) return 'failed'
  if (was === undefined) return 'new'
  if (!invocationMachine.final.has(was.status) && !invocationMachine.final.has(is.status)) {
    return found.differences.length === 0 ? 'open' : 'differs'
  }
  if (found.differences.length > 0) return 'differs'
  return found.answer?.isKept === true ? 'kept' : 'same'
}

function goneStep({ recording }: ReportParts, record: InvocationRecord): ReplayedStep {
  return {
    ...named(recording.workflow, record),
    verdict: 'gone',
    source: 'none',
    recorded: record.status,
    replayed: null,
    differences: [],
    error: null,
  }
}

function named(
  { document }: CompiledWorkflow,
  { nodeId, path, taskKind: kind }: InvocationRecord,
): Pick<ReplayedStep, 'nodeId' | 'path' | 'title' | 'kind'> {
  const nodes: Readonly<Record<NodeId, { readonly title?: string }>> = document.nodes
  return { nodeId, path, title: nodes[nodeId]?.title ?? nodeId, kind }
}

/** Of a step that hasn't ended on either side, what it waits in doesn't count. */
async function resultDifferences(
  { payloads }: ReportParts,
  was: InvocationRecord,
  is: InvocationRecord,
): Promise<readonly ReplayDifference[]> {
  const { final } = invocationMachine
  if (!final.has(was.status) && !final.has(is.status)) return []
  const found = [differenceOf('status', was.status, is.status)]
  // How a step was stopped says nothing about it.
  if (was.status === is.status && was.status !== 'CANCELLED') {
    found.push(
      await payloadDifference(payloads, was.output, is.output),
      differenceOf('ports', was.ports, is.ports),
      differenceOf('error', was.error?.code ?? null, is.error?.code ?? null),
    )
  }
  return found.filter((difference) => difference !== null)
}

async function payloadDifference(
  payloads: PayloadStore,
  was: Payload | null,
  is: Payload | null,
): Promise<ReplayDifference | null> {
  if (was === is || JSON.stringify(was) === JSON.stringify(is)) return null
  const value = async (payload: Payload | null): Promise<JsonValue | undefined> =>
    payload === null ? undefined : payloads.value(payload)
  return differenceOf('output', await value(was), await value(is))
}

async function endOf({ payloads, recording, replayed }: ReportParts): Promise<ReplayReport['end']> {
  const { run: was } = recording
  const { run: is } = replayed.state
  const isOver = runMachine.final.has(was.status) || runMachine.final.has(is.status)
  const differences = isOver
    ? [
        differenceOf('status', was.status, is.status),
        ...(was.status === is.status
          ? [
              await payloadDifference(payloads, was.output, is.output),
              differenceOf('error', was.error?.code ?? null, is.error?.code ?? null),
            ]
          : []),
      ]
    : []
  return {
    recorded: was.status,
    replayed: is.status,
    differences: differences.filter((difference) => difference !== null),
  }
}
