/**
 * Starts the process in which JavaScript code runs. It is used once and thrown away, so that code which
 * hangs or eats memory can be ended without touching the engine.
 *
 * `createNodeSandboxHost` is for a plain Node: the process starts with Node's permission model on, an empty
 * environment and a small heap. Inside Electron `process.execPath` is Electron itself, which can't run
 * scripts when the `runAsNode` fuse is off: there the desktop hands in a host made of `utilityProcess`, whose
 * child finds `process.parentPort` and talks through that instead of its standard streams.
 */

import { spawn } from 'node:child_process'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { entryFile } from '../entry-file.ts'
import { readLines } from './text-lines.ts'

/** A sandbox process that has been started. Texts are one JSON message each, see `sandbox-message.ts`. */
export interface SandboxProcess {
  readonly send: (text: string) => void
  readonly onText: (receive: (text: string) => void) => void
  /** Called once, after the last text. */
  readonly onExit: (receive: () => void) => void
  /** Ends it at once, whatever it is doing. */
  readonly kill: () => void
}

export interface SandboxHost {
  readonly start: () => SandboxProcess
}

/** The sandbox's entry: a source file in a checkout, `javascript-sandbox.js` in a bundle. */
function sandboxEntry(): string {
  return fileURLToPath(
    entryFile({ from: import.meta.url, source: './sandbox.ts', bundled: 'javascript-sandbox' }),
  )
}

/** More than QuickJS ever needs outside of its WebAssembly memory. */
const hostHeapMb = 96

/** The host for a plain Node process. */
export function createNodeSandboxHost(): SandboxHost {
  const entry = sandboxEntry()
  const flags = ['--permission', ...readable(entry).map((path) => `--allow-fs-read=${path}`)]
  return {
    start() {
      const child = spawn(
        process.execPath,
        [...flags, `--max-old-space-size=${hostHeapMb}`, '--disable-warning=SecurityWarning', entry],
        { env: {}, stdio: ['pipe', 'pipe', 'ignore'], cwd: dirname(entry), windowsHide: true },
      )
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
    },
  }
}

/** What the process may read: its own code, and nothing of the user's. */
function readable(entry: string): readonly string[] {
  if (!entry.endsWith('.ts')) return [dirname(entry)]
  const root = resolve(dirname(entry), '../../..')
  return ['src-engine', 'node_modules', 'package.json'].map((name) => resolve(root, name))
}
