/**
 * A process in which one server after the other serves: what a process and the reading of the engine take, half a second
 * of a processor, is taken once for many tests. Each server is what the command line makes of `serve`, on a data directory
 * of its own, and has to end without leaving anything behind.
 */

import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Interface } from 'node:readline'
import { createInterface } from 'node:readline'
import type { CommandEnd, CommandGiven } from './commands-in-turn.ts'
import { killTree } from './kill-tree.ts'

const program = join(import.meta.dirname, 'commands-in-turn.ts')
/** What closes takes some turns to be gone, on a busy machine for longer; what was left stays for ever. */
const closingMsMax = 20_000

/** How the processes are started. */
export interface ServingProcessOptions {
  /** The command line as one file with its chunks. */
  readonly bundle: string
  readonly cwd: string
  readonly environment: NodeJS.ProcessEnv
  /** How long a server that has ended may take to let go of everything. */
  readonly closingMs?: number
}

/** A server in such a process. */
export interface ServedInTurn {
  readonly url: string
  readonly port: number
  readonly process: ChildProcess
  /** Ends it as a power cut would, and the process with it: the next server gets a new one. */
  readonly kill: () => Promise<void>
  /** Ends it as Ctrl-C would; refuses where it left something behind, or had ended by itself. */
  readonly stop: () => Promise<void>
}

interface Running {
  readonly child: ChildProcess
  readonly lines: Interface
  readonly exit: Promise<null>
}

interface Begun {
  readonly child: ChildProcess
  readonly ended: Promise<CommandEnd | null>
  /** Where it serves; null where it ended before. */
  readonly place: { readonly url: string; readonly port: number } | null
}

/** One server at a time: whoever wants the next one has stopped the one before. */
export class ServingProcess {
  readonly #options: ServingProcessOptions
  #running: Running | null = null
  /** Where the last one was: a browser has its files and its process at the same address. */
  #port = 0
  #lastWords = ''

  constructor(options: ServingProcessOptions) {
    this.#options = options
  }

  /**
   * Runs `serve` on a data directory, with these variables in its environment, and waits for its address, which is that of
   * the one before where it is still free.
   */
  async serve(
    dataDirectory: string,
    environment: Readonly<Record<string, string>> = {},
  ): Promise<ServedInTurn> {
    const { child, ended, place } = await this.#begun(dataDirectory, environment)
    if (place === null && this.#port !== 0) {
      this.#port = 0
      return this.serve(dataDirectory, environment)
    }
    if (place === null) throw new Error(`serve ended before it said where it is. ${this.#lastWords}`)
    const { url, port } = place
    this.#port = port
    let isOver = false
    void ended.then(() => (isOver = true))
    const stop = async (): Promise<void> => {
      // Who kills it knows; a test that only sees a page without an engine doesn't.
      if (child.signalCode === 'SIGKILL') return
      const hadEnded = isOver
      if (!hadEnded) child.kill('SIGINT')
      this.#judge(await ended, { dataDirectory, hadEnded })
    }
    return { url, port, process: child, kill: () => killed(child), stop }
  }

  async #begun(dataDirectory: string, environment: CommandGiven['environment']): Promise<Begun> {
    const { child, lines, exit } = this.#runningNow()
    const ended = Promise.race([once(child, 'message').then(([end]) => end as CommandEnd), exit])
    const said = once(lines, 'line').then(([line]) => String(line))
    const given = ['serve', '--json', '--data', dataDirectory, '--port', String(this.#port)]
    child.send({ words: given, environment } satisfies CommandGiven)
    const line = await Promise.race([said, ended.then(() => null)])
    const words = line === null ? null : (JSON.parse(line) as { readonly type: string } & Begun['place'])
    // It may say why it can't, and ends then.
    if (words?.type !== 'serving') await ended
    return { child, ended, place: words?.type === 'serving' ? words : null }
  }

  /** Ends the process. */
  async end(): Promise<void> {
    if (this.#running !== null) await killed(this.#running.child)
  }

  #judge(end: CommandEnd | null, of: { readonly dataDirectory: string; readonly hadEnded: boolean }): void {
    const isGood = !of.hadEnded && end?.code === 0 && end.left.length === 0
    if (isGood) return
    // What comes next has nothing to do with what went wrong here.
    this.#running?.child.kill('SIGKILL')
    this.#running = null
    const how = of.hadEnded
      ? 'ended by itself'
      : end?.code === 0
        ? `left ${end.left.join(', ')} behind`
        : 'ended badly'
    throw new Error(`The server of ${of.dataDirectory} ${how}. ${this.#lastWords}`)
  }

  #runningNow(): Running {
    if (this.#running !== null && isAlive(this.#running.child)) return this.#running
    const child = startCommands(this.#options)
    if (child.stdout === null || child.stderr === null) throw new Error('It was started with pipes.')
    child.stderr.on('data', (chunk: Buffer) => {
      this.#lastWords = (this.#lastWords + chunk.toString()).slice(-4_000)
    })
    const exit = once(child, 'exit').then(() => null)
    this.#running = { child, lines: createInterface({ input: child.stdout }), exit }
    return this.#running
  }
}

/** Starts a process that runs command lines one after the other. */
export function startCommands({
  bundle,
  cwd,
  environment,
  closingMs = closingMsMax,
}: ServingProcessOptions): ChildProcess {
  return spawn(process.execPath, [program, bundle, String(closingMs)], {
    ...{ cwd, env: environment },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
}

const isAlive = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode === null && signalCode === null

async function killed(child: ChildProcess): Promise<void> {
  if (!isAlive(child)) return
  const exited = once(child, 'exit')
  // Programs of its steps would go on for minutes.
  if (child.pid !== undefined) killTree(child.pid)
  await exited
}
