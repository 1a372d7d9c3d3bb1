/** Checks a document that came as JSON: its form, then what it means, and its hash when it has no errors. */

import { hashDefinition } from '../model/definition-hash.ts'
import type { DefinitionHash } from '../model/ids.ts'
import type { JsonObject } from '../model/json.ts'
import type { Problem } from '../model/problem.ts'
import { parseDocument } from '../model/read-document.ts'
import { validateWorkflow } from '../model/validate-workflow.ts'
import { taskSpecsByKind } from '../tasks/specs.ts'

/** Throws the SagasmithError of `parseDocument` when it is no workflow document at all. */
export function validateJson(json: JsonObject): {
  readonly problems: readonly Problem[]
  readonly hash: DefinitionHash | null
} {
  const parsed = parseDocument(json)
  if (!parsed.ok) throw parsed.error
  const { document, problems: formProblems } = parsed.value
  const problems = formProblems.length > 0 ? formProblems : validateWorkflow(document, taskSpecsByKind)
  const isRunnable = problems.every(({ severity }) => severity !== 'error')
  return { problems, hash: isRunnable ? hashDefinition(document, taskSpecsByKind) : null }
}
