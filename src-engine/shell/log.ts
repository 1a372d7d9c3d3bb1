/**
 * The engine's log in a file of the data directory: one JSON object per line, or one line of text. Each entry
 * has its event's name and the ids of what it is about; values under sensitive names are left out.
 */

import { createWriteStream, existsSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { JsonObject, JsonValue } from '../model/json.ts'
import { isJsonObject } from '../model/json.ts'
import type { Clock, Logger } from '../model/ports.ts'
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
  const shown = namedIds(redacted(fields))
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

/** Names whose values nobody may read in a log: of headers, of fields, of variables. */
const sensitive =
  /^(?:.*[-_.])?(?:authorization|cookie|set-?cookie|pass(?:word|wd|phrase)?|secret|token|api-?key|credentials?|private-?key|session-?(?:id|key))$/

/** Deeper than any field of ours; what lies below is left out. */
const depthMax = 8

/** The same fields without what is sensitive by its name, at any depth. */
export function redacted(fields: JsonObject, depth = 0): JsonObject {
  if (depth === depthMax) return {}
  const clean = ([name, value]: readonly [string, JsonValue]): [string, JsonValue] => {
    // One spelling: `apiKey`, `API_KEY` and `api-key` are the same name.
    const plain = name
      .replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2')
      .replaceAll('_', '-')
      .toLowerCase()
    return [name, sensitive.test(plain) ? '(redacted)' : cleanValue(value, depth)]
  }
  return Object.fromEntries(Object.entries(fields).map(clean))
}

function cleanValue(value: JsonValue, depth: number): JsonValue {
  if (Array.isArray(value)) return value.map((item: JsonValue) => cleanValue(item, depth))
  if (isJsonObject(value)) return redacted(value, depth + 1)
  // Headers also come as text: the part after a scheme is what opens doors.
  return typeof value === 'string'
    ? value.replaceAll(/\b(Bearer|Basic)\s+[\w.~+/=-]+/gi, '$1 (redacted)')
    : value
}
