/**
 * Looks into results once they are handed on. The demand is an effect of the checkpoint that handed them on: it
 * survives a crash, any process meets it, and meeting it twice changes nothing.
 */

import type { Decision, DecisionContext } from '../../core/draft.ts'
import { isDecided, quarantineLate, redactLate } from '../../core/output/hold-back.ts'
import type { ContentVerdict } from '../../core/output/judge.ts'
import type { RunState } from '../../core/run-state.ts'
import type { DeadLetter } from '../../model/checkpoint.ts'
import { noWrites } from '../../model/checkpoint.ts'
import { recordOfThrown, SagasmithError } from '../../model/errors.ts'
import type { InvocationId, RunId } from '../../model/ids.ts'
import { opId } from '../../model/ids.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import type { JsonValue } from '../../model/json.ts'
import type { OutputCheck } from '../../model/output/output-check.ts'
import type { Payload } from '../../model/payload.ts'
import type { RunRecord } from '../../model/run.ts'
import type { Millis } from '../../model/time.ts'
import { keptLike } from '../kept-output.ts'
import type { PayloadStore } from '../payload-store.ts'
import { partitionOfRun } from '../run-place.ts'
import type { Runner, RunnerDependencies } from '../runner.ts'
import { markLate } from './late-mark.ts'
import type { Ruling } from './output-judge.ts'
import { checkOf, failedCheck } from './output-judge.ts'
import { outputMetaOf, payloadBytes, stepMetaOf } from './output-meta.ts'
import type { ActivePolicy, PolicyBook } from './policy-book.ts'
import type { OutputScanner } from './scan-message.ts'

export interface OutputScans {
  /** Meets the demand; throws where somebody has to try again. */
  readonly scan: (demand: { readonly runId: RunId; readonly invocationId: InvocationId }) => Promise<void>
  /** Ends what is under way: others meet these demands. */
  readonly stop: () => Promise<void>
}

export interface OutputScansParts {
  readonly dependencies: RunnerDependencies
  readonly runner: Runner
  readonly payloads: PayloadStore
  readonly book: PolicyBook
  readonly scanner: OutputScanner
}

/** A result that isn't where it should be may still be on its way there. */
const missingPauseMs: Millis = 100
const missingTriesMax = 6
/** Pauses after a result could not be held back; then a person has to. */
const holdPausesMs: readonly Millis[] = [1_000, 2_000]

export function createOutputScans(parts: OutputScansParts): OutputScans {
  return {
    scan: ({ runId, invocationId }) => scan(parts, runId, invocationId),
    stop: () => parts.scanner.close(),
  }
}

async function scan(parts: OutputScansParts, runId: RunId, id: InvocationId): Promise<void> {
  const { store, partition, log } = parts.dependencies
  // Whoever demanded it judges results, whatever this process does.
  const policy = parts.book.active() ?? (await parts.book.ready(null))
  const record = policy === null ? null : await store.load(partition, 'invocation', { invocationId: id })
  // Switched off meanwhile, decided about, or pruned with its run.
  if (policy === null || record?.status !== 'SUCCESS' || record.output === null || isDecided(record)) {
    log.debug('output.skipped', { invocationId: id })
    return
  }
  const run = await store.load(partition, 'run', { runId })
  if (run === null) return
  const begunAt = parts.dependencies.clock.monotonic()
  const verdict = await verdictOn(parts, policy, { run, record, output: record.output })
  const { decision } = verdict
  const ms = parts.dependencies.clock.monotonic() - begunAt
  log.debug('output.checked', { phase: 'content', decision, ms })
  if (decision === 'allow') return
  await act(parts, { run, record, policy, verdict })
}

interface Scanned {
  readonly run: RunRecord
  readonly record: InvocationRecord
  readonly output: Payload
}

type Verdict = Ruling & Pick<ContentVerdict, 'findings' | 'redacted'>

/** What the result holds says, or what is to be made of not knowing it. */
async function verdictOn(
  parts: OutputScansParts,
  policy: ActivePolicy,
  { run, record, output }: Scanned,
): Promise<Verdict | { readonly decision: 'allow' }> {
  const { settings, log } = parts.dependencies
  const json = await contentOf(parts, output)
  if (json === null) return { ...unreadable, findings: [], redacted: null }
  const { scanner } = parts
  try {
    const value = JSON.parse(json) as JsonValue
    const meta = outputMetaOf(stepMetaOf(run, record), value, payloadBytes(output))
    const found = await scanner.scan({ policy: policy.policy, hash: policy.compiled.hash, meta, json })
    const { decision } = found
    return decision === 'allow' ? { decision } : { ...found, decision }
  } catch (thrown) {
    const { code, message: error } = recordOfThrown(thrown)
    // This process ends: another one looks.
    if (code === 'engine_stopped') throw thrown
    const { outputPolicyFailMode: mode } = settings
    const event = code === 'output_scan_too_slow' ? 'output.scan-late' : 'output.check-failed'
    log.warn(event, { phase: 'content', mode, error, invocationId: record.id })
    if (mode === 'open') return { decision: 'allow' }
    return { ...failedCheck(error), findings: [], redacted: null }
  }
}

const unreadable: Ruling = {
  decision: 'quarantine',
  rule: null,
  severity: 'high',
  reason: 'The result is not where it should be: nobody can look into it.',
}

/** Null for one that is gone for good; throws while the store doesn't answer. */
async function contentOf(parts: OutputScansParts, output: Payload): Promise<string | null> {
  const { clock } = parts.dependencies
  for (let tries = 1; ; tries += 1) {
    try {
      return await parts.payloads.json(output)
    } catch (thrown) {
      if (recordOfThrown(thrown).code !== 'blob_missing') throw thrown
      if (tries > missingTriesMax) return null
      await new Promise<void>((resolve) => clock.after(missingPauseMs, resolve))
    }
  }
}

interface Found {
  readonly run: RunRecord
  readonly record: InvocationRecord
  readonly policy: ActivePolicy
  readonly verdict: Verdict
}

/** Up to three tries; then a dead letter has a person do it. */
async function act(parts: OutputScansParts, found: Found): Promise<void> {
  const { clock, log } = parts.dependencies
  const { id: invocationId, runId } = found.record
  for (let tries = 0; ; tries += 1) {
    try {
      await holdBack(parts, found)
      return
    } catch (thrown) {
      const error = recordOfThrown(thrown)
      const pauseMs = holdPausesMs[tries]
      log.warn('output.hold-failed', { runId, invocationId, tries: tries + 1, error: error.message })
      if (error.code === 'store_closed' || error.code === 'engine_stopped') throw thrown
      if (pauseMs === undefined) return writeFailure(parts, found, error.message)
      await new Promise<void>((resolve) => clock.after(pauseMs, resolve))
    }
  }
}

async function holdBack(parts: OutputScansParts, { record, policy, verdict }: Found): Promise<void> {
  const { dependencies, runner, payloads } = parts
  const { book, log } = dependencies
  const { id, runId, output } = record
  const { decision, redacted } = verdict
  const copy =
    decision === 'redact' && redacted !== null && output !== null
      ? await keptLike(payloads, output, redacted.value)
      : null
  const held = copy === null ? output : null
  const check = await checkOf(
    { payloads, clock: dependencies.clock },
    { phase: 'content', policy: policy.compiled.hash, held },
    verdict,
  )
  // Before anything is held back: from then on nobody shows what was told of it.
  await markLate(dependencies)
  dependencies.executor.failpoints('scan.before-commit')
  const made = await book.decide(runId, (state) => {
    const context = runner.context({
      actor: 'scan',
      cause: { kind: 'quarantine', by: check.rule, detail: null },
      opId: opId(`scan:${id}:${state.invocations.get(id)?.version ?? 0}`),
      runId,
      claims: false,
    })
    return decisionOn(state, context, { id, check, copy })
  })
  dependencies.executor.failpoints('scan.after-commit')
  if (made === null) return
  const event = copy === null ? 'output.quarantined' : 'output.redacted'
  log.warn(event, { runId, invocationId: id, rule: check.rule, phase: 'content', decision })
}

function decisionOn(
  state: RunState,
  context: DecisionContext,
  {
    id,
    check,
    copy,
  }: { readonly id: InvocationId; readonly check: OutputCheck; readonly copy: Payload | null },
): Decision | null {
  if (copy === null) return quarantineLate(state, context, { id, check })
  return redactLate(state, context, { id, check, output: copy })
}

/** The result is seen by others though it should not be: somebody has to know. */
async function writeFailure(parts: OutputScansParts, found: Found, error: string): Promise<void> {
  const { store, runnerId, clock, log } = parts.dependencies
  const { run, record, verdict } = found
  const { id, runId, nodeId, status, attempt, input } = record
  const at = clock.now()
  const letter: DeadLetter = {
    id: `${id}:quarantine_failed`,
    runId,
    invocationId: id,
    workflowId: run.workflowId,
    nodeId,
    reason: 'quarantine_failed',
    message: `The result of “${nodeId}” should be held back, but could not be: ${error}`,
    lastStatus: status,
    at,
    attempts: attempt,
    input,
    body: { rule: verdict.rule, decision: verdict.decision, workflowTitle: run.workflowTitle },
  }
  const partition = partitionOfRun(store.info, runId)
  try {
    const [answer] = await store.commit(partition, [
      {
        partition,
        opId: opId(`quarantine-failed:${id}:${at}`),
        actor: { kind: 'scan', id: runnerId },
        at,
        expect: { invocations: [], registers: [] },
        writes: { ...noWrites, deadLetters: [letter] },
        events: [],
      },
    ])
    if (answer?.kind === 'refused') throw new SagasmithError('lost_race')
  } catch (thrown) {
    log.error('dead-letter.failed', { runId, count: 1, error: recordOfThrown(thrown).message })
    throw new SagasmithError('dead_letter_unwritten', { details: { invocationId: id }, cause: thrown })
  }
}
