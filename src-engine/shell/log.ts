/**
 * The engine's log in a file of the data directory: one JSON object per line, or one line of text. Each entry
 * has its event's name and the ids of what it is about; values under sensitive names are left out.
 */

import { createWriteStream, existsSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { JsonObject, JsonValue } from '../model/json.ts'
import type { Clock, Logger } from '../model/ports.ts'
import { redactedByName } from '../model/sensitive-names.ts'
import type { ShellSettings } from '../model/settings/shell-settings.ts'
import { logLevels } from '../model/settings/shell-settings.ts'

export type LogLevel = (typeof logLevels)[number]

export interface FileLogger extends Logger {
  readonly close: () => Promise<void>
}

export type LogFormat = ShellSettings['logFormat']

export interface LogEntry {
  /** ISO 8601, UTC. */
  readonly at: string
  readonly level: LogLevel
  readonly event: string
  readonly pid: number
  readonly fields: JsonObject
}

/** A file larger than this becomes `engine.log.1` when the engine starts next. */
const rotateBytes = 10_000_000

/** Appends to `<folder>/engine.log` what is at least of that level. */
export function createFileLogger(
  folder: string,
  wanted: { readonly level: LogLevel; readonly format: LogFormat },
  clock: Clock,
): FileLogger {
  const path = join(folder, 'engine.log')
  if (existsSync(path) && statSync(path).size > rotateBytes) renameSync(path, `${path}.1`)
  const stream = createWriteStream(path, { flags: 'a', mode: 0o600 })
  // A full disk must not take the engine down for the sake of its log.
  stream.on('error', () => undefined)
  const least = logLevels.indexOf(wanted.level)
  const writer =
    (level: LogLevel): Logger['info'] =>
    (event, fields = {}) => {
      if (logLevels.indexOf(level) < least) return
      const entry = { at: new Date(clock.now()).toISOString(), level, event, pid: process.pid, fields }
      stream.write(`${logLine(entry, wanted.format)}\n`)
    }
  return {
    debug: writer('debug'),
    info: writer('info'),
    warn: writer('warn'),
    error: writer('error'),
    close: () => new Promise((resolve) => stream.end(() => resolve())),
  }
}

/** One line, whatever the fields hold. Ids are named as in records of other systems: `run_id`, `node_id`. */
export function logLine({ at, level, event, pid, fields }: LogEntry, format: LogFormat): string {
  const shown = namedIds(redactedByName(fields))
  if (format === 'json') return JSON.stringify({ at, level, event, pid, ...shown })
  const parts = Object.entries(shown).map(([name, value]) => `${name}=${textOf(value)}`)
  return [at, level.padEnd(5), event, ...parts].join(' ')
}

/** Text without spaces, quotes and control characters stands as it is; everything else as JSON. */
const textOf = (value: JsonValue): string =>
  typeof value === 'string' && /^[^\s"=\p{C}]+$/u.test(value) ? value : JSON.stringify(value)

const idNames: Readonly<Record<string, string>> = {
  runId: 'run_id',
  invocationId: 'invocation_id',
  nodeId: 'node_id',
  runnerId: 'runner_id',
  workflowId: 'workflow_id',
}

const namedIds = (fields: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [idNames[name] ?? name, value]))
