/**
 * A run as a file that one person hands to another: what a pull keeps of it, as lines of JSON, compressed. Nothing
 * in it is believed: whoever opens it checks it as a pull from a stranger's store is checked.
 */

import { createHash } from 'node:crypto'
import { gunzipSync, gzipSync } from 'node:zlib'
import { z } from 'zod'
import type { DeadLetter } from '../../model/checkpoint.ts'
import { SagasmithError } from '../../model/errors.ts'
import type { EngineEvent } from '../../model/event.ts'
import type { BlobHash, RunId } from '../../model/ids.ts'
import { blobHash, runId } from '../../model/ids.ts'
import type { JsonValue } from '../../model/json.ts'
import { pulledRunsMax, runFileBytesMax, runFileTextMax } from '../../model/limits.ts'
import type { PulledRun } from '../../model/pulled-run.ts'
import type { RunRecord } from '../../model/run.ts'
import type { WorkflowVersion } from '../../model/workflow-version.ts'
import type { PulledFile, PulledOrigin } from './pulled-file.ts'
import { pageOf } from './pulled-file.ts'

const format = 'sagasmith.run'
const formatVersion = 1

/** What the file says of itself. */
export interface RunFileHead {
  /** The run that it is about, then those that went along. */
  readonly runIds: readonly RunId[]
  /** The number of the event to look at first; null for the end. */
  readonly at: number | null
}

/** Writes these runs of a file of pulled ones. Throws `run_file_too_large`. */
export function writeRunFile(pulled: PulledFile, head: RunFileHead): Uint8Array {
  const lines: string[] = []
  let chars = 0
  const add = (line: object): void => {
    const text = JSON.stringify(line)
    chars += text.length + 1
    if (chars > runFileTextMax) throw tooLarge(head)
    lines.push(text)
  }
  const [versions, payloads] = [new Set<string>(), new Set<BlobHash>()]
  add({ format, version: formatVersion, ...head })
  for (const runId of head.runIds) {
    const [of, told, record] = [pulled.originOf(runId), pulled.find(runId), pulled.record(runId)]
    if (of === null || told === null || record === null) continue
    const own = pulled.named(runId)
    const sealing = pulled.sealingOf(of.id)
    add({
      kind: 'run',
      origin: of,
      sealing,
      pulled: told,
      record,
      waiting: pulled.waiting(runId),
      letters: pulled.letters(runId),
      ...own,
    })
    for (const events of pulled.pages(runId, { epoch: 0, seq: 0 })) add({ kind: 'events', runId, events })
    for (const hash of own.versions) {
      if (!versions.has(hash)) add({ kind: 'version', version: pulled.version(hash) })
      versions.add(hash)
    }
    for (const hash of own.payloads) {
      const bytes = payloads.has(hash) ? null : pulled.payload(hash)
      if (bytes !== null) add({ kind: 'payload', hash, base64: Buffer.from(bytes).toString('base64') })
      payloads.add(hash)
    }
  }
  const file = gzipSync(`${lines.join('\n')}\n`)
  if (file.byteLength > runFileBytesMax) throw tooLarge(head)
  return file
}

const tooLarge = ({ runIds }: RunFileHead): SagasmithError =>
  new SagasmithError('run_file_too_large', {
    message: `The run ${runIds[0] ?? ''} with what belongs to it is more than a file of ${runFileBytesMax / 1_000_000} MB.`,
    details: { runs: runIds.length, bytesMax: runFileBytesMax },
  })

// Only what is used before a pull checks the rest: the forms of records and events are the pull's to judge.
const anyObject = z.record(z.string(), z.unknown())
const text = z.string().min(1).max(512)
const headLine = z.object({
  format: z.literal(format),
  version: z.int(),
  runIds: z.array(text).min(1).max(pulledRunsMax),
  at: z.int().min(0).nullable(),
})
const runLine = z.object({
  kind: z.literal('run'),
  origin: z.object({
    id: text,
    chain: z.enum(['sha256', 'sha256-sha1']),
    partitions: z.int().min(1).max(65_536),
  }),
  sealing: z.unknown(),
  pulled: anyObject.and(
    z.object({
      runId: text,
      origin: z.object({ cluster: text, storeId: text, pulledAt: z.int(), epoch: z.int(), seq: z.int() }),
    }),
  ),
  record: anyObject.and(z.object({ id: text })),
  waiting: z.string(),
  letters: z.array(anyObject.and(z.object({ id: text }))),
  versions: z.array(text),
  payloads: z.array(text),
})
const eventsLine = z.object({ kind: z.literal('events'), runId: text, events: z.array(anyObject) })
const versionLine = z.object({
  kind: z.literal('version'),
  version: z.object({ hash: text, workflowId: text, document: z.string() }).loose(),
})
const payloadLine = z.object({ kind: z.literal('payload'), hash: text, base64: z.base64() })
const line = z.discriminatedUnion('kind', [runLine, eventsLine, versionLine, payloadLine])
type Line = z.infer<typeof line>

/**
 * Puts the runs of a file into one of pulled runs that nobody reads from yet. Throws `run_file_unreadable`.
 * Whether they hold together, whoever takes them from there sees.
 */
export function readRunFile(bytes: Uint8Array, into: PulledFile): RunFileHead {
  const [first, ...rest] = textOf(bytes).trimEnd().split('\n')
  const head = parsed(headLine, first ?? '')
  if (head.version > formatVersion) throw unreadable('it is from a newer Sagasmith')
  const lines = rest.map((one) => parsed(line, one))
  const versions = new Map(
    lines.flatMap((one) => (one.kind === 'version' ? [[one.version.hash, one.version] as const] : [])),
  )
  const pages = new Map<string, z.infer<typeof eventsLine>['events'][]>()
  const payloads = new Set<string>()
  for (const one of lines) {
    if (one.kind === 'payload') payloads.add(putPayload(into, one))
    if (one.kind === 'events') {
      const of = pages.get(one.runId) ?? []
      pages.set(one.runId, of)
      of.push(one.events)
    }
  }
  for (const run of lines) {
    if (run.kind !== 'run') continue
    if (run.record.id !== run.pulled.runId) throw unreadable('a run in it has two names')
    // The forms of these are checked by whoever takes the run from here; nothing else reads them before.
    into.keep({
      origin: run.origin as PulledOrigin,
      sealing: (run.sealing ?? null) as JsonValue,
      pulled: run.pulled as unknown as PulledRun,
      record: run.record as unknown as RunRecord,
      waiting: run.waiting,
      pages: (pages.get(run.record.id) ?? []).map((page) =>
        pageOf(page as unknown as readonly EngineEvent[]),
      ),
      isWhole: true,
      versions: run.versions.map((hash) => {
        const version = versions.get(hash)
        if (version === undefined) throw unreadable(`the version ${hash} is missing`)
        return version as unknown as WorkflowVersion
      }),
      letters: run.letters as unknown as readonly DeadLetter[],
      payloads: run.payloads.filter((hash) => payloads.has(hash)).map(blobHash),
    })
  }
  const runIds = head.runIds.map(runId)
  if (runIds.some((id) => into.find(id) === null)) throw unreadable('a run that it names is missing')
  return { runIds, at: head.at }
}

/** Bytes under another name than their own are somebody's mistake, or worse. */
function putPayload(into: PulledFile, { hash, base64 }: Extract<Line, { readonly kind: 'payload' }>): string {
  const bytes = Buffer.from(base64, 'base64')
  if (createHash('sha256').update(bytes).digest('hex') !== hash.replace(/^sha256:/, ''))
    throw unreadable(`a payload in it isn’t what its name says (${hash})`)
  into.putPayload(blobHash(hash), bytes)
  return hash
}

function textOf(bytes: Uint8Array): string {
  if (bytes.byteLength > runFileBytesMax) throw unreadable('it is too large')
  try {
    return gunzipSync(bytes, { maxOutputLength: runFileTextMax }).toString('utf8')
  } catch (cause) {
    throw unreadable('it is damaged, or no file of a run', cause)
  }
}

function parsed<Form extends z.ZodType>(form: Form, one: string): z.infer<Form> {
  try {
    const read = form.safeParse(JSON.parse(one))
    if (read.success) return read.data
  } catch (cause) {
    throw unreadable('a line of it is no JSON', cause)
  }
  throw unreadable('a line of it says something else than a run’s file does')
}

const unreadable = (problem: string, cause?: unknown): SagasmithError =>
  new SagasmithError('run_file_unreadable', {
    message: `The file can’t be opened: ${problem}.`,
    details: { problem },
    ...(cause === undefined ? {} : { cause }),
  })
