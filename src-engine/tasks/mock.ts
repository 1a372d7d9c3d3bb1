/** What a kind gives where nothing outside may be touched. One `mock.ts` beside the `run.ts` of such a kind. */

import type { TaskContext, TaskOutcome } from './task.ts'

/**
 * Answers as the kind would, from its parameters alone; says in its log what it left out. Null where a step of these
 * parameters touches nothing outside: it runs as it is.
 */
export type TaskMock<Parameters = never, Outcome extends TaskOutcome | null = TaskOutcome | null> = (
  parameters: Parameters,
  context: TaskContext,
) => Outcome

/** A line of the attempt's log about what was not done. */
export function sayLeftOut(context: TaskContext, text: string): void {
  context.log({ level: 'info', stream: 'task', text: `Mocked: ${text}` })
}
