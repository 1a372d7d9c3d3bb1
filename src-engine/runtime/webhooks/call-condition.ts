/** Whether a condition holds for a web call, which it sees as its input. */

import type { JsonObject } from '../../model/json.ts'
import type { Instant } from '../../model/time.ts'
import type { TaskHost } from '../task-host.ts'

export interface ConditionParts {
  readonly host: Pick<TaskHost, 'resolver' | 'specsByKind'>
  readonly now: Instant
}

/** Throws what evaluating it throws. */
export async function isTrueOf(
  { host, now }: ConditionParts,
  condition: string,
  call: JsonObject,
): Promise<boolean> {
  const spec = host.specsByKind.get('transform')
  if (spec === undefined) return false
  const resolved = await host.resolver.resolveParameters({
    parameters: { expression: condition },
    spec,
    scope: {
      input: () => call,
      nodes: async () => ({}),
      run: () => ({}),
      vars: {},
      now,
      seed: 'call',
    },
  })
  return (resolved as { readonly expression?: unknown }).expression === true
}
