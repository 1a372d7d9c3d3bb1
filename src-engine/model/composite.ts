/** Triggers that are made of others of their workflow: which ones they name, and which name one. */

import type { JsonObject } from './json.ts'
import type { WorkflowDocument } from './workflow.ts'

/** The kind of a trigger that has others as its conditions. */
export const compositeKind = 'composite'

/** The keys of the triggers that are its conditions, in their order. */
export function conditionsOf(parameters: JsonObject): readonly string[] {
  const { conditions } = parameters
  return Array.isArray(conditions) ? conditions.filter((id): id is string => typeof id === 'string') : []
}

/** The triggers of a document that a trigger is a condition of, by key. */
export function compositesWith({ triggers = {} }: WorkflowDocument, triggerId: string): readonly string[] {
  return Object.entries(triggers)
    .filter(([id, { kind, parameters }]) => {
      if (kind !== compositeKind || id === triggerId) return false
      return conditionsOf(parameters ?? {}).includes(triggerId)
    })
    .map(([id]) => id)
}
