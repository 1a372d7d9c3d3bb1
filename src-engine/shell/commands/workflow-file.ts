/** Reading and checking the workflow file that a command was given. */

import { dirname, resolve } from 'node:path'
import type { DefinitionHash } from '../../model/ids.ts'
import type { JsonObject } from '../../model/json.ts'
import type { Problem } from '../../model/problem.ts'
import { readDocument } from '../../model/read-document.ts'
import type { SecretEntry } from '../../model/secret.ts'
import type { WorkflowDocument } from '../../model/workflow.ts'
import { readWorkflowFile, withPath } from '../library.ts'
import { validateJson } from '../validate-json.ts'
import type { CommandContext } from './command.ts'

export interface WorkflowFile {
  /** Absolute path. */
  readonly path: string
  /** Where its relative paths start. */
  readonly baseDirectory: string
  readonly document: WorkflowDocument
  readonly json: JsonObject
  readonly problems: readonly Problem[]
  /** Null when it has errors. */
  readonly hash: DefinitionHash | null
}

/**
 * Opens a workflow file. Throws what makes it unreadable, with the place in the file. With what the vault
 * keeps, secrets that are missing there are problems too.
 */
export async function openWorkflowFile(
  given: string,
  secrets?: readonly SecretEntry[],
): Promise<WorkflowFile> {
  const path = resolve(given)
  const bytes = await readWorkflowFile(path)
  const read = readDocument(bytes.toString('utf8'))
  if (!read.ok) throw withPath(read.error, path)
  // A document is plain JSON data.
  const json = read.value.document as unknown as JsonObject
  const { problems, hash } = validateJson(json, secrets)
  return { path, baseDirectory: dirname(path), document: read.value.document, json, problems, hash }
}

/** Prints problems: JSON lines on stdout, or words on stderr. */
export function printProblems(context: CommandContext, file: WorkflowFile): void {
  const { terminal, json, emit } = context
  const { red, yellow, dim } = terminal.colors
  for (const problem of file.problems) {
    if (json) emit({ type: 'problem', ...problem })
    else {
      const mark = problem.severity === 'error' ? red('error') : yellow('warning')
      terminal.errorLine(`${mark} ${problem.message} ${dim(`[${placeOf(problem)}${problem.code}]`)}`)
      terminal.errorLine(`${dim('  →')} ${problem.hint}`)
    }
  }
}

function placeOf({ nodeId, edgeId, field }: Problem): string {
  const places = [nodeId === null ? null : `node ${nodeId}`, edgeId === null ? null : `edge ${edgeId}`, field]
  const known = places.filter((place) => place !== null)
  return known.length === 0 ? '' : `${known.join(' · ')} · `
}
