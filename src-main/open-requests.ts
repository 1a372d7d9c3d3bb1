/** Files that the app is asked to open from outside: by its command line or by a second start. */

import { existsSync, statSync } from 'node:fs'
import { extname, resolve } from 'node:path'

/** A command line as the system handed it over: hostile input. */
export interface CommandLine {
  readonly argv: readonly string[]
  readonly cwd: string
  /** How many leading entries are the program itself (and the app folder, when started from a checkout). */
  readonly programCount: number
}

/** The first existing workflow file among the arguments, absolute; null when there is none. */
export function fileOfCommandLine({ argv, cwd, programCount }: CommandLine): string | null {
  for (const argument of argv.slice(programCount)) {
    if (argument.startsWith('-') || argument.includes('\0') || extname(argument) !== '.json') continue
    const path = resolve(cwd, argument)
    if (existsSync(path) && statSync(path).isFile()) return path
  }
  return null
}

export interface OpenRequests {
  readonly put: (path: string) => void
  /** Takes the newest request; null when there is none. */
  readonly take: () => string | null
}

/** Keeps the newest request until a page takes it: what is pushed before a page listens is lost. */
export function createOpenRequests(onPut: (path: string) => void): OpenRequests {
  let waiting: string | null = null
  return {
    put: (path) => {
      waiting = path
      onPut(path)
    },
    take: () => {
      const path = waiting
      waiting = null
      return path
    },
  }
}
