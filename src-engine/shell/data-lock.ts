/**
 * One engine per data directory. The lock is a file that says who holds it and how to reach it; the lock of
 * a process that is proven dead is taken over, and of several takers exactly one wins: whoever takes a dead
 * lock over must first hold a lock of its own that is named after the dead one.
 */

import { randomUUID } from 'node:crypto'
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { SagasmithError } from '../model/errors.ts'
import type { ProcessIdentity } from '../model/runner.ts'
import { isProvenGone } from '../runtime/process-identity.ts'
import { isSystemError } from './atomic-file.ts'

export interface LockHolder {
  readonly process: ProcessIdentity
  /** Where the holder listens for commands. */
  readonly socket: string
  /** Epoch milliseconds. */
  readonly since: number
  /** What the holder is: `serve`, `run`, `desktop`. */
  readonly role: string
  /** Differs for every holding. */
  readonly nonce: string
}

export interface DataLock {
  readonly holder: LockHolder
  /** Whether an engine that died had left its lock behind. */
  readonly tookOver: boolean
  readonly release: () => void
}

/** Takers of takers: more than this means that processes die while they do nothing but take a lock. */
const depthMax = 8
/** Others may come and go between two looks; nobody loses this often by chance. */
const triesMax = 50

/** Takes the lock, or throws `data_directory_in_use` naming the holder. */
export function acquireDataLock(path: string, holder: Omit<LockHolder, 'nonce'>, depth = 0): DataLock {
  const own: LockHolder = { ...holder, nonce: randomUUID() }
  let tookOver = false
  for (let attempt = 0; attempt < triesMax; attempt += 1) {
    if (createLock(path, own)) return { holder: own, tookOver, release: () => releaseLock(path, own) }
    const other = readLockHolder(path)
    // Gone between two looks: try again.
    if (other === null) continue
    if (depth >= depthMax || !isProvenGone(other.process)) throw inUse(other)
    takeDeadLock(path, { dead: other, holder, depth })
    tookOver = true
  }
  throw new SagasmithError('data_directory_in_use', {
    message: `The lock ${path} changes hands all the time.`,
  })
}

/** Who holds the lock, alive or not; null when nobody does. A damaged file counts as held by nobody known. */
export function readLockHolder(path: string): LockHolder | null {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return null
    throw error
  }
  try {
    // Written by this file only, and put in place whole.
    return JSON.parse(text) as LockHolder
  } catch {
    throw new SagasmithError('data_directory_in_use', {
      message: `The lock file ${path} is damaged, so nobody knows whether an engine is running.`,
      hint: 'Make sure that no Sagasmith uses this directory, then delete the file.',
      details: { path },
    })
  }
}

function takeDeadLock(
  path: string,
  taking: { readonly dead: LockHolder; readonly holder: Omit<LockHolder, 'nonce'>; readonly depth: number },
): void {
  const { dead, holder, depth } = taking
  const guard = acquireDataLock(`${path}.${dead.nonce.slice(0, 8)}`, holder, depth + 1)
  try {
    // Under the guard nobody else removes this dead lock; another taker may have done it before.
    if (readLockHolder(path)?.nonce === dead.nonce) rmSync(path, { force: true })
  } finally {
    guard.release()
  }
}

/** A hard link appears with its whole content or not at all, and never replaces another file. */
function createLock(path: string, holder: LockHolder): boolean {
  const temporary = `${path}.${holder.nonce}.tmp`
  try {
    writeFileSync(temporary, JSON.stringify(holder), { flag: 'wx', mode: 0o600 })
    linkSync(temporary, path)
    return true
  } catch (error) {
    if (isSystemError(error, 'EEXIST')) return false
    throw error
  } finally {
    rmSync(temporary, { force: true })
  }
}

function releaseLock(path: string, own: LockHolder): void {
  if (readLockHolder(path)?.nonce === own.nonce) rmSync(path, { force: true })
}

function inUse(holder: LockHolder): SagasmithError {
  const { pid, host } = holder.process
  return new SagasmithError('data_directory_in_use', {
    message: `Another Sagasmith (process ${pid} on ${host}, ${holder.role}) is using this data directory.`,
    hint: `${wayTo(holder.role)} Commands attach to it by themselves; for another engine choose another directory with --data.`,
    details: { pid, host, role: holder.role, socket: holder.socket },
  })
}

function wayTo(role: string): string {
  if (role === 'serve') return 'Open the address that it printed, or end it first.'
  return role === 'desktop'
    ? 'Use the window that is already open, or close it first.'
    : 'Wait until it has ended.'
}
