/**
 * A task kind of one's own, in one file of the folder `tasks`: `NAME.task.ts`. Its code runs in a sandbox without
 * files, network or clock; what it needs it is handed.
 */

import type { JsonObject, JsonValue } from '../model/json.ts'
import type { TaskCategory } from '../model/task-spec.ts'
import type { SideEffectClass } from '../model/workflow.ts'

/** A request of a task; a body that is no text is sent as JSON. */
export interface TaskRequest {
  readonly url: string
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'HEAD'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: JsonValue
}

/** What came back, whatever its status; the body is read where the server says that it is JSON. */
export interface TaskResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: JsonValue
}

/** What every function of a task is handed. */
interface TaskTools {
  /** The same in every attempt and after every crash: hand it to the outside. */
  readonly idempotencyKey: string
  /** 1 for the first try. */
  readonly attempt: number
  /** What expressions see as `run`. */
  readonly run: JsonObject
  /** The workflow’s variables. */
  readonly vars: JsonObject
  /** The secrets that the task names, by their names. */
  readonly secrets: Readonly<Record<string, string>>
  /** Sends a request to one of the hosts that the task names. Redirects are not followed. */
  readonly http: (request: string | TaskRequest) => Promise<TaskResponse>
  /** Writes a line into the log of the step. */
  readonly log: (...values: readonly unknown[]) => void
}

/** What `run` is handed: what arrived, and the parameters of the step with their defaults. */
export interface TaskRunContext<Parameters = JsonObject> extends TaskTools {
  readonly input: JsonValue
  readonly parameters: Parameters
}

/** What `compensate` is handed: what the step got, and what it gave. */
export interface TaskUndoContext<Output = JsonValue> extends TaskTools {
  readonly input: JsonValue
  readonly output: Output
}

/** What `migrate` is handed: the parameters as they stand in the document. */
export interface TaskMigrateContext {
  /** The version that they were set up for; null where nobody noted it. */
  readonly from: string | null
  /** The version of this file. */
  readonly to: string
  readonly parameters: JsonObject
  readonly log: (...values: readonly unknown[]) => void
}

/** What `probe` says: it happened, and what the step would have given; or it did not, and the step begins. */
export type TaskProbeAnswer<Output = JsonValue> =
  | { readonly happened: true; readonly output: Output }
  | { readonly happened: false }

/** A task. All but its functions is plain data. */
export interface TaskDefinition<Parameters = JsonObject, Output = JsonValue> {
  /** What nodes call it: small letters, digits and hyphens, with a dot in between. */
  readonly kind: string
  /** For people; which code a run is bound to is told by its hash. */
  readonly version: string
  readonly title: string
  readonly description?: string
  /** Name of a lucide icon. */
  readonly icon?: string
  readonly category?: TaskCategory
  readonly keywords?: readonly string[]
  /** JSON Schema of an object: the form is made of it, and what a step is told is checked by it. */
  readonly parameters?: object
  /** JSON Schema of what `run` gives. */
  readonly output?: object
  /** Whether it may be run twice; nothing said is `unsafe`: after a crash a person is asked. */
  readonly sideEffect?: SideEffectClass
  /** Names of secrets in the vault. */
  readonly secrets?: readonly string[]
  /** Where `http` may go: `api.example.com`, `*.example.com`, `localhost:8080`. */
  readonly hosts?: readonly string[]
  readonly timeoutMs?: number
  readonly memoryMb?: number
  readonly run: (context: TaskRunContext<Parameters>) => Output | Promise<Output>
  /** Takes back what `run` did: the step’s undo can be this. */
  readonly compensate?: (context: TaskUndoContext<Output>) => unknown
  /**
   * Finds out whether a step that nobody saw end has happened, by the idempotency key, say; it changes nothing. For steps
   * with `onLost: 'verify'`. Whoever can’t tell throws: then a person is asked.
   */
  readonly probe?: (
    context: TaskRunContext<Parameters>,
  ) => TaskProbeAnswer<Output> | Promise<TaskProbeAnswer<Output>>
  /**
   * Makes parameters of another version those of this one. Texts may hold expressions (`{{ … }}`) and references to
   * secrets: hand them on as they are. Whoever can’t do it throws, and nothing is changed.
   */
  readonly migrate?: (context: TaskMigrateContext) => JsonObject | Promise<JsonObject>
  /** What it gives in rehearsals and tests; a function is called once, when the file is read. */
  readonly mock?: Output | ((context: TaskRunContext<Parameters>) => Output | Promise<Output>)
}

/** Gives the definition back; it is there for its types. */
export const defineTask = <Parameters = JsonObject, Output = JsonValue>(
  task: TaskDefinition<Parameters, Output>,
): TaskDefinition<Parameters, Output> => task
