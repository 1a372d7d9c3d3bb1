/** The engine's log: one JSON object per line in a file of the data directory. */

import { createWriteStream, existsSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { JsonObject } from '../model/json.ts'
import type { Clock, Logger } from '../model/ports.ts'

export const logLevels = ['debug', 'info', 'warn', 'error'] as const
export type LogLevel = (typeof logLevels)[number]

export interface FileLogger extends Logger {
  readonly close: () => Promise<void>
}

/** A file larger than this becomes `engine.log.1` when the engine starts next. */
const rotateBytes = 10_000_000

/** Appends to `<folder>/engine.log` what is at least of that level. */
export function createFileLogger(folder: string, level: LogLevel, clock: Clock): FileLogger {
  const path = join(folder, 'engine.log')
  if (existsSync(path) && statSync(path).size > rotateBytes) renameSync(path, `${path}.1`)
  const stream = createWriteStream(path, { flags: 'a', mode: 0o600 })
  // A full disk must not take the engine down for the sake of its log.
  stream.on('error', () => undefined)
  const write = (of: LogLevel, event: string, fields?: JsonObject): void => {
    if (logLevels.indexOf(of) < logLevels.indexOf(level)) return
    const at = new Date(clock.now()).toISOString()
    stream.write(`${JSON.stringify({ at, level: of, event, pid: process.pid, ...fields })}\n`)
  }
  return {
    debug: (event, fields) => write('debug', event, fields),
    info: (event, fields) => write('info', event, fields),
    warn: (event, fields) => write('warn', event, fields),
    error: (event, fields) => write('error', event, fields),
    close: () => new Promise((resolve) => stream.end(() => resolve())),
  }
}
