/**
 * What is risky about a step, found out from the step itself: what its author writes can add to it, and never
 * take away.
 */

import type { TaskSpec } from '../task-spec.ts'
import type { SideEffectClass } from '../workflow.ts'

/** Tags of a node that name a risk of their own: `risk:money` is the risk tag `money`. */
const declaredPrefix = 'risk:'

/** What of a node its risks depend on. */
export interface RiskyNode {
  readonly spec: TaskSpec | undefined
  readonly sideEffect: SideEffectClass
  readonly tags: readonly string[]
  /** Names of the secrets that it is given. */
  readonly secrets: readonly string[]
}

/**
 * `network` and `code` by the kind's category, `files` for what changes files, `unsafe` for what must not happen
 * twice, `secrets` for what is given any, `unknown` for a kind that nobody knows here, and those that are
 * declared.
 */
export function riskTagsOf({ spec, sideEffect, tags, secrets }: RiskyNode): readonly string[] {
  const found: string[] = []
  if (spec === undefined) found.push('unknown')
  else if (spec.category === 'network' || spec.category === 'code') found.push(spec.category)
  else if (spec.category === 'files' && sideEffect !== 'pure') found.push('files')
  if (sideEffect === 'unsafe') found.push('unsafe')
  if (secrets.length > 0) found.push('secrets')
  for (const tag of tags) {
    if (tag.startsWith(declaredPrefix) && tag.length > declaredPrefix.length)
      found.push(tag.slice(declaredPrefix.length))
  }
  return found
}
