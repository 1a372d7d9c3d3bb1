/** What may become a run: a document without errors, and an input that fits its form. */

import { hash } from 'node:crypto'
import { definitionHashOf } from '../model/definition-hash.ts'
import { SagasmithError } from '../model/errors.ts'
import type { DefinitionHash } from '../model/ids.ts'
import type { JsonObject, JsonValue } from '../model/json.ts'
import type { Problem } from '../model/problem.ts'
import type { TaskSpec } from '../model/task-spec.ts'
import { validateInput } from '../model/validate-input.ts'
import { validateWorkflow } from '../model/validate-workflow.ts'
import type { ValidationOptions } from '../model/validation.ts'
import type { WorkflowDocument } from '../model/workflow.ts'

/** A refusal names the first of them; who wants all validates the document. */
const namedProblemsMax = 50

/** More than the workflows that are really in use at a time, at a hundred bytes each. */
const admittedTextsMax = 1_000

export interface Admission {
  /** The hash of a document that may run; throws `document_invalid` with its problems. */
  readonly admit: (document: WorkflowDocument) => DefinitionHash
  /** The input with defaults filled in; throws `input_invalid` with its problems. */
  readonly admitInput: (document: WorkflowDocument, input: JsonValue) => JsonValue
}

/** `refused` is called before each refusal is thrown. */
export function createAdmission(
  taskSpecs: ReadonlyMap<string, TaskSpec>,
  options: ValidationOptions,
  refused: () => void,
): Admission {
  const refuse = (error: SagasmithError): never => {
    refused()
    throw error
  }
  const judged = (document: WorkflowDocument): DefinitionHash => {
    const errors = validateWorkflow(document, taskSpecs, options).filter(
      (problem) => problem.severity === 'error',
    )
    if (errors.length > 0) refuse(invalidDocument(document, errors))
    return definitionHashOf(document, taskSpecs)
  }
  // The same object is started again and again; a document is never changed in place.
  const admitted = new WeakMap<WorkflowDocument, DefinitionHash>()
  const admittedTexts = createAdmittedTexts()
  return {
    admit: (document) => {
      const known = admitted.get(document)
      if (known !== undefined) return known
      const admittedHash = admittedTexts.of(document, () => judged(document))
      admitted.set(document, admittedHash)
      return admittedHash
    },
    admitInput: (document, input) => {
      if (document.input === undefined) return input
      const checked = validateInput(document.input, input)
      if (checked.problems.length > 0) refuse(invalidInput(document, checked.problems))
      return checked.value
    },
  }
}

/**
 * What was admitted, by its whole text. One with sub-workflows is another object each time that it is bound to their
 * versions, and one from a file each time that it is read. The definition hash alone can't say that it is the same: it
 * leaves out triggers, which may be wrong, too.
 */
function createAdmittedTexts(): {
  readonly of: (document: WorkflowDocument, judged: () => DefinitionHash) => DefinitionHash
} {
  const hashes = new Map<string, DefinitionHash>()
  return {
    of: (document, judged) => {
      const text = hash('sha256', JSON.stringify(document), 'base64')
      const found = hashes.get(text) ?? judged()
      // The one asked for last goes last.
      hashes.delete(text)
      hashes.set(text, found)
      const [oldest] = hashes.keys()
      if (hashes.size > admittedTextsMax && oldest !== undefined) hashes.delete(oldest)
      return found
    },
  }
}

function invalidDocument(document: WorkflowDocument, problems: readonly Problem[]): SagasmithError {
  const [first] = problems
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : ''
  return new SagasmithError('document_invalid', {
    message: `“${document.title}” can’t run: ${first?.message ?? ''}${more}`,
    details: { count: problems.length, problems: problems.slice(0, namedProblemsMax).map(problemDetails) },
  })
}

function invalidInput(document: WorkflowDocument, problems: readonly Problem[]): SagasmithError {
  const [first] = problems
  return new SagasmithError('input_invalid', {
    message: `The input of “${document.title}” doesn’t fit: ${first?.message ?? ''}`,
    details: { count: problems.length, problems: problems.slice(0, namedProblemsMax).map(problemDetails) },
  })
}

/** A problem is plain data already; JSON objects just have an index signature. */
const problemDetails = (problem: Problem): JsonObject => ({ ...problem })
