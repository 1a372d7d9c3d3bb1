/** What the engine and a sandbox that runs a task file tell each other, beside what every sandbox tells. */

/** What is done with the file. `read`: its data, the names of its functions, and what its mock gives. */
export type TaskRole = 'read' | 'run' | 'compensate' | 'probe' | 'mock' | 'migrate'

export interface TaskGuestRequest {
  /** Tells it from code without a file. */
  readonly kind: 'task'
  readonly role: TaskRole
  readonly code: string
  /** Whether its types are to be taken off first. */
  readonly isTypeScript: boolean
  /** What errors call it. */
  readonly fileName: string
  /** JSON text of what its function is handed. */
  readonly context: string
  readonly timeoutMs: number
  readonly memoryBytes: number
  readonly now: number
  readonly seed: number
}

/** What became of a request: JSON text of the response, or of an error's name and message. */
export interface HttpAnswer {
  readonly id: number
  readonly isDone: boolean
  readonly text: string
}
