/**
 * Runs of clusters on this machine: pulled with their whole history, replayed with effects mocked, and resumed
 * where they came from.
 */

import type { ErrorRecord } from '../model/errors.ts'
import type { DefinitionHash, NodeId, RunId } from '../model/ids.ts'
import type { JsonObject } from '../model/json.ts'
import type { PulledRun } from '../model/pulled-run.ts'
import type { RunStatus } from '../model/run-status.ts'
import type { PushPreview } from './push.ts'
import type { RetryAnswer } from './run-control.ts'

export interface PullRequest {
  /** A name or an address. */
  readonly cluster: string
  readonly runId: RunId
  /** The runs that its steps started come along, and theirs. */
  readonly family: boolean
}

export interface PullAnswer {
  /** The run that was asked for, then those that came with it. */
  readonly runs: readonly {
    readonly run: PulledRun
    /** Events that weren't here before. */
    readonly newEvents: number
    /** A failover took back some of what was pulled before: the copy was made anew. */
    readonly rolledBack: boolean
  }[]
  /** Runs of the family that are there no more. */
  readonly gone: readonly RunId[]
}

/** How far a pull is. */
export interface PullProgress {
  /** What is under way. */
  readonly phase: 'events' | 'payloads'
  /** The run of the family. */
  readonly runId: RunId
  readonly runs: number
  readonly events: number
  readonly payloads: number
  readonly bytes: number
}

export interface ReplayRequest {
  readonly runId: RunId
  /** The workflow as it is by now; null for the version that the run was bound to. */
  readonly document: JsonObject | null
  /** What neither follows this step nor is it keeps its recorded result unseen; null to compare all. */
  readonly nodeId: NodeId | null
  /** The named set of the nodes' own mocks; null for each node's first. */
  readonly mocks: string | null
}

/**
 * What became of a step in the replay. `same`: as recorded. `differs`: it came out otherwise, or means
 * something else. `new`: nothing is recorded of it. `gone`: it ran, and doesn't any more. `failed`: it would
 * touch the outside, and nothing answers for it. `kept`: before the step that the replay began with. `open`:
 * the record ends before it does.
 */
export const replayVerdicts = ['same', 'differs', 'new', 'gone', 'failed', 'kept', 'open'] as const
export type ReplayVerdict = (typeof replayVerdicts)[number]

/** Where a step's result in the replay is from: its record, a mock, its kind at work (no effects), nowhere. */
export type ReplaySource = 'recorded' | 'mocked' | 'computed' | 'none'

/** One thing about a step that isn't as it was. */
export interface ReplayDifference {
  /** `definition`: what the step means; then what it got, and what it gave. */
  readonly what: 'definition' | 'input' | 'parameters' | 'status' | 'output' | 'ports' | 'error'
  /** JSON text, shortened; null where there is nothing. */
  readonly recorded: string | null
  readonly replayed: string | null
}

export interface ReplayedStep {
  readonly nodeId: NodeId
  /** `each:3/while:0`; empty outside of maps and loops. */
  readonly path: string
  readonly title: string
  readonly kind: string
  readonly verdict: ReplayVerdict
  readonly source: ReplaySource
  /** Statuses at the end; null where there is no such step. */
  readonly recorded: string | null
  readonly replayed: string | null
  readonly differences: readonly ReplayDifference[]
  /** Why it failed in the replay, or could not be answered for; null where the record says it. */
  readonly error: ErrorRecord | null
}

export interface ReplayReport {
  readonly runId: RunId
  readonly recordedHash: DefinitionHash
  readonly replayedHash: DefinitionHash
  /** In the order in which the replay came to them; what is gone at the end. */
  readonly steps: readonly ReplayedStep[]
  readonly counts: Readonly<Record<ReplayVerdict, number>>
  readonly end: {
    readonly recorded: RunStatus
    readonly replayed: RunStatus
    readonly differences: readonly ReplayDifference[]
  }
  /** Every step is as it was, and so is the end. */
  readonly isSame: boolean
}

/** What resuming asks of the cluster that a run was pulled from. */
export interface ResumeRequest {
  readonly runId: RunId
  /** A name or an address; null for where it was pulled from. */
  readonly cluster: string | null
  /** The version to go on with; null to stay on the run's own. */
  readonly document: JsonObject | null
  /** The step to begin with, beside what failed; null for only that. */
  readonly nodeId: NodeId | null
  readonly by: string | null
  readonly reason: string | null
}

export interface ResumePreview {
  readonly cluster: string
  /** What publishing would mean there; null where the run stays on its version. */
  readonly push: PushPreview | null
  /** The steps that would begin anew; none where it would be refused. */
  readonly again: readonly NodeId[]
  /** Why it would be refused as things are: the run moved on, the connection is read-only, results don't fit. */
  readonly refusal: ErrorRecord | null
}

export interface ResumeAnswer extends RetryAnswer {
  readonly cluster: string
}

/** What having the rest of a pulled run done on this machine asks. */
export interface HereRequest extends Omit<ResumeRequest, 'cluster'> {
  /** What becomes of the run where it came from, if it goes on there: `leave` refuses then, `cancel` ends it first. */
  readonly there: 'leave' | 'cancel'
}

export interface HerePreview {
  readonly cluster: string
  /** The id that it goes on with here. */
  readonly hereId: RunId
  /** How the run is where it came from; null where it is no more. */
  readonly there: RunStatus | null
  /** Whether it is cancelled there first; what begins anew is known only then. */
  readonly cancels: boolean
  /** The steps that would begin anew; none where it would be refused. */
  readonly again: readonly NodeId[]
  /** Of these and what follows them, those that really touch the outside, from this machine. */
  readonly acting: readonly NodeId[]
  /** Secrets that the workflow names and this machine's vault doesn't have. */
  readonly missingSecrets: readonly string[]
  /** Steps that were done there, and can be undone only there: a rollback here leaves them as they are. */
  readonly undoneThere: readonly NodeId[]
  readonly refusal: ErrorRecord | null
}

export interface HereAnswer extends RetryAnswer {
  readonly cluster: string
  /** Whether the run was cancelled there. */
  readonly cancelled: boolean
}

/** A run as a file, with its history, versions, payloads and letters. */
export interface SaveRunRequest {
  readonly runId: RunId
  /** A name or an address; null for this machine and its copies. */
  readonly cluster: string | null
  /** The runs that its steps started go along, and theirs. */
  readonly family: boolean
  /** The event after which whoever opens it looks at the run first, by its number; null for its end. */
  readonly at: number | null
}

export interface SavedRun {
  readonly name: string
  readonly base64: string
  readonly runs: number
  /** Payloads that were too much to go along, or are no more. */
  readonly leftOut: number
}

export interface OpenRunAnswer {
  /** The run that the file is about. */
  readonly runId: RunId
  readonly runs: number
  readonly at: number | null
  /** It is a run of this machine, and shown as such; nothing was copied. */
  readonly isOwn: boolean
}

/** The methods of `teleport.*`. */
export interface TeleportApi {
  /** Copies a run of a cluster here, or what is new of it; throws `teleport_*` and what the cluster throws. */
  readonly 'teleport.pull': { readonly input: PullRequest; readonly output: PullAnswer }
  /** How far the pull of a run is; null while none is under way. */
  readonly 'teleport.progress': {
    readonly input: { readonly runId: RunId }
    readonly output: { readonly progress: PullProgress | null }
  }
  /** The pulled runs, those that were pulled last first. */
  readonly 'teleport.list': {
    readonly input: Record<string, never>
    readonly output: { readonly runs: readonly PulledRun[] }
  }
  /** Writes a run into a file. Throws `run_not_found`, `run_file_too_large`, and what reading throws. */
  readonly 'teleport.save': { readonly input: SaveRunRequest; readonly output: SavedRun }
  /** Takes a run from a file, checked as a pull checks it; throws `run_file_unreadable`, `teleport_*`. */
  readonly 'teleport.open': {
    readonly input: { readonly name: string; readonly base64: string }
    readonly output: OpenRunAnswer
  }
  /** Forgets a pulled run; nothing happens where it came from. */
  readonly 'teleport.drop': {
    readonly input: { readonly runId: RunId }
    readonly output: Record<string, never>
  }
  /** Runs a pulled run again on its recorded effects; nothing outside is touched, and nothing is kept. */
  readonly 'teleport.replay': { readonly input: ReplayRequest; readonly output: ReplayReport }
  /** What a resume would do there, or why it would be refused; nothing is written. */
  readonly 'teleport.preview': { readonly input: ResumeRequest; readonly output: ResumePreview }
  /**
   * Publishes the version and has the run go on there: refused with `teleport_run_moved`,
   * `teleport_other_cluster`, `cluster_read_only`, and with what a retry is refused with.
   */
  readonly 'teleport.resume': { readonly input: ResumeRequest; readonly output: ResumeAnswer }
  /** What `teleport.here` would do, or why it would be refused; nothing is written. */
  readonly 'teleport.previewHere': { readonly input: HereRequest; readonly output: HerePreview }
  /**
   * Makes a run of this machine of a pulled one, and has it go on here with its real effects: refused with
   * `teleport_goes_on_there`, `teleport_goes_on_here`, `teleport_run_moved`, and with what a retry is refused with.
   */
  readonly 'teleport.here': { readonly input: HereRequest; readonly output: HereAnswer }
}
