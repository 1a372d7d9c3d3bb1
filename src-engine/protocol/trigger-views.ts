/** What can be asked and said about published triggers, what they did, and the events that they heard. */

import type { EventRecord } from '../model/event-record.ts'
import type { RunId, WorkflowId } from '../model/ids.ts'
import type { JsonValue } from '../model/json.ts'
import type { Instant } from '../model/time.ts'
import type { FiringRecord, SourceProblem, TriggerName, TriggerRecord } from '../model/trigger.ts'

/** How far a trigger has read its stream. */
export interface StreamReading {
  /** Why it isn't read now; null while it is, and where nobody has tried yet. */
  readonly problem: SourceProblem | null
  /** Entries that are decided and not acknowledged. */
  readonly open: number
  /** The entry that was decided last, and when; null for none. */
  readonly last: { readonly id: string; readonly at: Instant } | null
}

/** A trigger as it is now. */
export interface TriggerView extends TriggerRecord {
  /** Whether its occurrences count now. */
  readonly on: boolean
  /** Of its conditions, those that it waits for; none for a trigger that has no conditions. */
  readonly missing: readonly string[]
  /** Null for one that reads no stream. */
  readonly reading: StreamReading | null
  /** Why the folder that it watches can't be read on the engine's machine; null while it can, and for other kinds. */
  readonly folderProblem: SourceProblem | null
}

export interface FiringPage {
  readonly firings: readonly FiringRecord[]
  /** Where the next page begins; null for none. */
  readonly next: string | null
}

export interface EventPage {
  readonly events: readonly EventRecord[]
  readonly next: string | null
}

/** Why a run began: the record of its trigger with the events that led to it; null where a person began it. */
export interface RunReason {
  readonly firing: FiringRecord | null
  /** The records of the conditions that were met for it, where it was started by several. */
  readonly conditions: readonly FiringRecord[]
  readonly events: readonly EventRecord[]
  /** Runs whose steps emitted those, or whose ends were met. */
  readonly runs: readonly RunId[]
}

export interface TriggerDeskApi {
  readonly 'triggers.list': {
    readonly input: { readonly workflowId: WorkflowId | null }
    readonly output: { readonly triggers: readonly TriggerView[] }
  }
  readonly 'triggers.show': {
    readonly input: TriggerName
    readonly output: {
      readonly trigger: TriggerView
      readonly firings: readonly FiringRecord[]
      /** Why it starts nothing now, what it waits for, what became of the last occurrence: sentences. */
      readonly standing: readonly string[]
    }
  }
  /** Newest first; of one trigger, one workflow, or all. */
  readonly 'triggers.firings': {
    readonly input: {
      readonly workflowId: WorkflowId | null
      readonly triggerId: string | null
      readonly after: string | null
      readonly limit: number
    }
    readonly output: FiringPage
  }
  readonly 'triggers.why': { readonly input: { readonly runId: RunId }; readonly output: RunReason }
  /** Starts its run now, beside its occurrences: none of them is used up. */
  readonly 'triggers.fire': {
    readonly input: TriggerName & { readonly input: JsonValue | null; readonly by: string | null }
    readonly output: { readonly firing: FiringRecord }
  }
  /** On or off, whatever the document says, until it is said otherwise; null leaves it to the document. */
  readonly 'triggers.switch': {
    readonly input: TriggerName & { readonly on: boolean | null }
    readonly output: { readonly trigger: TriggerView }
  }
  /** Drops what it waits with. */
  readonly 'triggers.clear': {
    readonly input: TriggerName
    readonly output: { readonly trigger: TriggerView; readonly dropped: number }
  }
  readonly 'events.list': {
    readonly input: { readonly after: string | null; readonly limit: number }
    readonly output: EventPage
  }
  readonly 'events.show': {
    readonly input: { readonly eventId: string }
    readonly output: {
      readonly event: EventRecord
      readonly payload: JsonValue
      readonly firings: readonly FiringRecord[]
    }
  }
}
