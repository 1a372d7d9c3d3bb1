/** Processes that do a subject's work, and what they are told. */

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { nodeFlags, runnerFlags } from '../../bin/launcher/cli.mjs'
import type { Taken, Task } from './target.ts'

export interface BenchWorker {
  readonly does: (task: Task) => Promise<Taken>
}

/** As the launcher starts a runner. */
const execArgv = [...nodeFlags, ...runnerFlags]

/** Starts a process that does nothing yet; it ends after `close`. */
export function startWorker(script: string): BenchWorker {
  const child = fork(script, {
    execArgv,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  return {
    async does(task) {
      const ended = new AbortController()
      const gone = once(child, 'exit', { signal: ended.signal }).then(([code]) => {
        throw new Error(`the process of the benchmark ended with ${String(code)} at ${task.kind}`)
      })
      const answered = once(child, 'message', { signal: ended.signal })
      child.send(task)
      try {
        const [taken] = await Promise.race([answered, gone])
        return taken as Taken
      } finally {
        // Whoever lost the race is not heard any more.
        gone.catch(() => undefined)
        answered.catch(() => undefined)
        ended.abort()
      }
    },
  }
}
