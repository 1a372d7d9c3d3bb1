/** Reading and checking the workflow file that a command was given. */

import { dirname, resolve } from 'node:path'
import type { DefinitionHash } from '../../model/ids.ts'
import type { JsonObject } from '../../model/json.ts'
import type { Problem } from '../../model/problem.ts'
import { readDocument } from '../../model/read-document.ts'
import type { SecretEntry } from '../../model/secret.ts'
import { problemOf } from '../../model/validation.ts'
import type { WorkflowDocument } from '../../model/workflow.ts'
import { writtenOut } from '../../model/written-out.ts'
import type { CustomTaskSource } from '../../runtime/custom-task-source.ts'
import type { AllowedPackages } from '../../tasks/javascript/packages/package-graph.ts'
import type { KnownTasks } from '../custom-tasks.ts'
import { createCustomTasks } from '../custom-tasks.ts'
import { dataDirectory } from '../data-directory.ts'
import { readWorkflowSource } from '../exchange/read-workflow-source.ts'
import { readWorkflowFile, withPath } from '../library.ts'
import { allowedPackages } from '../script-packages.ts'
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
  /** Those of the data directory. */
  readonly customTasks: CustomTaskSource
  /** Which its code may import. */
  readonly packages: AllowedPackages
  /** Null when it has errors. */
  readonly hash: DefinitionHash | null
}

/**
 * Opens a workflow file; its custom tasks are written out where it can run. Throws what makes it unreadable,
 * with the place in the file. With what the vault
 * keeps, secrets that are missing there are problems too.
 */
export async function openWorkflowFile(
  context: Pick<CommandContext, 'settings'>,
  given: string,
  secrets?: readonly SecretEntry[],
): Promise<WorkflowFile> {
  const path = resolve(given)
  const bytes = await readWorkflowFile(path)
  const read = readDocument(bytes.toString('utf8'))
  if (!read.ok) throw withPath(read.error, path)
  return checked(context, { path, drawn: read.value.document }, secrets)
}

/** The same for any file that carries a workflow: code and pictures, too. */
export async function openWorkflowSource(
  context: Pick<CommandContext, 'settings'>,
  given: string,
  secrets: readonly SecretEntry[] | undefined,
): Promise<WorkflowFile> {
  const path = resolve(given)
  const { document: drawn } = await readWorkflowSource(path)
  return checked(context, { path, drawn }, secrets)
}

async function checked(
  { settings }: Pick<CommandContext, 'settings'>,
  { path, drawn }: { readonly path: string; readonly drawn: WorkflowDocument },
  secrets: readonly SecretEntry[] | undefined,
): Promise<WorkflowFile> {
  const data = dataDirectory(settings.values.data)
  const customTasks = createCustomTasks(data.tasks)
  const packages = allowedPackages(settings.engine, data.root)
  const tasks = await customTasks.look()
  // A document is plain JSON data.
  const { problems, hash } = validateJson(drawn as unknown as JsonObject, secrets, tasks)
  const document = hash === null ? drawn : writtenOut(drawn, tasks.all)
  const json = document as unknown as JsonObject
  const told = [...problems, ...missedTasks(problems, tasks)]
  return { path, baseDirectory: dirname(path), document, json, problems: told, hash, customTasks, packages }
}

/** Why a kind isn't there: task files that can't be used are told to who misses one. */
function missedTasks(problems: readonly Problem[], { problems: files }: KnownTasks): readonly Problem[] {
  if (!problems.some(({ code }) => code === 'unknown_kind')) return []
  return files.map(({ code, message, hint }) => problemOf({ code, message, hint, severity: 'warning' }))
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
