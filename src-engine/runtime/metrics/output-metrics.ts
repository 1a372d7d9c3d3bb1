/** What is counted of results that the output policy judges: Cordum's output set under our prefix. */

import type { JsonObject } from '../../model/json.ts'
import type { Counter, Histogram, PerLabel, Registry } from './registry.ts'

export interface OutputMetrics {
  /** By phase, as most of them. */
  readonly outputChecked: PerLabel<Counter>
  readonly outputEvaluations: PerLabel<Counter>
  readonly outputQuarantined: PerLabel<Counter>
  readonly outputFailOpen: PerLabel<Counter>
  readonly outputSkipped: Counter
  readonly outputScansLate: Counter
  readonly outputDenials: Counter
  readonly outputRedactions: Counter
  readonly outputCheckLatency: Histogram
  readonly outputEvalDuration: Histogram
  readonly outputPolicyRejected: Counter
  readonly outputUnknownScanner: Counter
}

/** Seconds: from what rules take to what a scan may. */
const bounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30]

/** All at zero. */
export function outputMetrics({ counter, counterBy, histogram }: Registry, prefix: string): OutputMetrics {
  const byPhase = (name: string, help: string) =>
    counterBy({ name: `${prefix}${name}`, help, label: 'phase' })
  const one = (name: string, help: string) => counter({ name: `${prefix}${name}`, help })
  return {
    outputChecked: byPhase('output_policy_checked_total', 'Results that were judged.'),
    outputEvaluations: counterBy({
      name: `${prefix}output_evaluations_total`,
      help: 'Results that were judged, by what was decided.',
      label: 'decision',
    }),
    outputQuarantined: byPhase('output_policy_quarantined_total', 'Results that were held back.'),
    outputFailOpen: byPhase(
      'output_fail_open_total',
      'Results that were handed on because they could not be judged.',
    ),
    outputSkipped: one('output_policy_skipped_total', 'Results that nobody had to look into any more.'),
    outputScansLate: one('output_policy_async_timeout_total', 'Scans that took too long.'),
    outputDenials: one('output_denials_total', 'Results that a rule denied.'),
    outputRedactions: one('output_redactions_total', 'Results that something was taken out of.'),
    outputCheckLatency: histogram({
      name: `${prefix}output_check_latency_seconds`,
      help: 'How long it took to judge a result before it was handed on.',
      bounds,
    }),
    outputEvalDuration: histogram({
      name: `${prefix}output_eval_duration_seconds`,
      help: 'How long it took to look into a result that was handed on.',
      bounds,
    }),
    outputPolicyRejected: one(
      'output_regex_rejected_total',
      'Mistakes of output policies, such as patterns that could take for ever.',
    ),
    outputUnknownScanner: one(
      'output_unknown_scanner_total',
      'Rules of output policies that name a scanner that there is not.',
    ),
  }
}

/** What entries of the log count as, by their name. */
export function outputCounts(
  metrics: OutputMetrics,
): readonly (readonly [string, (fields: JsonObject) => void])[] {
  const phaseOf = ({ phase }: JsonObject): string => (phase === 'content' ? 'content' : 'metadata')
  const failed = (fields: JsonObject): void => {
    if (fields['mode'] === 'open') metrics.outputFailOpen(phaseOf(fields)).add()
  }
  return [
    [
      'output.checked',
      (fields) => {
        const phase = phaseOf(fields)
        metrics.outputChecked(phase).add()
        const { decision } = fields
        metrics.outputEvaluations(typeof decision === 'string' ? decision : 'allow').add()
        const latency = phase === 'content' ? metrics.outputEvalDuration : metrics.outputCheckLatency
        latency.observe(Number(fields['ms'] ?? 0) / 1_000)
      },
    ],
    [
      'output.quarantined',
      (fields) => {
        metrics.outputQuarantined(phaseOf(fields)).add()
        if (fields['decision'] === 'deny') metrics.outputDenials.add()
      },
    ],
    ['output.redacted', () => metrics.outputRedactions.add()],
    ['output.skipped', () => metrics.outputSkipped.add()],
    ['output.check-failed', failed],
    [
      'output.scan-late',
      (fields) => {
        metrics.outputScansLate.add()
        failed(fields)
      },
    ],
    ['output-policy.invalid', () => metrics.outputPolicyRejected.add()],
    ['output-policy.unknown-scanner', () => metrics.outputUnknownScanner.add()],
  ]
}
