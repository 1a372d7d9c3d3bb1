/** Parameters that were set up for another version of a task, made those of the version that is here. */

import type { CodeTask } from '../model/code-task.ts'
import { recordOfThrown, SagasmithError } from '../model/errors.ts'
import { nodeId } from '../model/ids.ts'
import type { JsonObject, JsonValue } from '../model/json.ts'
import { isJsonObject } from '../model/json.ts'
import { findJsonIntrusion } from '../model/json-guard.ts'
import { customTaskBytesMax, nestingMax } from '../model/limits.ts'
import type { TaskSpec } from '../model/task-spec.ts'
import { parameterProblems } from '../model/validate-parameters.ts'
import type { MigratedParameters, MigrationWish } from '../protocol/custom-tasks.ts'
import { endingValue } from '../tasks/javascript/ending.ts'
import type { CodeDesk } from './code-task-file.ts'

/** The task that is asked, and where its code runs. */
interface MigrationParts {
  readonly task: CodeTask
  /** Its kind as the catalogue has it; undefined where another file has the kind. */
  readonly spec: TaskSpec | undefined
  readonly desk: CodeDesk
}

/** What the task's own code makes of them; nothing is sent and nothing is written. Throws `task_migration_failed`. */
export async function migrateParameters(
  { task, spec, desk }: MigrationParts,
  wish: MigrationWish,
): Promise<MigratedParameters> {
  const { face } = task
  if (!face.hasMigrate) throw failed(task, wish, 'its file has no function migrate(context).')
  const parameters = checked(task, wish, await asked(task, wish, desk))
  const problems =
    spec === undefined
      ? []
      : parameterProblems({
          ...{ schema: spec.parameters, parameters, field: 'parameters', nodeId: nodeId('step') },
          name: () => `“${face.title}”`,
        })
  return { version: face.version, parameters, problems: problems.map(({ message }) => message) }
}

async function asked(task: CodeTask, wish: MigrationWish, desk: CodeDesk): Promise<JsonValue> {
  const { timeoutMs, memoryMb } = task.face
  try {
    const { ending } = await desk.migrate(task, wish)
    return endingValue(ending, { timeoutMs, memoryMb })
  } catch (thrown) {
    throw failed(task, wish, recordOfThrown(thrown).message)
  }
}

/** They come to stand in a document: nothing that a document refuses may be in them. */
function checked(task: CodeTask, wish: MigrationWish, value: JsonValue): JsonObject {
  if (!isJsonObject(value)) throw failed(task, wish, 'migrate(context) gave no object of parameters.')
  if (JSON.stringify(value).length > customTaskBytesMax)
    throw failed(task, wish, 'what migrate(context) gave is too much for a step.')
  if (findJsonIntrusion(value, nestingMax) !== null)
    throw failed(
      task,
      wish,
      'what migrate(context) gave is nested too deeply, or has a name that is not allowed.',
    )
  return value
}

function failed({ face }: CodeTask, { from }: MigrationWish, why: string): SagasmithError {
  const { kind, title, version: to } = face
  const of = from === null ? 'an unknown version' : `version ${from}`
  return new SagasmithError('task_migration_failed', {
    message: `“${title}” (${kind}) ${to} can’t take over parameters of ${of}: ${why}`,
    details: { kind, from, to },
  })
}
