/** Search over trigger kinds. Pure. */

import type { TriggerSpec } from '../../../src-engine/model/trigger-spec.ts'
import { triggerSpecs } from '../../../src-engine/triggers/specs.ts'

const kinds: readonly TriggerSpec[] = Object.values(triggerSpecs)

/** The kinds whose words hold every word of the search; all of them for an empty one. */
export function foundTriggers(query: string): readonly TriggerSpec[] {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  return kinds.filter(({ kind, title, description }) => {
    const text = `trigger ${kind} ${title} ${description}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
}
