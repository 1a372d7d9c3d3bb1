/** From text, or from JSON data, to a policy: what is wrong is named with its place. */

import { SagasmithError } from '../errors.ts'
import { fieldPathText } from '../field-hints.ts'
import { issueClause } from '../issue-words.ts'
import type { JsonValue } from '../json.ts'
import { canonicalJson } from '../json.ts'
import { findJsonIntrusion } from '../json-guard.ts'
import { findJsonFault } from '../json-place.ts'
import { nestingMax, registerBytesMax } from '../limits.ts'
import { utf8Bytes } from '../payload.ts'
import type { Result } from '../result.ts'
import { err, ok } from '../result.ts'
import type { PolicyDocument } from './policy.ts'
import { policySchema } from './policy-schema.ts'

/** A policy is kept in a register, beside what is said about it there. */
const policyBytesMax = registerBytesMax - 4_096

/** Faults that are told; a file with more has one cause. */
const faultsMax = 50

/** Reads the text of a policy file. Refuses with `policy_unreadable` or `policy_invalid`. */
export function readPolicy(text: string): Result<PolicyDocument> {
  const json = text.startsWith('\uFEFF') ? text.slice(1) : text
  try {
    return parsePolicy(JSON.parse(json))
  } catch (thrown) {
    if (!(thrown instanceof SyntaxError)) throw thrown
    const fault = findJsonFault(json)
    const place = fault === null ? '' : ` at line ${fault.line}, column ${fault.column}: ${fault.reason}`
    const details = fault === null ? {} : { line: fault.line, column: fault.column }
    const message = `The policy is not valid JSON${place}.`
    return err(new SagasmithError('policy_unreadable', { message, details, cause: thrown }))
  }
}

/** Reads a policy that is JSON data already. Refuses with `policy_invalid`, which lists what is wrong. */
export function parsePolicy(value: unknown): Result<PolicyDocument> {
  // Whatever JSON.parse or a decoded message gives is JSON.
  if (findJsonIntrusion(value as JsonValue, nestingMax) !== null)
    return err(invalid([{ path: '', message: 'The policy has a name that is not allowed, or no end.' }]))
  const parsed = policySchema.safeParse(value)
  if (!parsed.success) {
    const faults = parsed.error.issues.slice(0, faultsMax).map((issue) => {
      const path = fieldPathText(issue.path.map((key) => (typeof key === 'symbol' ? String(key) : key)))
      const clause = issue.code === 'custom' ? issue.message : issueClause(issue)
      return { path, message: `“${path === '' ? 'the policy' : path}” ${clause}.` }
    })
    return err(invalid(faults))
  }
  const bytes = utf8Bytes(canonicalJson(value as JsonValue))
  if (bytes > policyBytesMax) {
    const message = `The policy has ${bytes} bytes; at most ${policyBytesMax} are possible.`
    return err(invalid([{ path: '', message }]))
  }
  // What the schema accepted has this form; `undefined` members can't come from JSON.
  return ok(value as PolicyDocument)
}

function invalid(faults: readonly { readonly path: string; readonly message: string }[]): SagasmithError {
  const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : ''
  return new SagasmithError('policy_invalid', {
    message: `The policy can’t be used: ${faults[0]?.message ?? 'its form is wrong.'}${more}`,
    details: { faults: faults.map((fault) => ({ ...fault })) },
  })
}
