/** Runner processes of a campaign: hired, killed and dismissed. */

import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { programOf } from '../support/program.ts'
import type { RandomSource } from '../support/random-source.ts'
import { until } from '../support/redis-servers.ts'
import type { ScenePlace } from './scene.ts'

export interface Crew {
  readonly hire: () => Promise<void>
  /** Process ids of those at work, in the order in which they were hired. */
  readonly pids: () => readonly number[]
  /** Kills one and hires another; resolves when that one works. */
  readonly replaceOne: (random: RandomSource) => Promise<void>
  /** Ends all in order. */
  readonly dismiss: () => Promise<void>
  readonly killAll: () => void
  /** What went otherwise than planned. */
  readonly complaints: readonly string[]
}

/** Each new one begins with the next of the prefixes: the command that starts it somewhere else, if there is one. */
export function createCrew(place: ScenePlace, prefixes: readonly (readonly string[])[] = []): Crew {
  const alive = new Set<ChildProcess>()
  const meant = new Set<ChildProcess>()
  const complaints: string[] = []
  let hired = 0
  const hire = async (): Promise<void> => {
    const child = await programOf('test/redis/runner-child.ts')
    const prefix = prefixes[hired % prefixes.length] ?? []
    const [program, ...before] = [...prefix, process.execPath]
    hired += 1
    const runner = spawn(program, [...before, child, JSON.stringify(place)], {
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    let isReady = false
    alive.add(runner)
    runner.stdout.on('data', () => {
      isReady = true
    })
    runner.stderr.on('data', (chunk: Buffer) => complaints.push(chunk.toString('utf8')))
    runner.on('exit', (code, signal) => {
      alive.delete(runner)
      if (!meant.has(runner)) complaints.push(`a runner ended by itself with ${code ?? signal ?? ''}`)
      else if (signal !== 'SIGKILL' && code !== 0)
        complaints.push(`a runner ended with ${code ?? signal ?? ''}`)
    })
    await until('the runner works', async () => isReady || !alive.has(runner))
  }
  const end = async (runner: ChildProcess, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> => {
    meant.add(runner)
    const gone = new Promise((resolve) => runner.once('exit', resolve))
    runner.kill(signal)
    await gone
  }
  return {
    hire,
    pids: () => [...alive].flatMap(({ pid }) => pid ?? []),
    async replaceOne(random) {
      await end(random.pick([...alive]), 'SIGKILL')
      await hire()
    },
    async dismiss() {
      await Promise.all([...alive].map((runner) => end(runner, 'SIGTERM')))
    },
    killAll() {
      for (const runner of alive) {
        meant.add(runner)
        runner.kill('SIGKILL')
      }
    },
    complaints,
  }
}
