/** A rule as its form writes it, and back: lists by label are lines of text there. Pure. */

import type { JsonObject, JsonValue } from '../../../../src-engine/model/json.ts'
import { isJsonObject } from '../../../../src-engine/model/json.ts'
import type { PolicyRule } from '../../../../src-engine/model/policy/policy.ts'
import { forDecision } from './policy-edits.ts'

/** Between the values of a label. */
const between = ', '

/** What the form of a rule shows. */
export function formOfRule(rule: PolicyRule): JsonObject {
  // A rule is JSON data.
  const value = rule as unknown as JsonObject
  const { match } = value
  if (!isJsonObject(match)) return value
  const labelled = changed(changed(match, 'labelAllowlist', listText), 'labelThreshold', String)
  const { secretsPresent } = match
  if (typeof secretsPresent !== 'boolean') return { ...value, match: labelled }
  return { ...value, match: { ...labelled, secretsPresent: secretsPresent ? 'yes' : 'no' } }
}

/** The rule that a form says; what it says wrongly stays in it, to be told with its place. */
export function ruleOfForm(form: JsonObject): PolicyRule {
  const filled = withoutEmpty(form)
  const { match } = filled
  const rule = isJsonObject(match) ? { ...filled, match: matchOf(match) } : filled
  // The form keeps each field to the type that a rule has for it, and the name is never left out.
  return forDecision({ id: '', ...rule } as unknown as PolicyRule)
}

function matchOf(form: JsonObject): JsonObject {
  const match = changed(changed(form, 'labelAllowlist', listOf), 'labelThreshold', numberOf)
  const { secretsPresent } = match
  return typeof secretsPresent === 'string' ? { ...match, secretsPresent: secretsPresent === 'yes' } : match
}

const listText = (value: JsonValue): JsonValue => (Array.isArray(value) ? value.join(between) : value)
const listOf = (value: JsonValue): JsonValue => (typeof value === 'string' ? value.split(between) : value)

/** Half a number is still a text: whoever writes it goes on. */
const numberOf = (value: JsonValue): JsonValue =>
  typeof value === 'string' && String(Number(value)) === value ? Number(value) : value

function changed(match: JsonObject, key: string, change: (value: JsonValue) => JsonValue): JsonObject {
  const labels = match[key]
  if (!isJsonObject(labels)) return match
  const entries = Object.entries(labels).map(([name, value]) => [name, change(value)] as const)
  return { ...match, [key]: Object.fromEntries(entries) }
}

/** What was emptied is not said at all: an empty list would be a fault, and means nothing. */
function withoutEmpty(value: JsonObject): JsonObject {
  const kept = Object.entries(value).flatMap(([key, member]): [string, JsonValue][] => {
    const inner = isJsonObject(member) ? withoutEmpty(member) : member
    const isEmpty =
      inner === '' ||
      (Array.isArray(inner) && inner.length === 0 && key !== 'hosts') ||
      (isJsonObject(inner) && Object.keys(inner).length === 0)
    return isEmpty ? [] : [[key, inner]]
  })
  return Object.fromEntries(kept)
}
