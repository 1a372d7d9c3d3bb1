/** Runner processes that are killed one by one and replaced, whatever they work for. */

import type { ChildProcessByStdio } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import type { RandomSource } from '../support/random-source.ts'

/** A process whose output is read. */
export type RunnerChild = ChildProcessByStdio<Writable | null, Readable, Readable>

/** Runner processes of which any may be killed. */
export interface Crew {
  readonly hire: () => void
  /** How many have come up and live. */
  readonly readyCount: () => number
  /** Kills a runner that was ready and hires another; false while none is. */
  readonly replaceOne: (random: RandomSource) => boolean
  /** Ends all in order; what their ends were like when not so. */
  readonly dismiss: () => Promise<readonly string[]>
  readonly killAll: () => void
}

/** A crew that `start` makes members of: each says a line when it is ready, and ends in order at SIGTERM. */
export function createCrew(start: () => RunnerChild): Crew {
  const alive = new Set<RunnerChild>()
  const ready = new Set<RunnerChild>()
  const complaints: string[] = []
  const hire = (): void => {
    const runner = start()
    alive.add(runner)
    runner.stdout.on('data', () => ready.add(runner))
    runner.stderr.on('data', (chunk: Buffer) => complaints.push(chunk.toString('utf8')))
    runner.on('exit', () => {
      alive.delete(runner)
      ready.delete(runner)
    })
  }
  return {
    hire,
    readyCount: () => ready.size,
    replaceOne(random) {
      const candidates = [...ready]
      if (candidates.length === 0) return false
      const victim = random.pick(candidates)
      ready.delete(victim)
      victim.kill('SIGKILL')
      hire()
      return true
    },
    async dismiss() {
      // One that is still starting has nothing to hand back, and doesn't listen yet.
      for (const runner of alive) if (!ready.has(runner)) runner.kill('SIGKILL')
      const ends = [...ready].map(
        (runner) =>
          new Promise<string | null>((resolve) => {
            runner.on('exit', (code, signal) =>
              resolve(code === 0 ? null : `a runner ended with ${code ?? signal ?? ''}`),
            )
            runner.kill('SIGTERM')
          }),
      )
      const told = await Promise.all(ends)
      return [...complaints, ...told.filter((end) => end !== null)]
    },
    killAll() {
      for (const runner of alive) runner.kill('SIGKILL')
    },
  }
}
