/** Starting other programs: one that takes over the terminal, or one whose words are captured. */
import { spawn } from 'node:child_process'
import { delimiter, dirname } from 'node:path'
import { compileCache } from './compile-cache.mjs'
import { root } from './paths.mjs'

/** @typedef {{ code: number, signal: NodeJS.Signals | null, ms: number }} Exit */

/**
 * The environment of Node children: compiled code is cached, which halves start-up.
 * @returns {NodeJS.ProcessEnv}
 */
export function nodeEnv() {
  return { NODE_COMPILE_CACHE: compileCache, ...process.env }
}

/**
 * The environment of the project's tools: as `nodeEnv`, and `node` means the Node that was chosen.
 * @param {string} node
 * @returns {NodeJS.ProcessEnv}
 */
export function toolEnv(node) {
  return { ...nodeEnv(), PATH: `${dirname(node)}${delimiter}${process.env['PATH'] ?? ''}` }
}

/** @param {import('node:child_process').ChildProcess} child */
function forwardSignals(child) {
  // A terminal sends Ctrl-C to the whole foreground group: the child has it already, and a second one
  // would read as "stop at once".
  const fromTerminal = process.stdin.isTTY
  /** @type {readonly NodeJS.Signals[]} */
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
  const handlers = signals.map((signal) => {
    const handler = () => {
      if (signal !== 'SIGINT' || !fromTerminal) child.kill(signal)
    }
    process.on(signal, handler)
    return { signal, handler }
  })
  return () => {
    for (const { signal, handler } of handlers) process.off(signal, handler)
  }
}

/**
 * Runs a program to its end with the launcher's own stdin, stdout and stderr. Signals reach it.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, onStdout?: (text: string) => void, onSpawn?: (child: import('node:child_process').ChildProcess) => void }} [options]
 * `onStdout` sees what the program prints; it is printed too
 * @returns {Promise<Exit>}
 */
export function runThrough(command, args, options = {}) {
  const startedAt = performance.now()
  return new Promise((settle, reject) => {
    const child = spawn(command, args, {
      cwd: options.cwd ?? process.cwd(),
      env: options.env ?? process.env,
      stdio: ['inherit', options.onStdout === undefined ? 'inherit' : 'pipe', 'inherit'],
    })
    const stopForwarding = forwardSignals(child)
    options.onSpawn?.(child)
    child.stdout?.on('data', (chunk) => {
      process.stdout.write(chunk)
      options.onStdout?.(String(chunk))
    })
    child.once('error', reject)
    child.once('close', (code, signal) => {
      stopForwarding()
      settle({ code: code ?? 1, signal, ms: performance.now() - startedAt })
    })
  })
}

/**
 * Runs a program in the root and keeps what it says (stdout and stderr in the order of arrival).
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ env?: NodeJS.ProcessEnv, timeoutMs?: number }} [options] past `timeoutMs` it is killed
 * @returns {Promise<Exit & { text: string }>}
 */
export function runCaptured(command, args, options = {}) {
  const startedAt = performance.now()
  return new Promise((settle, reject) => {
    const child = spawn(command, args, {
      cwd: root,
      env: options.env ?? process.env,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: options.timeoutMs,
      killSignal: 'SIGKILL',
    })
    let text = ''
    const keep = (/** @type {Buffer} */ chunk) => {
      text += chunk.toString('utf8')
    }
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    const stopForwarding = forwardSignals(child)
    child.once('error', reject)
    child.once('close', (code, signal) => {
      stopForwarding()
      settle({ code: code ?? 1, signal, ms: performance.now() - startedAt, text })
    })
  })
}

/**
 * Ends the launcher the way its child ended: same exit code, or the same signal.
 * @param {Pick<Exit, 'code' | 'signal'>} exit
 */
export function endLike(exit) {
  if (exit.signal !== null && process.platform !== 'win32') process.kill(process.pid, exit.signal)
  else process.exitCode = exit.code
}
