/**
 * Judging a result: the first rule that fits decides. What only its content can tell is left to a look inside,
 * unless a later rule that holds the result back would count if the content says no.
 */

import type { JsonValue } from '../../model/json.ts'
import type { OutputFinding } from '../../model/output/output-check.ts'
import type { OutputDecision, OutputSeverity } from '../../model/output/output-policy.ts'
import type { CompiledPolicy, CompiledRule, OutputMeta } from './compiled-policy.ts'
import { findingsOf } from './findings.ts'
import type { FlatText } from './flat-text.ts'
import { flatText } from './flat-text.ts'
import { redacted } from './redact.ts'
import type { Hit } from './scanners.ts'
import { matchesOf, placesOf, scan } from './scanners.ts'

/** What the metadata alone say. */
export type MetaVerdict =
  /** Nothing can hold it back. */
  | { readonly kind: 'allowed' }
  /** It is handed on, and looked into afterwards. */
  | { readonly kind: 'scan-later' }
  /** Only a look inside can decide, and it may not be handed on before. */
  | { readonly kind: 'scan-now' }
  | { readonly kind: 'held'; readonly rule: CompiledRule }

/** What a look inside says. */
export interface ContentVerdict {
  readonly decision: OutputDecision
  /** The id of the rule; null where none fits, or the content was cut off. */
  readonly rule: string | null
  readonly severity: OutputSeverity
  readonly reason: string
  readonly findings: readonly OutputFinding[]
  /** The copy without what was found; null unless the decision is to redact. */
  readonly redacted: { readonly value: JsonValue } | null
}

const holdsBack = (decision: OutputDecision): boolean => decision === 'quarantine' || decision === 'deny'

/** Judges by the metadata. */
export function judgeMeta(policy: CompiledPolicy, meta: OutputMeta): MetaVerdict {
  let unsure = false
  for (const rule of policy.rules) {
    if (!rule.fits(meta)) continue
    if (rule.looksInside) {
      unsure = true
      continue
    }
    const { decision } = rule.rule
    if (decision === 'allow') return unsure ? { kind: 'scan-later' } : { kind: 'allowed' }
    // A redacted copy needs to know what to take out.
    return unsure || decision === 'redact' ? { kind: 'scan-now' } : { kind: 'held', rule }
  }
  return unsure ? { kind: 'scan-later' } : { kind: 'allowed' }
}

/** Judges with a look inside. */
export function judgeContent(policy: CompiledPolicy, meta: OutputMeta, value: JsonValue): ContentVerdict {
  const flat = flatText(value)
  const search = createSearch(policy, flat)
  for (const rule of policy.rules) {
    if (!rule.fits(meta)) continue
    const hits = search(rule)
    if (hits === null) continue
    return cutOff(policy, meta, flat) && !holdsBack(rule.rule.decision)
      ? cutOffVerdict(flat, hits)
      : verdictOf(rule, { value, flat, hits })
  }
  return cutOff(policy, meta, flat) ? cutOffVerdict(flat, []) : allowed
}

/** Nothing holds it back. */
export const allowed: ContentVerdict = {
  decision: 'allow',
  rule: null,
  severity: 'low',
  reason: '',
  findings: [],
  redacted: null,
}

function verdictOf(
  { rule }: CompiledRule,
  found: { readonly value: JsonValue; readonly flat: FlatText; readonly hits: readonly Hit[] },
): ContentVerdict {
  const { value, flat, hits } = found
  const { id, decision, severity, reason, description } = rule
  return {
    decision,
    rule: id,
    severity,
    reason: reason === '' ? description : reason,
    findings: decision === 'allow' ? [] : findingsOf(flat, hits),
    redacted: decision === 'redact' ? { value: redacted(value, flat, hits) } : null,
  }
}

/** What a rule finds; null when it doesn't fit, an empty list when it needn't look. */
type Search = (rule: CompiledRule) => readonly Hit[] | null

/** Each scanner looks once, however many rules ask it. */
function createSearch(policy: CompiledPolicy, flat: FlatText): Search {
  const byScanner = new Map<string, readonly Hit[]>()
  let lower: string | null = null
  const scanned = (name: string): readonly Hit[] => {
    const known = byScanner.get(name)
    if (known !== undefined) return known
    const hits = scan(policy.scanners, name, flat.text)
    byScanner.set(name, hits)
    return hits
  }
  return ({ rule, patterns }) => {
    const { match, severity } = rule
    const all: Hit[] = []
    const take = (hits: readonly Hit[]): boolean => {
      all.push(...hits)
      return hits.length > 0
    }
    const own = { severity, confidence: 1 }
    if (match.scanners.length > 0 && !take(match.scanners.flatMap(scanned))) return null
    if (patterns.length > 0) {
      const hits = patterns.flatMap((expression) =>
        matchesOf(flat.text, { expression }).map((at): Hit => {
          return { ...own, ...at, scanner: 'pattern', type: 'pattern', detail: expression.source }
        }),
      )
      if (!take(hits)) return null
    }
    if (match.keywords.length > 0) {
      lower ??= flat.text.toLowerCase()
      const text = lower
      const hits = match.keywords.flatMap((word) =>
        placesOf(text, word).map((at): Hit => {
          return { ...own, ...at, scanner: 'keyword', type: 'keyword', detail: word }
        }),
      )
      if (!take(hits)) return null
    }
    return all
  }
}

/** What these find must not hide behind the end of what was looked at. */
const sensitive: ReadonlySet<string> = new Set(['secret', 'pii', 'injection', 'prompt_injection'])

/** Whether content was cut off that a rule about sensitive things applies to. */
const cutOff = (policy: CompiledPolicy, meta: OutputMeta, flat: FlatText): boolean =>
  flat.truncated &&
  policy.rules.some(({ rule, fits }) => rule.match.scanners.some((name) => sensitive.has(name)) && fits(meta))

function cutOffVerdict(flat: FlatText, hits: readonly Hit[]): ContentVerdict {
  const reason = 'The result is too long to be looked at whole.'
  const finding: OutputFinding = {
    scanner: 'size',
    type: 'content_truncated',
    severity: 'high',
    detail: reason,
    confidence: 1,
    snippet: '',
    place: '$',
    offset: flat.text.length,
    length: 0,
  }
  return {
    decision: 'quarantine',
    rule: null,
    severity: 'high',
    reason,
    findings: [...findingsOf(flat, hits), finding],
    redacted: null,
  }
}
