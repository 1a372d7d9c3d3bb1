/** Settings of the output policy. */

import { minute, second } from '../time.ts'
import { choice, flag, span } from './setting.ts'

/** Whether and how results of steps are judged. */
export const outputSettings = {
  outputPolicyEnabled: flag({
    name: 'output_policy_enabled',
    default: false,
    scope: 'store',
    environmentNames: ['OUTPUT_POLICY_ENABLED'],
    meaning:
      'Whether results of steps are judged by the output policy before others see them; its rules are the workspace’s own.',
  }),
  outputPolicyFailMode: choice({
    name: 'output_policy_fail_mode',
    words: ['open', 'closed'],
    default: 'open',
    scope: 'store',
    environmentNames: ['OUTPUT_POLICY_FAIL_MODE'],
    meaning:
      'What becomes of a result that could not be judged: open hands it on and counts it, closed holds it back.',
  }),
  outputMetaTimeoutMs: span({
    name: 'output_meta_timeout',
    unit: 'ms',
    default: 500,
    min: 10,
    max: minute,
    meaning: 'A judgement before a result is handed on that takes longer is tried once more, then it failed.',
  }),
  outputScanTimeoutMs: span({
    name: 'output_scan_timeout',
    unit: 's',
    default: 30 * second,
    min: 100,
    max: 10 * minute,
    meaning: 'A scan of what is in a result that takes longer has failed.',
  }),
} as const
