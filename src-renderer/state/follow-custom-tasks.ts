/** Looks at the folder of custom tasks from time to time: palette, forms and problems follow what is written. */

import type { Designer } from './designer.ts'

/** Often enough to be there when somebody comes back from their editor, seldom enough not to be noticed. */
const lookDelayMs = 2_000

/** Looks at once, and again and again; returns the way to stop. */
export function startCustomTasks(designer: Designer): () => void {
  let cancel = (): void => undefined
  let isStopped = false
  const look = (): void => {
    void lookAtTasks(designer).finally(() => {
      if (!isStopped) cancel = designer.ambient.after(lookDelayMs, look)
    })
  }
  look()
  return () => {
    isStopped = true
    cancel()
  }
}

/** Looks once. A file that can't be used is told when that begins. */
async function lookAtTasks({ connection, customTasks, view }: Designer): Promise<void> {
  try {
    const folder = await connection.call('tasks.custom', {})
    const told = new Set(customTasks.getState().folder.problems.map(({ message }) => message))
    customTasks.getState().take(folder)
    for (const { message, hint } of folder.problems) {
      if (!told.has(message)) view.getState().toast({ tone: 'bad', message, hint })
    }
  } catch {
    // The line is away, or the folder can't be listed: what was known stays, and there is a next time.
  }
}
