/** Bugs that are planted in how triggers are kept and read: each must be noticed. */

import type { Checkpoint, RegisterWrite } from '../../../src-engine/model/checkpoint.ts'
import type { JsonValue } from '../../../src-engine/model/json.ts'
import { isJsonObject } from '../../../src-engine/model/json.ts'
import { day } from '../../../src-engine/model/time.ts'
import type { TriggerRecord } from '../../../src-engine/model/trigger.ts'
import { firingPrefix, readFiring, readTrigger, triggerPrefix } from '../../../src-engine/model/trigger.ts'
import type { LoadQueries, Store } from '../../../src-engine/store/store.ts'
import type { RandomSource } from '../../support/random-source.ts'
import type { ListenerText, MonthPlan, ScheduleParameters } from './plan.ts'

export interface MonthMutant {
  /** The store as each process has it. */
  readonly store?: (store: Store, random: RandomSource) => Store
}

export interface PlantedMonthBug extends MonthMutant {
  readonly name: string
  /** What at least one finding says. */
  readonly says: RegExp
  /** The beginning of a month that noticed it when it was last looked, and soonest: played before all others. */
  readonly first: number
  /** A month that can show it, where few do by chance. */
  readonly month?: (plan: MonthPlan) => MonthPlan
}

type Rewrite = (checkpoint: Checkpoint, store: Store) => Checkpoint | Promise<Checkpoint>

const rewriting =
  (rewrite: Rewrite) =>
  (store: Store): Store => ({
    ...store,
    commit: async (partition, checkpoints) =>
      store.commit(partition, await Promise.all(checkpoints.map(async (one) => rewrite(one, store)))),
  })

const withRegisters = (
  checkpoint: Checkpoint,
  change: (write: RegisterWrite) => readonly RegisterWrite[],
): Checkpoint => ({
  ...checkpoint,
  writes: { ...checkpoint.writes, registers: checkpoint.writes.registers.flatMap(change) },
})

const ofTriggers = (key: string): boolean => key.startsWith(triggerPrefix) || key.startsWith(firingPrefix)

const moved = (write: RegisterWrite, fields: { readonly [Name in string]: JsonValue }): RegisterWrite =>
  isJsonObject(write.value) ? { ...write, value: { ...write.value, ...fields } } : write

const isStart = (value: JsonValue | null): boolean =>
  typeof readFiring(value ?? undefined)?.runId === 'string'

/** Registers as the mutant's store tells them. */
const telling =
  (tell: (value: JsonValue) => JsonValue) =>
  (store: Store): Store => ({
    ...store,
    load: async (partition, kind, input) => {
      const loaded = await store.load(partition, kind, input)
      if (kind === 'register') {
        const register = loaded as LoadQueries['register']['output']
        const told: unknown = register === null ? null : { ...register, value: tell(register.value) }
        return told as never
      }
      if (kind !== 'dueRegisters') return loaded
      const answer = loaded as LoadQueries['dueRegisters']['output']
      return { ...answer, due: answer.due.map((one) => ({ ...one, value: tell(one.value) })) } as never
    },
  })

/** A fixed hour that is written as a step: then it counts twice where clocks show it twice. */
const opened = (expression: string): string => {
  const fields = expression.split(' ')
  const at = fields.length - 4
  const hour = fields[at] ?? ''
  if (!/^\d+(-\d+)?$/.test(hour)) return expression
  fields[at] = hour.includes('-') ? `${hour}/1` : `${hour}-${hour}/1`
  return fields.join(' ')
}

const clocksGoBack: ScheduleParameters = {
  expression: '30 1 * * *',
  timeZone: 'Europe/Lisbon',
  overlap: 'allow',
  catchUp: 'all',
  catchUpMax: 20,
  catchUpWindowMs: 10 * day,
  jitterMs: 0,
  except: [],
}

const everyHour: ScheduleParameters = { ...clocksGoBack, expression: '0 * * * *', overlap: 'skip' }

const forPaidOrders: ListenerText = { name: 'order.*', filter: { kind: 'order.paid' }, gathers: {} }

/** Some days with one schedule and nothing else. */
function monthOf(beginning: string, parameters: ScheduleParameters): Partial<MonthPlan> {
  const begin = Date.parse(beginning)
  const publications = [{ at: begin, schedules: { s0: { title: 'v1', parameters } } }]
  return { begin, end: begin + 9 * day, publications, events: [], calls: [], files: [] }
}

const ofComposite = (write: RegisterWrite): TriggerRecord | null => {
  const trigger = write.key.startsWith(triggerPrefix) ? readTrigger(write.value ?? undefined) : null
  return trigger?.kind === 'composite' ? trigger : null
}

/** Of triggers that wait for others. */
const joinedBugs: readonly PlantedMonthBug[] = [
  {
    name: 'what waits for the other conditions is forgotten',
    first: 2,
    says: / were complete$/,
    store: rewriting((checkpoint) =>
      withRegisters(checkpoint, (write) => [
        ofComposite(write) === null ? write : moved(write, { waiting: [] }),
      ]),
    ),
  },
]

export const plantedMonthBugs: readonly PlantedMonthBug[] = [
  {
    name: 'where a schedule stands is taken from the clock, not from the slot',
    first: 7,
    says: / is lost$/,
    store: rewriting((checkpoint) =>
      withRegisters(checkpoint, (write) => {
        const trigger = write.key.startsWith(triggerPrefix) ? readTrigger(write.value ?? undefined) : null
        const isDecided = checkpoint.writes.registers.some(({ key }) => key.startsWith(firingPrefix))
        return trigger?.kind === 'cron' && isDecided
          ? [moved(write, { decidedUpTo: Math.max(trigger.decidedUpTo, checkpoint.at) })]
          : [write]
      }),
    ),
  },
  {
    name: 'triggers move and records are written without a look at who was first',
    first: 2,
    says: /^a record was written twice$| has \d records$| began \d times$/,
    store: rewriting(async (checkpoint, store) => ({
      ...checkpoint,
      expect: {
        ...checkpoint.expect,
        registers: await Promise.all(
          checkpoint.expect.registers.map(async (one) => {
            if (!ofTriggers(one.key) && one.key !== 'atomic-service/running') return one
            const found = await store.load(checkpoint.partition, 'register', { key: one.key })
            return { ...one, version: found?.version ?? 0 }
          }),
        ),
      },
    })),
  },
  {
    name: 'what starts nothing leaves no record',
    first: 3,
    says: / is lost$/,
    store: rewriting((checkpoint) =>
      withRegisters(checkpoint, (write) =>
        write.key.startsWith(firingPrefix) && write.value !== null && !isStart(write.value) ? [] : [write],
      ),
    ),
  },
  {
    name: 'what a filter leaves out leaves no record',
    first: 2,
    says: /^nothing says that orders left out /,
    month: (plan) => ({ ...plan, listeners: { ...plan.listeners, orders: forPaidOrders } }),
    store: rewriting((checkpoint) =>
      withRegisters(checkpoint, (write) =>
        readFiring(write.value ?? undefined)?.reason === 'filtered' ? [] : [write],
      ),
    ),
  },
  {
    name: 'a run begins without its record',
    first: 3,
    says: / has no record of why it began$/,
    store: rewriting((checkpoint) =>
      withRegisters(checkpoint, (write) =>
        write.key.startsWith(firingPrefix) && isStart(write.value) ? [] : [write],
      ),
    ),
  },
  {
    name: 'a slot that clocks show twice fires twice',
    first: 2,
    says: / tells of slots that aren’t there$/,
    month: (plan) => ({ ...plan, ...monthOf('2026-10-20T00:00:00Z', clocksGoBack) }),
    store: telling((value) => {
      const trigger = readTrigger(value)
      if (trigger?.kind !== 'cron' || !isJsonObject(value)) return value
      const expression = trigger.parameters['expression'] as string
      return { ...value, parameters: { ...trigger.parameters, expression: opened(expression) } }
    }),
  },
  {
    name: 'a schedule that was decided is not told when it comes due again',
    first: 6,
    says: / were never looked at$/,
    store: (store, random) =>
      rewriting((checkpoint) =>
        withRegisters(checkpoint, (write) => {
          const isForgotten = write.key.startsWith(triggerPrefix) && random.chance(0.05)
          return [isForgotten ? { ...write, dueAt: null } : write]
        }),
      )(store),
  },
  {
    name: 'nobody looks whether the run before still goes on',
    first: 2,
    says: / The run before it still went on\.$/,
    month: (plan) => ({ ...plan, ...monthOf('2026-06-10T00:00:00Z', everyHour) }),
    store: telling((value) =>
      readTrigger(value)?.kind === 'cron' && isJsonObject(value) ? { ...value, lastFired: null } : value,
    ),
  },
  ...joinedBugs,
]
