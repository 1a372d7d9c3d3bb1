/** How a trigger stands: what the document says beside what is published. Pure. */

import type { JsonObject } from '../../../src-engine/model/json.ts'
import { canonicalJson, isJsonObject } from '../../../src-engine/model/json.ts'
import type { SourceProblem } from '../../../src-engine/model/trigger.ts'
import type { WorkflowTrigger } from '../../../src-engine/model/workflow.ts'
import type { TriggerView } from '../../../src-engine/protocol/trigger-views.ts'
import { triggerSpecsByKind } from '../../../src-engine/triggers/specs.ts'
import { skipWords, triggers as words } from '../../text/trigger-words.ts'

/** Where a trigger is between the document and the engine. */
export type TriggerStanding = keyof typeof words.standing

export interface TriggerLook {
  readonly standing: TriggerStanding
  readonly tone: 'good' | 'muted' | 'wait' | 'bad'
  /** In a sentence; empty while nobody knows. */
  readonly words: string
  /** What to do about it; null where nothing is wrong, or the words say it. */
  readonly hint: string | null
  /** A webhook that believes everybody. */
  readonly isUnsigned: boolean
  /** Whether its occurrences count now; null for one that isn't published. */
  readonly isOn: boolean | null
}

const toneOf: Readonly<Record<TriggerStanding, TriggerLook['tone']>> = {
  asking: 'muted',
  unknown: 'wait',
  manual: 'muted',
  unpublished: 'muted',
  problem: 'bad',
  unread: 'bad',
  unwatched: 'bad',
  off: 'muted',
  offByHand: 'muted',
  changed: 'wait',
  acts: 'good',
  gone: 'wait',
}

/** How it stands; `views` is null until the engine has said what is published. */
export function lookOf(
  id: string,
  trigger: WorkflowTrigger | null,
  views: ReadonlyMap<string, TriggerView> | null,
): TriggerLook {
  const view = views?.get(id) ?? null
  const standing = standingOf(trigger, view, views !== null)
  const problem = reasonOf(standing, view)
  return {
    standing,
    tone: toneOf[standing],
    words: words.standing[standing] + (problem === null ? '' : `: ${problem}`),
    hint: sourceProblemOf(standing, view)?.hint ?? null,
    isUnsigned: isUnsigned(trigger ?? view),
    isOn: view?.on ?? null,
  }
}

/** Why it can't do what it should. */
function reasonOf(standing: TriggerStanding, view: TriggerView | null): string | null {
  if (standing === 'problem') return view?.problem ?? null
  return sourceProblemOf(standing, view)?.message ?? null
}

/** Why what it listens to can't be read; null for one that hears, or that isn't to hear anything now. */
function sourceProblemOf(standing: TriggerStanding, view: TriggerView | null): SourceProblem | null {
  if (standing === 'unread') return view?.reading?.problem ?? null
  return standing === 'unwatched' ? (view?.folderProblem ?? null) : null
}

function standingOf(
  trigger: WorkflowTrigger | null,
  view: TriggerView | null,
  isKnown: boolean,
): TriggerStanding {
  if (trigger === null) return 'gone'
  if (!triggerSpecsByKind.has(trigger.kind)) return 'unknown'
  if (trigger.kind === 'manual') return 'manual'
  if (!isKnown) return 'asking'
  if (view === null) return 'unpublished'
  if (view.problem !== null) return 'problem'
  if (!isAsPublished(trigger, view)) return 'changed'
  if (view.on && (view.reading?.problem ?? null) !== null) return 'unread'
  if (view.on) return view.folderProblem === null ? 'acts' : 'unwatched'
  return view.switched === false ? 'offByHand' : 'off'
}

/** Whether the document's trigger means what was published. */
function isAsPublished(trigger: WorkflowTrigger, view: TriggerView): boolean {
  return (
    trigger.kind === view.kind &&
    (trigger.title ?? null) === view.title &&
    (trigger.enabled ?? true) === view.enabled &&
    canonicalJson(wholeOf(trigger.kind, trigger.parameters ?? {})) ===
      canonicalJson(wholeOf(view.kind, view.parameters))
  )
}

/** The parameters with the defaults of their kind, as they are published; those that can't be read as they are. */
function wholeOf(kind: string, parameters: JsonObject): JsonObject {
  const read = triggerSpecsByKind.get(kind)?.parameters.safeParse(parameters)
  // Parameters are JSON data, whatever their schema makes of them.
  return read?.success === true ? (read.data as JsonObject) : parameters
}

function isUnsigned(
  trigger: { readonly kind: string; readonly parameters?: JsonObject | undefined } | null,
): boolean {
  const auth = trigger?.kind === 'webhook' ? trigger.parameters?.['auth'] : null
  return isJsonObject(auth) && auth['kind'] === 'none'
}

/** What a trigger starts at, in the words of its kind; a schedule has better ones from the engine. */
export function summaryOf(kind: string, parameters: JsonObject): string {
  const spec = triggerSpecsByKind.get(kind)
  if (spec === undefined) return words.unknownShort.replace('{kind}', kind)
  const said = spec.summary(parameters)
  return kind === 'event' ? `event ${said}` : said
}

/** What it did last. */
export type LastAct =
  | { readonly kind: 'started'; readonly at: number; readonly runId: string; readonly firingId: string }
  | { readonly kind: 'skipped'; readonly at: number; readonly why: string; readonly firingId: string }

/**
 * The newer of its last start and its last skip; null when it did nothing yet. What its filter left out is no news
 * beside a start: a filter is there for that.
 */
export function lastActOf({ lastFired, lastSkip }: TriggerView): LastAct | null {
  const isNewer = lastSkip !== null && (lastFired === null || lastSkip.at > lastFired.at)
  if (isNewer && (lastFired === null || lastSkip.reason !== 'filtered')) {
    const { at, reason, firingId } = lastSkip
    return { kind: 'skipped', at, why: skipWords[reason] ?? reason, firingId }
  }
  return lastFired === null ? null : { kind: 'started', ...lastFired }
}

/** All cards in order: those of the document, then published ones that it doesn't have any more. */
export function cardIds(
  known: Readonly<Record<string, WorkflowTrigger>> | undefined,
  views: ReadonlyMap<string, TriggerView> | null,
): readonly string[] {
  const own = Object.keys(known ?? {})
  return [...own, ...[...(views?.keys() ?? [])].filter((id) => !own.includes(id))]
}
