/** What `doctor --cluster` says about sealed values: whether there are any, and whether this machine reads them. */

import type { RunnerRecord } from '../../model/runner.ts'
import { sealCapability } from '../../model/seal.ts'
import type { SealParts } from '../../runtime/sealing/seal-changes.ts'
import { sealView } from '../../runtime/sealing/seal-changes.ts'
import type { Finding } from './doctor-finding.ts'

/** Nothing where nothing is sealed. */
export async function sealFindings(
  parts: Pick<SealParts, 'store' | 'keys'>,
  living: readonly RunnerRecord[],
): Promise<readonly Finding[]> {
  const { key, problem } = await sealView(parts)
  if (key === null) return []
  const without = living.filter(({ capabilities }) => !capabilities.includes(sealCapability(key))).length
  const here = problem === null ? 'this machine has it' : problem.message
  const message = `values are sealed with ${key}: ${here}; ${without} of ${living.length} runners don’t have it`
  if (problem !== null) return [{ check: 'sealing', verdict: 'warn', message, hint: problem.hint }]
  const hint = 'Export the keys here, import them there: `sagasmith seal export FILE`, `seal import FILE`.'
  return [
    { check: 'sealing', verdict: without === 0 ? 'ok' : 'warn', message, hint: without === 0 ? null : hint },
  ]
}
