/**
 * A task file with code: its types are taken off and its data is read in a sandbox, once, whenever it was written.
 * Nothing of it runs in this process.
 */

import { basename } from 'node:path'
import type { CodeTask } from '../model/code-task.ts'
import { readCodeTask } from '../model/code-task.ts'
import { SagasmithError } from '../model/errors.ts'
import { isJsonObject } from '../model/json.ts'
import { lineAndColumn } from '../model/json-place.ts'
import { codeTaskReadMs, customTaskBytesMax } from '../model/limits.ts'
import type { Clock } from '../model/ports.ts'
import type { MigrationWish } from '../protocol/custom-tasks.ts'
import { systemClock } from '../runtime/system-ports.ts'
import type { TaskGuestRequest } from '../tasks/code-task/task-message.ts'
import type { TaskRan } from '../tasks/code-task/task-sandbox.ts'
import { runTask } from '../tasks/code-task/task-sandbox.ts'
import type { SandboxHost } from '../tasks/javascript/sandbox-host.ts'
import { createNodeSandboxHost } from '../tasks/javascript/sandbox-host.ts'
import { parseJson } from '../tasks/json-text.ts'
import { invalidTaskFile, startOfFile } from './custom-task-file.ts'

/** What ends the names of tasks that are code. */
export const codeFileEndings = ['.task.ts', '.task.js'] as const

/** Where code of a task runs outside of runs. */
export interface CodeDesk {
  /** The task of a file's text. Throws `task_file_invalid` with the place. */
  readonly read: (text: string, path: string) => Promise<CodeTask>
  /** Runs its undo on what its mock gave, with nothing sent. */
  readonly tryUndo: (task: CodeTask, trial: UndoTrial) => Promise<TaskRan>
  /** Has it make parameters of another version its own, with nothing in reach. */
  readonly migrate: (task: CodeTask, wish: MigrationWish) => Promise<TaskRan>
}

/** How an undo is tried. */
export interface UndoTrial {
  readonly attempt: number
  /** What is answered to a request, JSON text both; null kills the process in place of an answer. */
  readonly answer: (request: string) => string | null
}

interface DeskParts {
  readonly sandbox?: SandboxHost | undefined
  readonly clock?: Clock | undefined
}

/** A desk whose sandboxes are children of this Node unless others are given. */
export function createCodeDesk(parts: DeskParts = {}): CodeDesk {
  const { clock = systemClock } = parts
  const run = (
    request: TaskGuestRequest,
    http: (text: string) => Promise<string>,
    { signal } = new AbortController(),
  ): Promise<TaskRan> =>
    runTask(request, {
      sandbox: parts.sandbox ?? createNodeSandboxHost(),
      ...{ clock, signal, http },
      log: () => undefined,
    })
  return {
    read: async (text, path) => {
      const isTypeScript = path.endsWith('.ts')
      const request = { ...still, role: 'read', code: text, isTypeScript, fileName: basename(path) } as const
      return taskOf(await run(request, refuseRequest), { text, path })
    },
    tryUndo: (task, { attempt, answer }) => {
      const told = { input: null, output: task.mock ?? null, secrets: namesOnly(task.face.secrets) }
      const context = { ...told, idempotencyKey: trialKey, attempt, run: {}, vars: {} }
      const killing = new AbortController()
      const http = (text: string): Promise<string> => {
        const answered = answer(text)
        if (answered !== null) return Promise.resolve(answered)
        killing.abort()
        return new Promise(() => undefined)
      }
      // Chance and time are others in every attempt.
      return run({ ...requestOf(task, 'compensate', context), seed: attempt, now: attempt }, http, killing)
    },
    migrate: (task, { from, parameters }) =>
      run(requestOf(task, 'migrate', { from, to: task.face.version, parameters }), refuseRequest),
  }
}

/** The same each time: a file says the same whenever it is read. */
const still = {
  kind: 'task',
  isTypeScript: false,
  context: JSON.stringify({ input: null, parameters: {}, secrets: {}, attempt: 1, run: {}, vars: {} }),
  timeoutMs: codeTaskReadMs,
  memoryBytes: 32 * 1024 * 1024,
  now: 0,
  seed: 1,
} as const

/** A function of a task that was read, handed a context. */
const requestOf = (
  { face, code }: CodeTask,
  role: TaskGuestRequest['role'],
  context: object,
): TaskGuestRequest => ({
  ...still,
  ...{ role, code, timeoutMs: face.timeoutMs, memoryBytes: face.memoryMb * 1024 * 1024 },
  fileName: `${face.kind}.js`,
  context: JSON.stringify(context),
})

/** What an undo that is tried presents to the outside. */
export const trialKey = 'contract-test-key'

const namesOnly = (names: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(names.map((name) => [name, `(${name})`]))

const refuseRequest = (): Promise<string> =>
  Promise.reject(
    new SagasmithError('http_address_denied', {
      message: 'Nothing is sent while a task file is read or migrates parameters.',
      hint: 'Send requests in run, compensate or probe.',
    }),
  )

interface TaskText {
  readonly text: string
  readonly path: string
}

function taskOf({ ending, code }: TaskRan, { text, path }: TaskText): CodeTask {
  if (ending.kind !== 'returned') throw unreadable(ending, path)
  const json = ending.json ?? ''
  if (json.length > customTaskBytesMax)
    throw invalidTaskFile(path, startOfFile, 'what it says is too much for a task.')
  const value = parseJson(json)
  const told = value.ok && isJsonObject(value.value) ? value.value : {}
  const functions = Array.isArray(told['functions']) ? told['functions'].map(String) : []
  const read = readCodeTask({ spec: told['spec'], functions, code })
  if ('task' in read) return read.task
  throw invalidTaskFile(path, placeOfName(text, read.fault.path[0] ?? ''), read.fault.message)
}

function unreadable(ending: Exclude<TaskRan['ending'], { kind: 'returned' }>, path: string): SagasmithError {
  if (ending.kind === 'threw') {
    const { name, message, line, column } = ending
    const place = line === null ? startOfFile : { line, column: column ?? 1 }
    return invalidTaskFile(path, place, name === 'Error' ? message : `${name}: ${message}`)
  }
  const reasons = {
    time: `what it says of itself took more than ${codeTaskReadMs} ms.`,
    memory: 'what it says of itself took too much memory.',
    stack: 'what it says of itself is nested too deeply.',
  }
  const reason = ending.kind === 'gone' ? reasons.memory : reasons[ending.limit]
  return invalidTaskFile(path, startOfFile, reason)
}

/** Where a name stands first, as the key of something. */
function placeOfName(text: string, name: string): { readonly line: number; readonly column: number } {
  const at = [`${name}:`, `${name}(`, name].map((key) => text.indexOf(key)).find((index) => index !== -1)
  return at === undefined ? startOfFile : lineAndColumn(text, at)
}
