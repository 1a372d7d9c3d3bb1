/**
 * A process that may do little: it starts with Node's permission model on, an empty environment, a small heap
 * and no file but its own code, and talks with the engine in texts.
 *
 * Inside Electron `process.execPath` is Electron itself, which can't run scripts when the `runAsNode` fuse is
 * off: there the desktop hands in a host made of `utilityProcess`.
 */

import type { ChildProcessByStdio } from 'node:child_process'
import { spawn } from 'node:child_process'
import { dirname, resolve } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { readLines } from './text-lines.ts'

/** A guarded process that has been started. Texts are one JSON message each. */
export interface GuardedProcess {
  readonly send: (text: string) => void
  readonly onText: (receive: (text: string) => void) => void
  /** Called once, after the last text. */
  readonly onExit: (receive: () => void) => void
  /** Ends it at once, whatever it is doing. */
  readonly kill: () => void
}

/** Starts processes of one kind. */
export interface GuardedHost {
  readonly start: () => GuardedProcess
}

/** The host for a plain Node process; `root` is what leads from the entry to the root of a checkout. */
export function createNodeGuardedHost(what: {
  readonly entry: string
  readonly root: string
  readonly heapMb: number
  /** What it is allowed beyond reading its own code. */
  readonly flags?: readonly string[]
}): GuardedHost {
  const { entry, root, heapMb, flags: more = [] } = what
  const flags = ['--permission', ...more, ...readable(entry, root).map((path) => `--allow-fs-read=${path}`)]
  return {
    start() {
      const child = spawn(
        process.execPath,
        [...flags, `--max-old-space-size=${heapMb}`, '--disable-warning=SecurityWarning', entry],
        { env: {}, stdio: ['pipe', 'pipe', 'ignore'], cwd: dirname(entry), windowsHide: true },
      )
      return talkedTo(child)
    },
  }
}

/** A child as it is talked with: a text per line of its standard input and output. */
export function talkedTo(child: ChildProcessByStdio<Writable, Readable, null>): GuardedProcess {
  // A process that could not be started ends like any other; one that is gone takes no more texts.
  child.stdin.on('error', () => {})
  return {
    send: (text) => child.stdin.write(`${text}\n`),
    onText: (receive) => readLines(child.stdout, receive),
    onExit(receive) {
      child.once('error', receive)
      child.once('close', receive)
    },
    kill: () => child.kill('SIGKILL'),
  }
}

/** What the process may read: its own code, and nothing of the user's. */
function readable(entry: string, root: string): readonly string[] {
  if (!entry.endsWith('.ts')) return [dirname(entry)]
  const checkout = resolve(dirname(entry), root)
  return ['src-engine', 'node_modules', 'package.json'].map((name) => resolve(checkout, name))
}
