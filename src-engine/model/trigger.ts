/**
 * A trigger as the engine keeps it, and what it did. The definition of a trigger is part of its workflow's
 * document; this is what published ones are between their occurrences.
 */

import type { Cursor } from './event.ts'
import type { DefinitionHash, RunId, WorkflowId } from './ids.ts'
import type { JsonObject, JsonValue } from './json.ts'
import { isJsonObject } from './json.ts'
import type { Payload } from './payload.ts'
import type { Instant } from './time.ts'

/** Which trigger: the key in the document of its workflow. Two with the same parameters are two. */
export interface TriggerName {
  readonly workflowId: WorkflowId
  readonly triggerId: string
}

/** What a trigger did last. */
export interface LastFiring {
  readonly at: Instant
  /** Its record. */
  readonly firingId: string
  readonly runId: RunId
}

export interface LastSkip {
  readonly at: Instant
  readonly firingId: string
  readonly reason: SkipReason
}

/** Why an occurrence started nothing. */
export type SkipReason =
  /** Its instant passed while nobody was there, and the trigger doesn't make up for it. */
  | 'missed'
  /** The same, and it is longer ago than the trigger makes up for. */
  | 'outside_window'
  /** The same, and newer ones are made up for. */
  | 'too_many_missed'
  /** The run before it still goes on. */
  | 'still_running'
  /** As many runs as may be in line are in line. */
  | 'queue_full'
  /** What would be the input doesn't fit the workflow's form. */
  | 'input_invalid'
  /** The version that it starts is gone, or this Sagasmith can't start it. */
  | 'not_startable'
  /** Runs have started each other through triggers too many times. */
  | 'loop'
  /** The expression of its filter or of its input failed. */
  | 'expression_failed'
  /** Its filter, or what else it asks of an occurrence beside its name, leaves it out. */
  | 'filtered'
  /** It is a condition of other triggers: these start runs. */
  | 'condition'
  /** A condition that was met waited for the others for too long. */
  | 'expired'
  /** One with the same key came before. */
  | 'repeated'

/** A published trigger. */
export interface TriggerRecord extends TriggerName {
  readonly kind: string
  readonly title: string | null
  readonly workflowTitle: string
  readonly parameters: JsonObject
  /** What it starts. */
  readonly definitionHash: DefinitionHash
  readonly baseDirectory: string | null
  /** What the document says. */
  readonly enabled: boolean
  /** What a person says, which counts more; null while nobody does. */
  readonly switched: boolean | null
  /** Since when its occurrences count. */
  readonly since: Instant
  /** The same as a place in the history of each partition, for one that looks there; else null. */
  readonly heardFrom: Cursor | null
  /** Every occurrence of its schedule up to here is decided. */
  readonly decidedUpTo: Instant
  /** The next slot of its schedule; null for none. */
  readonly nextAt: Instant | null
  readonly lastFired: LastFiring | null
  readonly lastSkip: LastSkip | null
  /** How often it started a run, and how many occurrences started none. */
  readonly firedCount: number
  readonly skippedCount: number
  /** Why it can't work as it is; null when it can. */
  readonly problem: string | null
  /** Triggers of its workflow that it is a condition of; it starts runs by itself where there are none. */
  readonly conditionOf: readonly string[]
  /** What it has met and waits with: halves of a condition, events of a batch. */
  readonly waiting: readonly WaitingOccurrence[]
}

/** An occurrence that a trigger has taken and not yet answered. */
export interface WaitingOccurrence {
  /** Which of its conditions; 0 for one that has a single one. */
  readonly condition: number
  /** The occurrence's own id, by which a repeat is known. */
  readonly id: string
  readonly at: Instant
  readonly takenAt: Instant
  /** Where what it carries is kept: the record of an event, or a run. */
  readonly source: OccurrenceSource
}

/** Why what a trigger listens to, a stream or a folder, isn't read. */
export interface SourceProblem {
  readonly code: string
  readonly message: string
  readonly hint: string
  /** Since when. */
  readonly at: Instant
}

/** Where an occurrence comes from. */
export type OccurrenceSource =
  | { readonly kind: 'slot'; readonly slot: Instant }
  | { readonly kind: 'hand'; readonly by: string | null }
  | { readonly kind: 'event'; readonly eventId: string }
  | { readonly kind: 'run'; readonly runId: RunId; readonly nodeId: string | null; readonly status: string }
  | { readonly kind: 'call'; readonly method: string; readonly path: string; readonly remote: string }
  | { readonly kind: 'file'; readonly path: string; readonly change: 'add' | 'change' | 'remove' }
  /** Of entries that came together the first and the last. */
  | {
      readonly kind: 'entry'
      readonly stream: string
      readonly first: string
      readonly last: string
      readonly count: number
    }
  /** A condition was met: the record of that, which tells where it comes from. */
  | { readonly kind: 'condition'; readonly triggerId: string; readonly firingId: string }

/** A trigger that an occurrence is a condition of, and what came of that. */
export interface ConditionUse {
  readonly triggerId: string
  /** The record of what was started, or wasn't, with it; null while it waits, and where it was dropped. */
  readonly firingId: string | null
}

/** The record of an occurrence: it started a run, or this says why it didn't. */
export interface FiringRecord extends TriggerName {
  readonly id: string
  readonly kind: string
  /** When it was decided. */
  readonly at: Instant
  /** Null when it started nothing. */
  readonly runId: RunId | null
  /** Null when it started a run. */
  readonly reason: SkipReason | null
  /** The same in words that name what there is to know. */
  readonly words: string
  /** The instants that it stands for; null for what isn't on a schedule. */
  readonly slots: { readonly from: Instant; readonly to: Instant; readonly count: number } | null
  readonly sources: readonly OccurrenceSource[]
  /** How many triggered runs led to each other up to this one. */
  readonly depth: number
  /** What it is a condition of; empty for what starts runs by itself. */
  readonly conditionOf: readonly ConditionUse[]
  /** What it hands on as a condition; null for what starts runs by itself. */
  readonly carried: Payload | null
}

/** Whether its occurrences count now. */
export const isTriggerOn = ({ enabled, switched, problem }: TriggerRecord): boolean =>
  (switched ?? enabled) && problem === null

/** All triggers have keys with this beginning. */
export const triggerPrefix = 'trigger/'
/** All records of firings have keys with this beginning. */
export const firingPrefix = 'firing/'

const part = (text: string): string => encodeURIComponent(text)

/** The beginning of the keys of all triggers of a workflow. */
export const triggersOf = (workflowId: WorkflowId): string => `${triggerPrefix}${part(workflowId)}/`

export const triggerKey = ({ workflowId, triggerId }: TriggerName): string =>
  triggersOf(workflowId) + part(triggerId)

/** More than any instant has milliseconds. */
const instantMax = Number.MAX_SAFE_INTEGER

/** Sorts before those of all earlier instants. */
export const newestFirstPart = (at: Instant): string =>
  String(instantMax - Math.max(0, Math.floor(at))).padStart(16, '0')

/** The id of an occurrence's record: it follows from what occurred, so that it can be written only once. */
export const firingIdOf = (
  { workflowId, triggerId }: TriggerName,
  occurrence: { readonly at: Instant; readonly id: string },
): string =>
  [newestFirstPart(occurrence.at), part(workflowId), part(triggerId), part(occurrence.id)].join('/')

export const firingKey = (firingId: string): string => firingPrefix + firingId

/** The record as it is kept. */
export const triggerValue = (record: TriggerRecord): JsonValue => record as unknown as JsonValue

/** The trigger that a register holds; null for what isn't one. */
export function readTrigger(value: JsonValue | undefined): TriggerRecord | null {
  if (!isJsonObject(value) || typeof value['triggerId'] !== 'string') return null
  // Nothing but this engine writes registers of these keys; fields that came later were absent before.
  return { heardFrom: null, conditionOf: [], ...value } as unknown as TriggerRecord
}

/** The record as it is kept. */
export const firingValue = (record: FiringRecord): JsonValue => record as unknown as JsonValue

/** The record that a register holds; null for what isn't one. */
export function readFiring(value: JsonValue | undefined): FiringRecord | null {
  if (!isJsonObject(value) || typeof value['triggerId'] !== 'string') return null
  return { conditionOf: [], carried: null, ...value } as unknown as FiringRecord
}
