/**
 * A process in which one command line after the other runs to its end: to start a process for each takes 0.3 s of a
 * processor, and what most of them do a tenth of that. Each is the command line's own bundle, beside the process that serves.
 */

import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { CommandEnd, CommandGiven } from './commands-in-turn.ts'
import type { ServingProcessOptions } from './serving-process.ts'
import { startCommands } from './serving-process.ts'

/** What a command told, on both of its streams, and how it ended. */
export interface CommandTold {
  readonly code: number
  readonly text: string
}

/** It is there from its first command on, and goes with the process that has it. */
export class CommandProcess {
  readonly #options: ServingProcessOptions
  #child: ChildProcess | null = null
  #text = ''
  /** The command before; the next one waits for it. */
  #before: Promise<unknown> = Promise.resolve()

  constructor(options: ServingProcessOptions) {
    this.#options = options
  }

  /** Runs a command to its end; refuses where it left something behind, for which its own process would never end. */
  run(words: readonly string[]): Promise<CommandTold> {
    const told = this.#before.then(() => this.#run(words))
    this.#before = told.catch(() => undefined)
    return told
  }

  async #run(words: readonly string[]): Promise<CommandTold> {
    const child = this.#runningNow()
    this.#text = ''
    const ended = once(child, 'message').then(([end]) => end as CommandEnd)
    const gone = once(child, 'exit').then(() => null)
    child.send({ words, environment: {} } satisfies CommandGiven)
    const end = await Promise.race([ended, gone])
    // What it wrote is in the pipe before it says that it has ended, and is read in the same turn at the latest.
    await nextTurn()
    const text = this.#text
    if (end === null) throw new Error(`The process of ${words.join(' ')} ended by itself. ${text}`)
    if (end.left.length > 0) throw new Error(`${words.join(' ')} left ${end.left.join(', ')} behind. ${text}`)
    return { code: end.code, text }
  }

  #runningNow(): ChildProcess {
    if (this.#child !== null && this.#child.exitCode === null && this.#child.signalCode === null)
      return this.#child
    const child = startCommands(this.#options)
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => (this.#text += chunk.toString()))
    this.#child = child
    return child
  }

  /** Ends the process. */
  async end(): Promise<void> {
    const child = this.#child
    if (child === null || child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
  }
}
