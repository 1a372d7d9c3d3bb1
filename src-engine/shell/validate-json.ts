/** Checks a document that came as JSON: its form, what it means, and its hash when it has no errors. */

import { definitionHashOf } from '../model/definition-hash.ts'
import type { DefinitionHash } from '../model/ids.ts'
import type { JsonObject } from '../model/json.ts'
import type { Problem } from '../model/problem.ts'
import { parseDocument } from '../model/read-document.ts'
import type { SecretEntry } from '../model/secret.ts'
import { isRunnable, validateWorkflow } from '../model/validate-workflow.ts'
import type { ValidationOptions } from '../model/validation.ts'
import { checkExpression } from '../runtime/expressions/expression-fault.ts'
import { taskSpecsByKind } from '../tasks/specs.ts'
import { triggerSpecsByKind } from '../triggers/specs.ts'

/** What every shell checks documents with. */
export const validationOptions: ValidationOptions = { triggerSpecs: triggerSpecsByKind, checkExpression }

/**
 * Throws the SagasmithError of `parseDocument` when it is no workflow document at all. With what the vault
 * keeps, secrets that are missing there are problems too.
 */
export function validateJson(
  json: JsonObject,
  secrets?: readonly SecretEntry[],
): {
  readonly problems: readonly Problem[]
  readonly hash: DefinitionHash | null
} {
  const parsed = parseDocument(json)
  if (!parsed.ok) throw parsed.error
  const { document } = parsed.value
  const problems = validateWorkflow(document, taskSpecsByKind, {
    ...validationOptions,
    ...(secrets === undefined ? {} : { secrets }),
  })
  return { problems, hash: isRunnable(problems) ? definitionHashOf(document, taskSpecsByKind) : null }
}
