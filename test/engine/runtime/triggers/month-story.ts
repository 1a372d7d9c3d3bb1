/**
 * A month of a schedule as a seed tells it: runners that look at the same time, answers that get lost, machines that
 * sleep, clocks that are set. What is judged is what was written, against the calculator's own list of slots.
 */

import type { Checkpoint, CommitAnswer } from '../../../../src-engine/model/checkpoint.ts'
import { noWrites } from '../../../../src-engine/model/checkpoint.ts'
import { definitionHash, opId } from '../../../../src-engine/model/ids.ts'
import { day, hour, minute, second } from '../../../../src-engine/model/time.ts'
import { firingPrefix, readFiring, readTrigger, triggerPrefix } from '../../../../src-engine/model/trigger.ts'
import type { RunToStart } from '../../../../src-engine/runtime/starting/run-starter.ts'
import { createCronPlans } from '../../../../src-engine/runtime/triggers/cron-kind.ts'
import type { DueTriggersParts } from '../../../../src-engine/runtime/triggers/due-triggers.ts'
import { createDueTriggers } from '../../../../src-engine/runtime/triggers/due-triggers.ts'
import { registerTriggers } from '../../../../src-engine/runtime/triggers/registration.ts'
import { createMemoryStore } from '../../../../src-engine/store/memory/memory-store.ts'
import { createCronCalculator } from '../../../../src-engine/triggers/cron/cron-calculator.ts'
import { createRandomSource } from '../../../support/random-source.ts'
import { cron, withTriggers } from './trigger-scene.ts'

const quiet = { debug() {}, info() {}, warn() {}, error() {} }
const run = { fence: { key: 'atomic-service/running', version: 0 } }
const expressions = ['*/30 * * * *', '0 */2 * * *', '15 9 * * MON-FRI', '30 2 * * *', '0 0 1,15 * *']
const zones = ['UTC', 'Europe/Lisbon', 'America/New_York', 'Australia/Lord_Howe']

/** Answers what is wrong with the seed's month; nothing for a good one. */
export async function playMonth(seed: string, isPlanted = false): Promise<readonly string[]> {
  const random = createRandomSource(seed)
  const begin = Date.parse('2026-03-01T00:00:30Z') + random.below(200) * day
  const time = { now: begin }
  const inner = createMemoryStore()
  const begun: string[] = []
  let isCalm = false
  const chaos = (): boolean => !isCalm && random.chance(0.04)
  const commit = async (
    partition: number,
    checkpoints: readonly Checkpoint[],
  ): Promise<readonly CommitAnswer[]> => {
    if (chaos()) throw new Error('the store is away')
    const answers = await inner.commit(partition, checkpoints)
    if (chaos()) throw new Error('the answer is lost')
    return answers
  }
  let serial = 0
  const ids = { next: () => `id${(serial += 1)}` }
  const starter = starterOf(inner, { chaos, isPlanted, begun, now: () => time.now, nextId: ids.next })
  const document = scheduleOf(random)
  const parts = {
    ...{ store: { ...inner, commit }, partition: 0, ids, log: quiet, starter },
    clock: { now: () => time.now },
    plans: createCronPlans(),
    definitions: { version: async () => ({ document: JSON.stringify(document) }) },
    payloads: { keep: async (json: string) => ({ kind: 'inline', json }) },
    admission: { admitInput: (_: unknown, input: unknown) => input },
    cancelRun: async () => {},
  } as unknown as DueTriggersParts
  const hash = definitionHash(`w1_${'0'.repeat(64)}`)
  await registerTriggers({ ...parts, store: inner }, { document, hash, baseDirectory: null })
  const runners = Array.from({ length: 1 + random.below(20) }, () => createDueTriggers(parts))
  while (time.now < begin + 30 * day) {
    time.now += random.chance(0.05) ? random.below(3 * day) : random.below(90 * minute)
    if (random.chance(0.03)) time.now -= random.below(5 * hour)
    const looking = runners.filter(() => random.chance(2 / runners.length))
    await Promise.allSettled(looking.map((runner) => runner.evaluate(run)))
  }
  isCalm = true
  time.now += hour
  for (let looks = 0; looks < 3; looks += 1) {
    time.now += 31 * second
    await runners[0]?.evaluate(run)
  }
  return judge(inner, { begin, end: time.now }, begun)
}

interface Chaos {
  /** Whether something goes wrong now. */
  readonly chaos: () => boolean
  readonly isPlanted: boolean
  readonly begun: string[]
  readonly now: () => number
  readonly nextId: () => string
}

/** Runs that begin as their registers move, and nothing else of them. */
function starterOf(
  inner: ReturnType<typeof createMemoryStore>,
  { chaos, isPlanted, begun, now, nextId }: Chaos,
) {
  return {
    begin: async (asked: RunToStart): Promise<boolean> => {
      const registers = asked.registers ?? []
      const writes = registers.flatMap(({ key, value, dueAt }) =>
        value === undefined ? [] : [{ key, value, ...(dueAt === undefined ? {} : { dueAt }) }],
      )
      // The planted mistake: whoever comes second is not refused.
      const versionOf = async (key: string, version: number): Promise<number> =>
        isPlanted ? ((await inner.load(0, 'register', { key }))?.version ?? 0) : version
      const expected = await Promise.all(
        registers.map(async ({ key, version }) => ({ key, version: await versionOf(key, version) })),
      )
      const checkpoint: Checkpoint = {
        partition: 0,
        opId: opId(nextId()),
        actor: { kind: 'trigger', id: null },
        at: now(),
        expect: { invocations: [], registers: expected },
        writes: { ...noWrites, registers: writes },
        events: [],
      }
      if (chaos()) throw new Error('the store is away')
      const [answer] = await inner.commit(0, [checkpoint])
      if (answer?.kind === 'accepted') begun.push(asked.record.requestId ?? '')
      if (chaos()) throw new Error('the answer is lost')
      return answer?.kind === 'accepted'
    },
  }
}

const scheduleOf = (random: ReturnType<typeof createRandomSource>) =>
  withTriggers({
    t: cron(random.pick(expressions), {
      timeZone: random.pick(zones),
      overlap: 'allow',
      catchUp: random.pick(['skip', 'once', 'all']),
      catchUpMax: 1 + random.below(20),
      jitterMs: random.pick([0, 10 * minute]),
    }),
  })

async function judge(
  store: ReturnType<typeof createMemoryStore>,
  { begin, end }: { readonly begin: number; readonly end: number },
  begun: readonly string[],
): Promise<readonly string[]> {
  const all = async (prefix: string) =>
    store.list(0, 'registers', { filter: { prefix }, page: { after: null, limit: 100_000 } })
  const trigger = readTrigger((await all(triggerPrefix))[0]?.value)
  if (trigger === null) return ['the trigger is gone']
  const { parameters, workflowId, triggerId } = trigger
  const key = `${workflowId}/${triggerId}`
  const calculator = createCronCalculator({ ...parameters, key } as never)
  const told = (await all(firingPrefix))
    .flatMap(({ value }) => readFiring(value) ?? [])
    .flatMap(({ slots }) =>
      slots === null ? [] : calculator.between(slots.from - 1, slots.to, Number.MAX_SAFE_INTEGER),
    )
    .toSorted((a, b) => a - b)
  const wanted = calculator.between(begin, trigger.decidedUpTo, Number.MAX_SAFE_INTEGER)
  const problems: string[] = []
  if (new Set(begun).size !== begun.length) problems.push('a slot started two runs')
  if (told.length !== wanted.length || told.some((slot, index) => slot !== wanted[index]))
    problems.push(`of ${wanted.length} slots ${told.length} were told`)
  const next = calculator.next(trigger.decidedUpTo)
  if (next !== null && calculator.fireAt(next) < end) problems.push('the month was not decided to its end')
  return problems
}
