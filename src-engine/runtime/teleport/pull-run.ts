/**
 * Copies a run from another store: its whole history, checked, with the version it is bound to, the payloads
 * beside it and its dead letters. Nothing is kept here before all of it is at hand.
 */

import type { DeadLetter } from '../../model/checkpoint.ts'
import { definitionHashOf } from '../../model/definition-hash.ts'
import { recordOfThrown, SagasmithError } from '../../model/errors.ts'
import type { EngineEvent } from '../../model/event.ts'
import type { BlobHash, DefinitionHash, RunId } from '../../model/ids.ts'
import type { JsonObject } from '../../model/json.ts'
import { canonicalJson } from '../../model/json.ts'
import { pageSizeMax, pulledPayloadBytesMax } from '../../model/limits.ts'
import type { PulledRun } from '../../model/pulled-run.ts'
import type { ReplayState } from '../../model/replay.ts'
import type { RunRecord } from '../../model/run.ts'
import { runMachine } from '../../model/run-status.ts'
import { sealRegister } from '../../model/seal.ts'
import type { TaskSpec } from '../../model/task-spec.ts'
import type { Instant } from '../../model/time.ts'
import type { WorkflowDocument } from '../../model/workflow.ts'
import type { WorkflowVersion } from '../../model/workflow-version.ts'
import type { PullProgress } from '../../protocol/teleport.ts'
import type { PulledFile } from '../../store/pulled/pulled-file.ts'
import type { Store } from '../../store/store.ts'
import { partitionOfRun } from '../run-place.ts'
import { createJournalCheck, damaged } from './journal-check.ts'
import { addNamedPayloads, addNamedVersions } from './named-by-events.ts'
import type { Journal } from './read-journal.ts'
import { readJournal } from './read-journal.ts'

export interface PullParts {
  readonly source: Store
  /** What people call it. */
  readonly cluster: string
  /** The source is a file that somebody brought. */
  readonly isFile?: boolean
  readonly file: PulledFile
  /** The runs of this machine: none of their ids is taken. */
  readonly local: Pick<Store, 'info' | 'load'>
  readonly now: () => Instant
  readonly told: (progress: Omit<PullProgress, 'runs'>) => void
  /** What the run waits for, as JSON text. */
  readonly waiting: (runId: RunId) => Promise<string>
  /** The kinds that this machine knows: a version of these must be what its hash says. */
  readonly specsByKind: ReadonlyMap<string, TaskSpec>
  /** Payloads beyond this stay where they are; the limit when absent. */
  readonly payloadBytesMax?: number
}

export interface PulledOne {
  readonly run: PulledRun
  readonly newEvents: number
  readonly rolledBack: boolean
  /** What its events lead to. */
  readonly state: ReplayState
}

/** A run that goes on writes while it is read; it is a snapshot then. */
const looksMax = 5

/** Throws `run_not_found`, `teleport_id_taken`, `teleport_journal_damaged`, and what the source throws. */
export async function pullRun(parts: PullParts, runId: RunId): Promise<PulledOne> {
  const { source, file } = parts
  await refuseTaken(parts, runId)
  const { journal, known, rolledBack } = await begin(parts, runId)
  const record = await readToRecord(parts, runId, journal)
  const { check, pages } = journal
  const versions = await versionsOf(parts, runId, new Set([record.definitionHash, ...journal.versions]))
  const brought = await bringPayloads(parts, runId, journal)
  const run = toldOf(parts, { record, journal, brought })
  const { id, chain, partitions } = source.info
  file.keep({
    origin: { id, chain, partitions: partitions.length },
    sealing: (await source.load(partitions[0] ?? 0, 'register', { key: sealRegister }))?.value ?? null,
    pulled: run,
    record,
    waiting: await parts.waiting(runId),
    pages,
    isWhole: known === 0,
    versions,
    letters: await lettersOf(source, runId),
    payloads: brought.here,
  })
  return { run, newEvents: check.count() - known, rolledBack, state: check.state() }
}

function toldOf(
  { source, cluster, now, isFile }: PullParts,
  {
    record,
    journal: { check },
    brought,
  }: { readonly record: RunRecord; readonly journal: Journal; readonly brought: Brought },
): PulledRun {
  const { id, workflowId, workflowTitle, definitionHash, parentRunId, status, createdAt } = record
  const last = check.last()
  return {
    runId: id,
    workflowId,
    workflowTitle,
    definitionHash,
    parentRunId,
    status,
    createdAt,
    origin: {
      cluster,
      storeId: source.info.id,
      pulledAt: now(),
      epoch: last?.epoch ?? 0,
      seq: last?.seq ?? 0,
      ...(isFile === true ? { isFile } : {}),
    },
    isSnapshot: !runMachine.final.has(status),
    events: check.count(),
    payloads: { count: brought.here.length, bytes: brought.bytes, leftOut: brought.leftOut },
  }
}

async function refuseTaken({ local, file, source }: PullParts, runId: RunId): Promise<void> {
  const own = await local.load(partitionOfRun(local.info, runId), 'run', { runId })
  if (own !== null) {
    throw new SagasmithError('teleport_id_taken', {
      message: `This machine has a run ${runId} of its own: it stays as it is.`,
      details: { runId },
    })
  }
  const other = file.find(runId)
  if (other === null || other.origin.storeId === source.info.id) return
  throw new SagasmithError('teleport_id_taken', {
    message: `A run ${runId} was pulled from ${other.origin.cluster} already, which is another store.`,
    hint: `Forget that one with \`sagasmith teleport drop ${runId}\`, or pull into a place of its own: --into sqlite:FOLDER.`,
    details: { runId, cluster: other.origin.cluster, storeId: other.origin.storeId },
  })
}

interface Begun {
  readonly journal: Journal
  /** Events that were here already. */
  readonly known: number
  readonly rolledBack: boolean
}

/** Goes on from what was pulled before, unless a failover took some of that back. */
async function begin({ source, file }: PullParts, runId: RunId): Promise<Begun> {
  const empty = (): Journal => ({
    runId,
    check: createJournalCheck(runId, source.info.chain),
    pages: [],
    payloads: new Set(),
    versions: new Set(),
  })
  const journal = empty()
  for (const events of file.pages(runId, { epoch: 0, seq: 0 })) {
    journal.check.add(events)
    addNamedPayloads(events, journal.payloads)
    addNamedVersions(events, journal.versions)
  }
  const last = journal.check.last()
  if (last === null || (await isStillThere(source, last))) {
    return { journal, known: journal.check.count(), rolledBack: false }
  }
  return { journal: empty(), known: 0, rolledBack: true }
}

async function isStillThere(source: Store, event: EngineEvent): Promise<boolean> {
  const { partition, epoch, seq, runId, hash } = event
  const after = { partition, epoch, seq: seq - 1 }
  const [found] = await source.readEvents({ after, runId, until: null, limit: 1 })
  return found?.epoch === epoch && found.seq === seq && found.hash === hash
}

/** The record that the events led to; of a run that goes on, the last one that both tell alike. */
async function readToRecord(
  { source, told, cluster }: PullParts,
  runId: RunId,
  journal: Journal,
): Promise<RunRecord> {
  const { check } = journal
  for (let look = 0; ; look += 1) {
    await readJournal(source, journal, (events) =>
      told({ phase: 'events', runId, events, payloads: 0, bytes: 0 }),
    )
    const record = await source.load(partitionOfRun(source.info, runId), 'run', { runId })
    if (record === null) throw noSuchRun(runId, cluster)
    const { run } = check.state()
    if (run === null) throw damaged(runId, 'it has no events')
    if (run.version === record.version) {
      if (canonicalJson(json(run)) === canonicalJson(json(record))) return record
      throw damaged(runId, 'its events lead to another record than the one that is kept')
    }
    if (run.version > record.version && look > 0)
      throw damaged(runId, `its record is at version ${record.version}, its events at ${run.version}`)
    // Its events are the truth: what they tell is a state that it was in.
    if (look === looksMax) return run
  }
}

/** Records are plain JSON data. */
const json = (record: RunRecord): JsonObject => ({ ...record }) as unknown as JsonObject

const noSuchRun = (runId: RunId, cluster: string): SagasmithError =>
  new SagasmithError('run_not_found', {
    message: `There is no run ${runId} on ${cluster}.`,
    details: { runId, cluster },
  })

/** Those that the run was ever bound to: its own first. */
async function versionsOf(
  { source, specsByKind }: PullParts,
  runId: RunId,
  hashes: ReadonlySet<DefinitionHash>,
): Promise<readonly WorkflowVersion[]> {
  const home = source.info.partitions[0] ?? 0
  const versions: WorkflowVersion[] = []
  for (const hash of hashes) {
    const version = await source.load(home, 'workflowVersion', { hash })
    if (version === null) throw damaged(runId, `the version ${hash} that it was bound to is gone`)
    if (!isGenuine(version, specsByKind)) {
      throw new SagasmithError('definition_altered', {
        message: `The version ${hash} of “${version.workflowId}” is another one than its hash says.`,
        details: { hash, runId },
      })
    }
    versions.push(version)
  }
  return versions
}

/** What kinds leave out counts in the hash: without knowing them it can't be told. */
function isGenuine(
  { hash, document: text }: WorkflowVersion,
  specsByKind: PullParts['specsByKind'],
): boolean {
  // A published version is a document that passed validation.
  const document = JSON.parse(text) as WorkflowDocument
  const kinds = Object.values(document.nodes).map(({ kind }) => kind)
  return !kinds.every((kind) => specsByKind.has(kind)) || definitionHashOf(document, specsByKind) === hash
}

interface Brought {
  readonly here: readonly BlobHash[]
  readonly bytes: number
  readonly leftOut: number
}

/** The bytes are as they were stored: what is sealed stays so, and what was redacted was never there. */
async function bringPayloads(parts: PullParts, runId: RunId, { payloads, check }: Journal): Promise<Brought> {
  const { source, file, told, payloadBytesMax = pulledPayloadBytesMax } = parts
  const here: BlobHash[] = []
  let bytes = 0
  for (const hash of payloads) {
    let content = file.payload(hash)
    if (content === null && bytes < payloadBytesMax) {
      content = await found(source, hash)
      if (content !== null && bytes + content.byteLength <= payloadBytesMax) file.putPayload(hash, content)
      else content = null
    }
    if (content === null) continue
    here.push(hash)
    bytes += content.byteLength
    told({ phase: 'payloads', runId, events: check.count(), payloads: here.length, bytes })
  }
  return { here, bytes, leftOut: payloads.size - here.length }
}

/** Null for what retention has removed, or what is damaged there. */
async function found(source: Store, hash: BlobHash): Promise<Uint8Array | null> {
  try {
    return await source.getBlob(hash)
  } catch (thrown) {
    if (recordOfThrown(thrown).code === 'blob_missing') return null
    throw thrown
  }
}

async function lettersOf(source: Store, runId: RunId): Promise<readonly DeadLetter[]> {
  const home = source.info.partitions[0] ?? 0
  const letters: DeadLetter[] = []
  for (let after: string | null = null; ; ) {
    const page: readonly DeadLetter[] = await source.list(home, 'deadLetters', {
      filter: { reason: null, workflowId: null, runId },
      page: { after, limit: pageSizeMax },
    })
    letters.push(...page)
    after = page.at(-1)?.id ?? null
    if (page.length < pageSizeMax) return letters
  }
}
