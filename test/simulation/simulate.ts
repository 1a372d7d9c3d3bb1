/** One seed's story: engines on a shared store, faults for a while, then quiet; and what was wrong at the end. */

import { createHash } from 'node:crypto'
import type { EngineEvent } from '../../src-engine/model/event.ts'
import type { Millis } from '../../src-engine/model/time.ts'
import { graceMs } from '../../src-engine/store/partitioned/repair.ts'
import type { Store } from '../../src-engine/store/store.ts'
import { isAllForgotten } from '../support/forgotten-invariants.ts'
import { readHistory } from '../support/history.ts'
import { checkAll } from '../support/invariants.ts'
import type { RandomSource } from '../support/random-source.ts'
import { createRandomSource } from '../support/random-source.ts'
import { everyEvent } from '../support/read-events.ts'
import { withActing } from './acting.ts'
import { planFaults } from './chaos.ts'
import { Clients } from './clients.ts'
import { Cluster } from './cluster.ts'
import { forgottenWithinMs, quietMs, unkeptGraceMs, withKeeping } from './keeping.ts'
import { Overseers } from './overseers.ts'
import { overseen, writeOversight } from './oversight.ts'
import { withParticulars } from './particulars.ts'
import type { Mutant } from './planted-bug.ts'
import { withSaga } from './saga.ts'
import type { FaultName, Scenario } from './scenario.ts'
import { randomScenario } from './scenario.ts'
import { lastOrders } from './scheduling.ts'
import type { Stage } from './stage.ts'
import { ttlMs } from './stage.ts'
import { fastClusterOf } from './stores.ts'
import { notTold, withoutWhatIsTold } from './told-losses.ts'
import { withoutStacks } from './without-stacks.ts'
import { World } from './world.ts'

export interface SimulationOptions {
  readonly openStore: () => Promise<Store>
  readonly mutant?: Mutant
  /** Faults that the seed would have, and is to be played without. */
  readonly without?: readonly FaultName[]
}

export interface Simulated {
  readonly seed: number
  readonly violations: readonly string[]
  /** The same for the same seed, or something isn't decided by it. */
  readonly trace: string
  readonly scenario: Scenario
  /** What happened how often. */
  readonly faults: Readonly<Record<string, number>>
  /** How the store answered commits, by `accepted` or the kind of the refusal. */
  readonly answers: Readonly<Record<string, number>>
  /** How often steps were moved, by `FROM > TO`; `reused` are those that took over a result. */
  readonly moves: Readonly<Record<string, number>>
  readonly runs: number
  /** How many runs came to each end, the engine's own included. */
  readonly ends: Readonly<Record<string, number>>
  /** Runs that the engine started by its own crons. */
  readonly coreRuns: number
  readonly happened: number
  readonly virtualMs: number
}

/** Three times lease and sweep, and the longest pauses of the work itself: whoever moves goes on for longer. */
const stillMs = 3 * (ttlMs + 5_000) + 240_000
/** Nested maps and loops whose turns wait for somebody take minutes, and runs of one workflow wait in a line. */
const healMs = 10 * stillMs
/** The longest standstill, and how long lost operations wait for those that they build on. */
const broughtBackMs = 3 * ttlMs + 15_000
/** The engine’s own crons go on for ever. */
const cronRunStart = 'run_req_cron%3Acore.'
/** How often somebody looks whether something waits for a decision. */
const tendMs = 5_000
/** How often somebody looks after what came back at the very end. */
const afterwardsMax = 48
/** How often somebody looks whether all has gone that is not to stay. */
const lookEveryMs = 6 * tendMs

/** What the seed decides before its story begins. */
export const scenarioOf = (seed: number): Scenario => draw(seed, createRandomSource(`seed ${seed}`), [])

function draw(seed: number, random: RandomSource, without: readonly FaultName[]): Scenario {
  const plain = randomScenario(random, createRandomSource(`seed ${seed} scheduling`), without)
  // Drawn apart, so that the stories of the other seeds stay as they are.
  const hasPrograms = createRandomSource(`seed ${seed} sigstop`).chance(0.2)
  const undone = withSaga(seed, overseen(createRandomSource(`seed ${seed} inbox`), plain))
  return { ...withActing(withParticulars(seed, withKeeping(seed, undone))), hasPrograms }
}

/** Plays a seed to its end. */
export const simulate = (seed: number, options: SimulationOptions): Promise<Simulated> =>
  withoutStacks(() => tell(seed, options))

async function tell(seed: number, options: SimulationOptions): Promise<Simulated> {
  const faults: Record<string, number> = {}
  const answers: Record<string, number> = {}
  const { mutant = {} } = options
  const store = await options.openStore()
  const random = createRandomSource(`seed ${seed}`)
  const stage: Stage = {
    seed,
    world: new World(),
    random,
    store: mutant.shared?.(store, createRandomSource(`seed ${seed} shared`)) ?? store,
    scenario: draw(seed, random, options.without ?? []),
    mutant,
    storeFaults: { fullUntil: 0, slowUntil: 0, refusal: 0, lostAnswer: 0, failure: 0 },
    count: (what) => countIn(faults, what),
    answered: (how) => countIn(answers, how),
  }
  const cluster = new Cluster(stage)
  const clients = new Clients(stage, cluster)
  const overseers = new Overseers(stage, cluster)
  const began = stage.world.now
  const broken = await playToTheEnd(stage, cluster, { clients, overseers }).then(
    () => null,
    (thrown: unknown) => `I12 the story can’t be told: ${String(thrown)}`,
  )
  const violations = [
    ...clients.problems,
    ...(broken === null ? await check(stage, cluster, { clients, overseers }) : [broken]),
  ]
  const events = await everyEvent(stage.store)
  const trace = traceOf(stage, cluster, events)
  const moves = movesOf(events)
  const filter = { statuses: null, workflowId: null, includeCore: true }
  const all = await stage.store.list(0, 'runs', { filter, page: { after: null, limit: 1_000 } })
  const ends: Record<string, number> = {}
  for (const { status } of all) ends[status] = (ends[status] ?? 0) + 1
  const coreRuns = all.filter(({ workflowId }) => workflowId.startsWith('core.')).length
  await stage.store.close()
  return {
    seed,
    violations,
    trace,
    scenario: stage.scenario,
    faults,
    answers,
    moves,
    runs: clients.accepted.length,
    ends,
    coreRuns,
    happened: stage.world.happened,
    virtualMs: stage.world.now - began,
  }
}

function countIn(counts: Record<string, number>, what: string): void {
  counts[what] = (counts[what] ?? 0) + 1
}

function movesOf(events: readonly EngineEvent[]): Readonly<Record<string, number>> {
  const moves: Record<string, number> = {}
  for (const { body } of events) {
    if (body.type !== 'invocation.changed' || body.from === body.to) continue
    countIn(moves, `${body.from} > ${body.to}`)
    if (body.attempt?.outcome === 'reused') countIn(moves, 'reused')
  }
  return moves
}

/** Whoever comes after the story finds what the dead have left of it. */
async function playToTheEnd(stage: Stage, cluster: Cluster, people: People): Promise<void> {
  await play(stage, cluster, people)
  if (fastClusterOf(stage.store) === null) return
  cluster.launch()
  await stage.world.run(stage.world.now + broughtBackMs, () => false)
  // A cron of the engine's own may have begun in the last moment, and what the dead had begun waits for people, too.
  for (let more = 0; more < afterwardsMax; more += 1) {
    const open = await people.clients.openRuns()
    if (open.length === 0) return
    await people.clients.tend(open)
    if (stage.scenario.oversight !== null) await people.overseers.tend(open)
    await stage.world.run(stage.world.now + tendMs, () => false)
  }
}

interface People {
  readonly clients: Clients
  readonly overseers: Overseers
}

/** Chaos, then quiet until all has ended that can. */
async function play(stage: Stage, cluster: Cluster, { clients, overseers }: People): Promise<void> {
  const { world, scenario, storeFaults } = stage
  const { oversight } = scenario
  const began = world.now
  const healAt = began + scenario.chaosMs
  if (oversight !== null) await writeOversight(stage.store, began, oversight)
  for (let index = 0; index < scenario.processes; index += 1) cluster.launch()
  for (const visit of oversight?.visits ?? []) world.at(began + visit.after, () => overseers.visit(visit))
  for (const start of scenario.starts) world.at(began + start.at, () => clients.request(start))
  for (const order of scenario.scheduling?.orders ?? [])
    world.at(began + order.after, () => clients.order(order))
  planFaults(stage, cluster)
  await world.run(healAt, () => false)
  Object.assign(storeFaults, { fullUntil: 0, slowUntil: 0, refusal: 0, lostAnswer: 0, failure: 0 })
  cluster.heal()
  if (scenario.scheduling !== null) for (const order of lastOrders) clients.order(order)
  if (oversight !== null && oversight.policy !== null) overseers.lift()
  // Who stood still brings back what it wrote once it goes on.
  const restAt = fastClusterOf(stage.store) === null ? world.now : world.now + broughtBackMs
  let moved = { at: world.now, stand: '' }
  // What goes with its run goes a little later, at most as late as this.
  const laterMs = scenario.forgets ? quietMs : 0
  let openAt = world.now
  for (;;) {
    await world.run(world.now + tendMs, () => false)
    const open = await clients.openRuns()
    const stand = await clients.standOf(open)
    if (stand !== moved.stand) moved = { at: world.now, stand }
    if (open.some((id) => !id.startsWith(cronRunStart))) openAt = world.now
    const isQuiet = open.length === 0 && world.now >= restAt
    const isDone = isQuiet && (await isAllDone(stage, { overseers, quietForMs: world.now - openAt }))
    if (isDone || world.now >= moved.at + stillMs + laterMs || world.now >= healAt + healMs) return
    await clients.tend(open)
    if (oversight !== null) await overseers.tend(open)
  }
}

/** Whether nothing comes any more of what follows the runs. */
async function isAllDone(
  { store, scenario }: Stage,
  { overseers, quietForMs }: { readonly overseers: Overseers; readonly quietForMs: Millis },
): Promise<boolean> {
  if (scenario.oversight !== null && (await overseers.areScansOpen())) return false
  if (!scenario.forgets || quietForMs >= quietMs) return true
  // To read it all takes its time: not at each look.
  return quietForMs % lookEveryMs === 0 && (await isAllForgotten(store, await readHistory(store)))
}

async function check(
  stage: Stage,
  cluster: Cluster,
  { clients, overseers }: People,
): Promise<readonly string[]> {
  // What the next two turns of the replayer do, for which the story is too short.
  for (const after of [0, graceMs]) await stage.store.repair?.(stage.world.now + after)
  const { faults, oversight, forgets } = stage.scenario
  // Renewals that fail by no fault of their owner's look like silence.
  const silenced = faults.fullDisk || faults.lostAnswers || faults.failures || faults.slowStore
  const found = await checkAll({
    store: stage.store,
    effects: cluster.effects,
    accepted: clients.accepted,
    signalled: clients.signalled,
    called: clients.called,
    settled: true,
    ...(forgets ? { forgotten: { before: stage.world.now - forgottenWithinMs, unkeptGraceMs } } : {}),
    ...(oversight === null ? {} : { overseen: overseers.whatTheySaw(oversight) }),
    ...(silenced ? {} : { mayRecover: (runner: string, at: number) => cluster.mayRecover(runner, at) }),
  })
  const fast = fastClusterOf(stage.store)
  return fast === null ? found : [...withoutWhatIsTold(fast, found), ...notTold(fast)]
}

function traceOf({ world }: Stage, { effects }: Cluster, events: readonly EngineEvent[]): string {
  const text = JSON.stringify([events.at(-1)?.hash, effects, world.happened, world.now])
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}
