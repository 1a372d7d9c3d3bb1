/** Which triggers act: those of the documents that were published last, each as its workflow has it. */

import { compositesWith } from '../../model/composite.ts'
import { SagasmithError } from '../../model/errors.ts'
import type { Cursor } from '../../model/event.ts'
import type { DefinitionHash } from '../../model/ids.ts'
import { canonicalJson } from '../../model/json.ts'
import type { Instant } from '../../model/time.ts'
import type { TriggerRecord } from '../../model/trigger.ts'
import { triggerKey, triggersOf, triggerValue } from '../../model/trigger.ts'
import type { WorkflowDocument, WorkflowTrigger } from '../../model/workflow.ts'
import type { RegisterAge } from '../register-look.ts'
import { epochOfLook } from '../register-look.ts'
import type { CronPlans } from './cron-kind.ts'
import { historyEnds } from './history-places.ts'
import { armed, manualKind, readParameters, runStatusKind } from './trigger-kinds.ts'
import type { GuardedWrite, StoredTrigger, TriggerRegistersParts } from './trigger-registers.ts'
import { grownCatalogue, listTriggers, movedTrigger, writeRegisters } from './trigger-registers.ts'

export interface RegistrationParts extends TriggerRegistersParts {
  readonly plans: CronPlans
}

/** A document whose version is published. */
export interface Publication {
  readonly document: WorkflowDocument
  readonly hash: DefinitionHash
  readonly baseDirectory: string | null
}

const racesMax = 10

/**
 * Makes the triggers of a document the ones of its workflow: new and changed ones begin with their next
 * occurrence, those that it doesn't have any more are gone. Answers whether anything changed. Repeating it
 * changes nothing.
 */
export async function registerTriggers(parts: RegistrationParts, publication: Publication): Promise<boolean> {
  for (let races = 0; races < racesMax; races += 1) {
    const epoch = epochOfLook(parts)
    const stored = await listTriggers(parts, triggersOf(publication.document.id))
    const places = looksBack(publication.document) ? await historyEnds(parts) : null
    const writes = writesOf(parts, publication, { epoch, stored, places })
    if (writes.length === 0) return false
    if (await writeRegisters(parts, [...writes, await grownCatalogue(parts)])) return true
  }
  throw new SagasmithError('lost_race', {
    message: `The triggers of “${publication.document.title}” could not be registered: others change them too.`,
    hint: 'Publish the workflow again.',
  })
}

const looksBack = ({ triggers = {} }: WorkflowDocument): boolean =>
  Object.values(triggers).some(({ kind }) => kind === runStatusKind)

function writesOf(
  { clock, plans }: RegistrationParts,
  publication: Publication,
  found: {
    readonly epoch: number
    readonly stored: readonly StoredTrigger[]
    readonly places: Cursor | null
  },
): readonly GuardedWrite[] {
  const now = clock.now()
  const { epoch, stored, places } = found
  const unwritten: RegisterAge = { epoch, version: 0 }
  const wanted = new Map(
    Object.entries(publication.document.triggers ?? {}).filter(([, { kind }]) => kind !== manualKind),
  )
  const writes: GuardedWrite[] = []
  for (const { record, epoch, version } of stored) {
    if (!wanted.has(record.triggerId)) writes.push({ key: triggerKey(record), epoch, version, value: null })
  }
  for (const [triggerId, trigger] of wanted) {
    const known = stored.find(({ record }) => record.triggerId === triggerId) ?? null
    const next = recordOf(publication, { triggerId, trigger, known: known?.record ?? null, now, places })
    if (known !== null && canonicalJson(triggerValue(known.record)) === canonicalJson(triggerValue(next)))
      continue
    writes.push(movedTrigger(known ?? unwritten, armed(next, plans)))
  }
  return writes
}

/** What it was stays where it means the same; else it begins anew, and so after this instant. */
function recordOf(
  publication: Publication,
  given: {
    readonly triggerId: string
    readonly trigger: WorkflowTrigger
    readonly known: TriggerRecord | null
    readonly now: Instant
    readonly places: Cursor | null
  },
): TriggerRecord {
  const { document, hash, baseDirectory } = publication
  const { triggerId, trigger, known, now, places } = given
  const { parameters, problem } = readParameters(trigger.kind, trigger.parameters ?? {}, {
    document,
    triggerId,
  })
  const published = {
    workflowId: document.id,
    triggerId,
    kind: trigger.kind,
    title: trigger.title ?? null,
    workflowTitle: document.title,
    parameters,
    definitionHash: hash,
    baseDirectory,
    enabled: trigger.enabled ?? true,
    problem,
    conditionOf: compositesWith(document, triggerId),
  }
  if (known !== null && meansTheSame(known, published)) return { ...known, ...published }
  return {
    ...published,
    switched: known?.switched ?? null,
    since: now,
    heardFrom: trigger.kind === runStatusKind ? places : null,
    decidedUpTo: now,
    nextAt: null,
    lastFired: known?.lastFired ?? null,
    lastSkip: known?.lastSkip ?? null,
    firedCount: known?.firedCount ?? 0,
    skippedCount: known?.skippedCount ?? 0,
    waiting: [],
  }
}

/** One that was off has missed nothing when it is switched on. */
const meansTheSame = (
  known: TriggerRecord,
  next: Pick<TriggerRecord, 'kind' | 'parameters' | 'enabled' | 'problem'>,
): boolean =>
  known.kind === next.kind &&
  known.enabled === next.enabled &&
  (known.problem === null) === (next.problem === null) &&
  canonicalJson(known.parameters) === canonicalJson(next.parameters)
