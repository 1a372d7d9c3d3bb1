/** Answers what people ask and say about triggers, on the registers of the store. */

import { SagasmithError } from '../../model/errors.ts'
import type { EventRecord } from '../../model/event-record.ts'
import { eventKey, eventPrefix, readEventRecord } from '../../model/event-record.ts'
import type { RunId } from '../../model/ids.ts'
import { runIdOf } from '../../model/ids.ts'
import { pageSizeMax } from '../../model/limits.ts'
import type { FiringRecord, SourceProblem, TriggerName, TriggerRecord } from '../../model/trigger.ts'
import {
  firingKey,
  firingPrefix,
  isTriggerOn,
  readFiring,
  triggerKey,
  triggerPrefix,
  triggersOf,
} from '../../model/trigger.ts'
import type { TriggerDeskApi, TriggerView } from '../../protocol/trigger-views.ts'
import type { CronPlans } from './cron-kind.ts'
import { fire } from './fire.ts'
import { historyEnds } from './history-places.ts'
import { lastOf, withLast } from './last-firings.ts'
import { standingOf } from './standing.ts'
import type { FireParts } from './start-firing.ts'
import { readingOf } from './stream-reading.ts'
import type { TriggerDesk } from './trigger-desk.ts'
import { armed, runStatusKind } from './trigger-kinds.ts'
import { triggerNotFound } from './trigger-not-found.ts'
import type { StoredTrigger } from './trigger-registers.ts'
import {
  grownCatalogue,
  listTriggers,
  loadFiring,
  loadTrigger,
  movedTrigger,
  writeRegisters,
} from './trigger-registers.ts'
import { missingOf } from './waiting.ts'

export interface TriggerDeskParts extends FireParts {
  readonly plans: CronPlans
  /** Why folders can't be read on this machine, by the keys of their triggers. */
  readonly folderProblems: ReadonlyMap<string, SourceProblem>
  readonly changed: () => void
}

const racesMax = 10
/** Shown of one trigger at a glance. */
const shownFirings = 20

export function createTriggerDesk(parts: TriggerDeskParts): TriggerDesk {
  return {
    'triggers.list': async ({ workflowId }) => {
      const stored = await listTriggers(parts, workflowId === null ? triggerPrefix : triggersOf(workflowId))
      const records = await withLast(
        parts,
        stored.map(({ record }) => record),
      )
      return { triggers: await Promise.all(records.map((record) => viewOf(parts, record))) }
    },
    'triggers.show': async (name) => {
      const { record } = await mustHave(parts, name)
      const { firings } = await firingPage(parts, { ...name, after: null, limit: shownFirings })
      const told = lastOf(record, firings)
      const trigger = await viewOf(parts, told)
      return { trigger, firings, standing: standingOf(trigger, firings) }
    },
    'triggers.firings': (query) => firingPage(parts, query),
    'triggers.why': ({ runId }) => why(parts, runId),
    'triggers.fire': (request) => fireByHand(parts, request),
    'triggers.switch': async ({ on, ...name }) => ({
      trigger: await viewOf(parts, await change(parts, name, (record) => ({ ...record, switched: on }))),
    }),
    'triggers.clear': async (name) => {
      let dropped = 0
      const record = await change(parts, name, (found) => {
        dropped = found.waiting.length
        return { ...found, waiting: [] }
      })
      return { trigger: await viewOf(parts, record), dropped }
    },
    'events.list': (query) => eventPage(parts, query),
    'events.show': ({ eventId }) => showEvent(parts, eventId),
  }
}

const viewOf = async (parts: TriggerDeskParts, record: TriggerRecord): Promise<TriggerView> => ({
  ...record,
  on: isTriggerOn(record),
  missing: missingOf(record),
  reading: await readingOf(parts, record),
  folderProblem: parts.folderProblems.get(triggerKey(record)) ?? null,
})

async function mustHave(parts: TriggerDeskParts, name: TriggerName): Promise<StoredTrigger> {
  const found = await loadTrigger(parts, name)
  if (found !== null) return found
  throw triggerNotFound(name)
}

/** One that comes back on goes on from now: what passed meanwhile isn't made up for. */
async function change(
  parts: TriggerDeskParts,
  name: TriggerName,
  changed: (record: TriggerRecord) => TriggerRecord,
): Promise<TriggerRecord> {
  for (let races = 0; races < racesMax; races += 1) {
    const stored = await mustHave(parts, name)
    const next = changed(stored.record)
    const isBack = !isTriggerOn(stored.record) && isTriggerOn(next)
    const told = armed(isBack ? await fromNowOn(parts, next) : next, parts.plans)
    const writes = [movedTrigger(stored, told), await grownCatalogue(parts)]
    if (!(await writeRegisters(parts, writes))) continue
    parts.changed()
    return told.record
  }
  throw new SagasmithError('lost_race')
}

async function fromNowOn(parts: TriggerDeskParts, record: TriggerRecord): Promise<TriggerRecord> {
  const now = parts.clock.now()
  const heardFrom = record.kind === runStatusKind ? await historyEnds(parts) : null
  return { ...record, since: now, decidedUpTo: now, heardFrom }
}

async function fireByHand(
  parts: TriggerDeskParts,
  { input, by, ...name }: TriggerDeskApi['triggers.fire']['input'],
): Promise<TriggerDeskApi['triggers.fire']['output']> {
  const trigger = await mustHave(parts, name)
  const { record } = trigger
  // An expression is about an occurrence, and by hand there is none.
  const said = record.kind === 'cron' ? parts.plans.of(record).input : {}
  const own = typeof said === 'string' ? {} : said
  const id = `hand-${parts.ids.next()}`
  const fired = await fire(parts, {
    trigger,
    occurrence: {
      id,
      at: parts.clock.now(),
      sources: [{ kind: 'hand', by }],
      slots: null,
      words: by === null ? 'Somebody fired it by hand.' : `${by} fired it by hand.`,
      depth: 1,
    },
    move: null,
    guards: [],
    also: [],
    input: input ?? own,
    request: `hand:${name.workflowId}/${name.triggerId}:${id}`,
  })
  const firing = 'firingId' in fired ? await loadFiring(parts, fired.firingId) : null
  if (firing !== null) return { firing }
  throw new SagasmithError('lost_race', { message: `The trigger “${name.triggerId}” could not be fired.` })
}

async function firingPage(
  { store, partition }: TriggerDeskParts,
  query: TriggerDeskApi['triggers.firings']['input'],
): Promise<TriggerDeskApi['triggers.firings']['output']> {
  const { workflowId, triggerId, limit } = query
  const firings: FiringRecord[] = []
  for (let after = query.after === null ? null : firingKey(query.after); ; ) {
    const page = { after, limit: pageSizeMax }
    const found = await store.list(partition, 'registers', { filter: { prefix: firingPrefix }, page })
    for (const { value } of found) {
      const firing = readFiring(value)
      if (firing === null || (workflowId !== null && firing.workflowId !== workflowId)) continue
      if (triggerId !== null && firing.triggerId !== triggerId) continue
      if (firings.length === limit) return { firings, next: firings.at(-1)?.id ?? null }
      firings.push(firing)
    }
    after = found.at(-1)?.key ?? null
    if (found.length < pageSizeMax) return { firings, next: null }
  }
}

async function eventPage(
  { store, partition }: TriggerDeskParts,
  { after, limit }: TriggerDeskApi['events.list']['input'],
): Promise<TriggerDeskApi['events.list']['output']> {
  const page = { after: after === null ? null : eventKey(after), limit }
  const found = await store.list(partition, 'registers', { filter: { prefix: eventPrefix }, page })
  const events = found.flatMap(({ value }) => readEventRecord(value) ?? [])
  return { events, next: found.length < limit ? null : (events.at(-1)?.id ?? null) }
}

async function loadEvent(parts: TriggerDeskParts, id: string): Promise<EventRecord | null> {
  const register = await parts.store.load(parts.partition, 'register', { key: eventKey(id) })
  return readEventRecord(register?.value)
}

async function showEvent(
  parts: TriggerDeskParts,
  eventId: string,
): Promise<TriggerDeskApi['events.show']['output']> {
  const event = await loadEvent(parts, eventId)
  if (event === null) {
    const message = `No record of the event ${eventId} is kept.`
    throw new SagasmithError('event_not_found', { message, details: { eventId } })
  }
  const ids = event.met.flatMap(({ firingId }) => firingId ?? [])
  const found = await Promise.all(ids.map((id) => loadFiring(parts, id)))
  const firings = found.filter((firing) => firing !== null)
  return { event, payload: await parts.payloads.value(event.payload), firings }
}

async function why(parts: TriggerDeskParts, runId: RunId): Promise<TriggerDeskApi['triggers.why']['output']> {
  const run = await parts.store.load(parts.partition, 'run', { runId })
  if (run === null) {
    throw new SagasmithError('run_not_found', { message: `There is no run ${runId}.`, details: { runId } })
  }
  const { kind, by } = run.cause
  const firing = kind.startsWith('trigger:') && by !== null ? await loadFiring(parts, by) : null
  const met = (firing?.sources ?? []).flatMap((source) =>
    source.kind === 'condition' ? [loadFiring(parts, source.firingId)] : [],
  )
  const conditions = (await Promise.all(met)).filter((one) => one !== null)
  const events: EventRecord[] = []
  const runs = new Set<RunId>()
  for (const source of [firing, ...conditions].flatMap((one) => one?.sources ?? [])) {
    if (source.kind === 'run') runs.add(source.runId)
    const event = source.kind === 'event' ? await loadEvent(parts, source.eventId) : null
    if (event === null) continue
    events.push(event)
    if (event.source !== null) runs.add(runIdOf(event.source))
  }
  return { firing, conditions, events, runs: [...runs] }
}
