/** `tasks migrate FILE`: the steps of a workflow file that were set up for other versions of their tasks. */

import { dirname, resolve } from 'node:path'
import { SagasmithError } from '../../model/errors.ts'
import type { JsonObject, JsonValue } from '../../model/json.ts'
import { canonicalJson } from '../../model/json.ts'
import type { TaskUse } from '../../model/task-versions.ts'
import { madeForVersion, taskUses } from '../../model/task-versions.ts'
import type { WorkflowDocument } from '../../model/workflow.ts'
import type { CustomTaskFolder } from '../custom-tasks.ts'
import { createCustomTasks } from '../custom-tasks.ts'
import { dataDirectory } from '../data-directory.ts'
import { createLibrary } from '../library.ts'
import type { CommandContext, ExitCode } from './command.ts'
import { usageError } from './command.ts'

/** What became of one use. */
interface Migrated {
  readonly use: TaskUse
  readonly parameters: JsonObject
  readonly problems: readonly string[]
}

/** Migrates all of them or none, and writes the file unless it is a rehearsal. */
export async function migrateTasksAction(context: CommandContext, file: string): Promise<ExitCode> {
  const { flags, terminal, json, emit } = context
  const folder = createCustomTasks(dataDirectory(context.settings.values.data).tasks)
  const path = resolve(file)
  const library = createLibrary({ workspace: dirname(path) })
  library.grant(path)
  const { document: opened, etag } = await library.read(path)
  // It was read as one.
  const document = opened as unknown as WorkflowDocument
  const uses = wanted(taskUses(document, (await folder.look()).specs), context)
  const migrated: Migrated[] = []
  for (const use of uses) migrated.push(await migrate(use, folder, context))
  for (const one of migrated) tell(context, one)
  const isRehearsal = flags['dry-run'] === true
  // What somebody else wrote meanwhile is not written over.
  if (!isRehearsal && migrated.length > 0)
    await library.save({ path, etag, document: withMigrated(document, migrated) })
  const steps = migrated.length
  if (json) emit({ type: 'tasks.migrated', path, steps, isWritten: !isRehearsal && steps > 0 })
  else if (steps === 0) terminal.line('Every step is set up for the version of its task that is here.')
  else terminal.line(isRehearsal ? 'Nothing was written.' : `Wrote ${path}.`)
  return migrated.every(({ problems }) => problems.length === 0) ? 0 : 1
}

/** Those that differ; with a step named, its own, also where nobody noted what they were set up for. */
function wanted(uses: readonly TaskUse[], { flags }: CommandContext): readonly TaskUse[] {
  const step = flags['step']
  if (typeof step !== 'string') {
    if (flags['from'] !== undefined)
      throw usageError('--from needs --step.', 'Name the step that it is about.')
    return uses.filter(({ gap }) => gap === 'behind' || gap === 'ahead')
  }
  const own = uses.filter(({ nodeId }) => nodeId === step)
  if (own.length > 0) return own.filter(({ gap }) => gap !== 'none' || flags['from'] !== undefined)
  throw usageError(
    `There is no step “${step}” of a task that has versions.`,
    'Name it by its id, as expressions do. Only tasks with code have versions.',
  )
}

async function migrate(use: TaskUse, folder: CustomTaskFolder, { flags }: CommandContext): Promise<Migrated> {
  const { kind, parameters, migrates, gap, madeFor } = use
  const from = typeof flags['from'] === 'string' ? flags['from'] : madeFor
  if (flags['keep'] === true) return { use, parameters, problems: [] }
  if (gap === 'ahead' && flags['from'] === undefined) throw notBackwards(use)
  if (!migrates) return { use, parameters, problems: [] }
  const { parameters: made, problems } = await folder.migrate(kind, { from, parameters })
  return { use, parameters: made, problems }
}

const notBackwards = ({ nodeId, kind, madeFor, here }: TaskUse): SagasmithError =>
  new SagasmithError('task_not_migrated', {
    message: `“${nodeId}” was set up for version ${madeFor} of ${kind}, which is newer than version ${here} that is here.`,
    hint: 'Get the newer file of the task, or take the version that is here as it is with --keep. Nothing was written.',
    details: { nodeId, kind, madeFor, here },
  })

function withMigrated(document: WorkflowDocument, migrated: readonly Migrated[]): JsonObject {
  const nodes = { ...document.nodes }
  for (const { use, parameters } of migrated) {
    const node = nodes[use.nodeId]
    if (node === undefined) continue
    const isSame = canonicalJson(parameters) === canonicalJson(use.parameters)
    nodes[use.nodeId] = madeForVersion(node, use.place, {
      version: use.here,
      parameters: isSame ? null : parameters,
    })
  }
  // A document is plain JSON data.
  return { ...document, nodes } as unknown as JsonObject
}

function tell({ json, emit, terminal }: CommandContext, { use, parameters, problems }: Migrated): void {
  const { nodeId, place, kind, madeFor, here } = use
  if (json) {
    const after = parameters
    emit({
      type: 'task.migrated',
      nodeId,
      place,
      kind,
      from: madeFor,
      to: here,
      before: use.parameters,
      after,
      problems,
    })
    return
  }
  const { dim, red, green, yellow } = terminal.colors
  const where = place === 'step' ? nodeId : `${nodeId} (undo)`
  terminal.line(`${where}  ${dim(`${kind} ${madeFor ?? '?'} → ${here}`)}`)
  const keys = [...new Set([...Object.keys(use.parameters), ...Object.keys(parameters)])].sort()
  for (const key of keys) {
    const [was, is] = [use.parameters[key], parameters[key]].map(textOf)
    if (was === is) continue
    if (was !== null) terminal.line(red(`  - ${key}: ${was}`))
    if (is !== null) terminal.line(green(`  + ${key}: ${is}`))
  }
  for (const problem of problems) terminal.errorLine(`${yellow('warning')} ${problem}`)
}

const textOf = (value: JsonValue | undefined): string | null =>
  value === undefined ? null : JSON.stringify(value)
