/**
 * Judges what an attempt gave before anybody else sees it. Mostly the metadata decide at once; where only a look
 * inside can, and a later rule would hold the result back, that look comes first.
 */

import type { CompiledRule, OutputMeta } from '../../core/output/compiled-policy.ts'
import type { ContentVerdict, MetaVerdict } from '../../core/output/judge.ts'
import { judgeMeta } from '../../core/output/judge.ts'
import type { NeedsScan } from '../../core/output/scan-effects.ts'
import { recordOfThrown } from '../../model/errors.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import type { JsonValue } from '../../model/json.ts'
import type { OutputCheck, OutputPhase } from '../../model/output/output-check.ts'
import type { Payload } from '../../model/payload.ts'
import { inlinePayload } from '../../model/payload.ts'
import type { Clock, Logger } from '../../model/ports.ts'
import type { RunRecord } from '../../model/run.ts'
import type { EngineSettings } from '../../model/settings/engine-settings.ts'
import type { PayloadStore } from '../payload-store.ts'
import { outputMetaOf, payloadBytes, stepMetaOf } from './output-meta.ts'
import type { ActivePolicy, PolicyBook } from './policy-book.ts'
import type { OutputScanner } from './scan-message.ts'

/** What is judged: a result, and the step that gave it. */
export interface Judged {
  readonly run: RunRecord
  readonly record: InvocationRecord
  readonly value: JsonValue
  /** The result where it is kept. */
  readonly output: Payload
}

export type Judgement =
  | { readonly kind: 'passes' }
  | { readonly kind: 'withheld'; readonly check: OutputCheck }
  | { readonly kind: 'redacted'; readonly check: OutputCheck; readonly value: JsonValue }

/** Judges by metadata; the product's own is at hand at once, another may take its time. */
export type MetaCheck = (policy: ActivePolicy, meta: OutputMeta) => MetaVerdict | Promise<MetaVerdict>

export interface OutputJudge {
  /** Whether anybody judges results now: null checks first. */
  readonly isOn: () => boolean
  readonly judge: (judged: Judged) => Promise<Judgement>
  /** Which results are looked into once they are handed on; null while nobody judges. */
  readonly needsScan: () => NeedsScan | null
}

export interface OutputJudgeParts {
  readonly book: PolicyBook
  readonly scanner: OutputScanner
  readonly payloads: PayloadStore
  readonly clock: Clock
  readonly log: Logger
  readonly settings: Pick<EngineSettings, 'outputPolicyFailMode' | 'outputMetaTimeoutMs'>
  /** The rules alone when absent. */
  readonly metaCheck?: MetaCheck
}

const byRules: MetaCheck = ({ compiled }, meta) => judgeMeta(compiled, meta)

export function createOutputJudge(parts: OutputJudgeParts): OutputJudge {
  let known: { readonly policy: ActivePolicy; readonly needs: NeedsScan } | null = null
  return {
    isOn: () => parts.book.active() !== null,
    judge: (judged) => judge(parts, judged),
    needsScan: () => {
      const policy = parts.book.active()
      if (policy === null) return null
      if (known?.policy !== policy) known = { policy, needs: needsScanOf(policy) }
      return known.needs
    },
  }
}

async function judge(parts: OutputJudgeParts, judged: Judged): Promise<Judgement> {
  const policy = parts.book.active()
  // Undone work gives nothing that anybody sees.
  if (policy === null || judged.record.role !== 'forward') return { kind: 'passes' }
  const { clock, log } = parts
  const begunAt = clock.monotonic()
  const made = await judgeSafely(parts, policy, judged)
  const { kind } = made
  const decision = kind === 'passes' ? 'allow' : made.check.decision
  log.debug('output.checked', { phase: 'metadata', decision, ms: clock.monotonic() - begunAt })
  if (kind !== 'passes') {
    const { id: invocationId, runId } = judged.record
    log.warn(kind === 'withheld' ? 'output.quarantined' : 'output.redacted', {
      runId,
      invocationId,
      rule: made.check.rule,
      phase: 'metadata',
      decision,
    })
  }
  return made
}

async function judgeSafely(
  parts: OutputJudgeParts,
  policy: ActivePolicy,
  judged: Judged,
): Promise<Judgement> {
  const { run, record, value, output } = judged
  const meta = outputMetaOf(stepMetaOf(run, record), value, payloadBytes(output))
  try {
    const verdict = await metaVerdict(parts, policy, meta)
    if (verdict.kind === 'held') {
      const check = heldByRule(verdict.rule)
      return withheld(parts, { policy, judged }, check)
    }
    if (verdict.kind !== 'scan-now') return { kind: 'passes' }
    const json = JSON.stringify(value)
    const found = await parts.scanner.scan({ policy: policy.policy, hash: policy.compiled.hash, meta, json })
    return await judgementOf(parts, { policy, judged }, found)
  } catch (thrown) {
    const error = recordOfThrown(thrown).message
    const { outputPolicyFailMode: mode } = parts.settings
    parts.log.warn('output.check-failed', { phase: 'metadata', mode, error, invocationId: record.id })
    if (mode === 'open') return { kind: 'passes' }
    return withheld(parts, { policy, judged }, failedCheck(error))
  }
}

/** Tried once more where it took too long, and only then. */
async function metaVerdict(
  { metaCheck = byRules, clock, settings, log }: OutputJudgeParts,
  policy: ActivePolicy,
  meta: OutputMeta,
): Promise<MetaVerdict> {
  for (let tries = 1; ; tries += 1) {
    const asked = metaCheck(policy, meta)
    if (!(asked instanceof Promise)) return asked
    const verdict = await within(clock, settings.outputMetaTimeoutMs, asked)
    if (verdict !== 'late') return verdict
    log.warn('output.check-late', { tries })
    if (tries === 2) throw new Error(`It took longer than ${settings.outputMetaTimeoutMs} ms, twice.`)
  }
}

function within<Value>(clock: Clock, ms: number, asked: Promise<Value>): Promise<Value | 'late'> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(ms, () => resolve('late'))
    asked.then(resolve, reject).finally(cancel)
  })
}

/** What of a check depends on who decided. */
export type Ruling = Pick<OutputCheck, 'decision' | 'rule' | 'severity' | 'reason'>

const heldByRule = ({ rule }: CompiledRule): Ruling => ({
  decision: rule.decision === 'deny' ? 'deny' : 'quarantine',
  rule: rule.id,
  severity: rule.severity,
  reason: rule.reason === '' ? rule.description : rule.reason,
})

/** The ruling of a check that could not be made, where that holds results back. */
export const failedCheck = (error: string): Ruling => ({
  decision: 'quarantine',
  rule: null,
  severity: 'high',
  reason: `It could not be checked: ${error}`,
})

/** A check as it is kept. */
export async function checkOf(
  { payloads, clock }: Pick<OutputJudgeParts, 'payloads' | 'clock'>,
  made: { readonly phase: OutputPhase; readonly policy: string; readonly held: Payload | null },
  ruling: Ruling & Partial<Pick<ContentVerdict, 'findings'>>,
): Promise<OutputCheck> {
  const { decision, rule, severity, reason, findings = [] } = ruling
  const json = JSON.stringify(findings)
  return {
    phase: made.phase,
    decision,
    rule,
    severity,
    reason,
    policy: made.policy,
    at: clock.now(),
    standing: made.held === null ? 'redacted' : 'held',
    findings: findings.length === 0 ? null : (inlinePayload(json) ?? (await payloads.keep(json))),
    held: made.held,
    input: null,
    ports: null,
    dependents: [],
    dependentsCount: 0,
    with: null,
    decided: null,
  }
}

interface Case {
  readonly policy: ActivePolicy
  readonly judged: Judged
}

async function withheld(
  parts: OutputJudgeParts,
  { policy, judged }: Case,
  ruling: Ruling & Partial<Pick<ContentVerdict, 'findings'>>,
): Promise<Judgement> {
  const made = { phase: 'metadata', policy: policy.compiled.hash, held: judged.output } as const
  return { kind: 'withheld', check: await checkOf(parts, made, ruling) }
}

async function judgementOf(parts: OutputJudgeParts, given: Case, found: ContentVerdict): Promise<Judgement> {
  const { decision, redacted } = found
  if (decision === 'allow') return { kind: 'passes' }
  const ruling = { ...found, decision }
  // Without a copy there is nothing that could be handed on.
  if (decision !== 'redact' || redacted === null) return withheld(parts, given, ruling)
  const made = { phase: 'metadata', policy: given.policy.compiled.hash, held: null } as const
  return { kind: 'redacted', check: await checkOf(parts, made, ruling), value: redacted.value }
}

/** Careful: what the record doesn't tell may be so. Results that no attempt gave were never judged before. */
const needsScanOf =
  ({ compiled }: ActivePolicy): NeedsScan =>
  (run, record, wasJudged) => {
    const step = stepMetaOf(run, record)
    return compiled.rules.some((rule) => (rule.looksInside || !wasJudged) && rule.mayFit(step))
  }
