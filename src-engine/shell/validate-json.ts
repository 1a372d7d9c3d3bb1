/** Checks a document that came as JSON: its form, what it means, and its hash when it has no errors. */

import { definitionHashOf } from '../model/definition-hash.ts'
import type { DefinitionHash } from '../model/ids.ts'
import type { JsonObject } from '../model/json.ts'
import type { Problem } from '../model/problem.ts'
import { parseDocument } from '../model/read-document.ts'
import type { SecretEntry } from '../model/secret.ts'
import { isRunnable, validateWorkflow } from '../model/validate-workflow.ts'
import type { ValidationOptions } from '../model/validation.ts'
import { namesCustomTasks, writtenOut } from '../model/written-out.ts'
import { checkExpression } from '../runtime/expressions/expression-fault.ts'
import { taskSpecsByKind } from '../tasks/specs.ts'
import { triggerSpecsByKind } from '../triggers/specs.ts'
import type { KnownTasks } from './custom-tasks.ts'

const noTasks: Pick<KnownTasks, 'all' | 'specs'> = { all: new Map(), specs: taskSpecsByKind }

/** What every shell checks documents with. */
export const validationOptions: ValidationOptions = { triggerSpecs: triggerSpecsByKind, checkExpression }

/**
 * Throws the SagasmithError of `parseDocument` when it is no workflow document at all. With what the vault
 * keeps, secrets that are missing there are problems too. The hash is that of the document with its custom
 * tasks written out.
 */
export function validateJson(
  json: JsonObject,
  secrets?: readonly SecretEntry[],
  custom: Pick<KnownTasks, 'all' | 'specs'> = noTasks,
): {
  readonly problems: readonly Problem[]
  readonly hash: DefinitionHash | null
} {
  const parsed = parseDocument(json)
  if (!parsed.ok) throw parsed.error
  const { document } = parsed.value
  const options = { ...validationOptions, ...(secrets === undefined ? {} : { secrets }) }
  const problems = validateWorkflow(document, custom.specs, options)
  if (!isRunnable(problems)) return { problems, hash: null }
  if (!namesCustomTasks(document)) return { problems, hash: definitionHashOf(document, taskSpecsByKind) }
  // What a task has fixed is judged where it is used.
  const meant = writtenOut(document, custom.all)
  // And what it says of versions is gone once it is written out.
  const ofVersions = problems.filter(({ field }) => field?.endsWith('taskVersion'))
  const all = [...validateWorkflow(meant, taskSpecsByKind, options), ...ofVersions]
  return { problems: all, hash: isRunnable(all) ? definitionHashOf(meant, taskSpecsByKind) : null }
}
