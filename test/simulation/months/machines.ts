/** The machines of a month: one engine on each, and all that befalls them. */

import type { Checkpoint } from '../../../src-engine/model/checkpoint.ts'
import { SagasmithError } from '../../../src-engine/model/errors.ts'
import { engineSettings } from '../../../src-engine/model/settings/engine-settings.ts'
import type { Millis } from '../../../src-engine/model/time.ts'
import { day, hour, minute, second } from '../../../src-engine/model/time.ts'
import { firingPrefix } from '../../../src-engine/model/trigger.ts'
import { createEngine } from '../../../src-engine/runtime/create-engine.ts'
import type { Engine } from '../../../src-engine/runtime/engine.ts'
import type { TaskHost } from '../../../src-engine/runtime/task-host.ts'
import type { Store } from '../../../src-engine/store/store.ts'
import { taskSpecsByKind } from '../../../src-engine/tasks/specs.ts'
import { completed } from '../../../src-engine/tasks/task.ts'
import type { RandomSource } from '../../support/random-source.ts'
import { createRandomSource } from '../../support/random-source.ts'
import { createFaultyStore } from '../faulty-store.ts'
import { SleepingProcess } from './sleeping-process.ts'
import type { MonthStage } from './stage.ts'

export interface Machine {
  readonly process: SleepingProcess
  readonly engine: Engine
}

const quiet = { debug() {}, info() {}, warn() {}, error() {} }

/** All that engines do by themselves, seldom: a month of it shall take a second. What is due wakes them anyway. */
const seldom = engineSettings({
  claimTtlMs: 2 * hour,
  heartbeatIntervalMs: 30 * minute,
  runnerDeadAfterMs: 2 * hour,
  deadProcessCheckMs: 30 * minute,
  pollIntervalMs: hour,
  registrySnapshotIntervalMs: hour,
  registryEntryTtlMs: 3 * hour,
  poolDrainCheckMs: hour,
  reconcilerIntervalMs: hour,
  replayerIntervalMs: 30 * minute,
  tickLockTtlMs: 2 * hour,
  messageVisibilityMs: hour,
  dispatchTimeoutMs: 6 * hour,
  pendingAgeMs: 2 * hour,
  pruneIntervalMs: 5 * day,
  runRetentionAgeMs: 9 * day,
  atomicServiceIntervalMs: 6 * hour,
  atomicServiceCheckIntervalMs: hour,
  recoverPendingCron: '10 */6 * * *',
  recoverRunningCron: '40 */6 * * *',
  folderLookIntervalMs: hour,
})

export class Machines {
  readonly all: Machine[] = []
  readonly #stage: MonthStage
  #ids = 0

  constructor(stage: MonthStage) {
    this.#stage = stage
  }

  living(): readonly Machine[] {
    return this.all.filter(({ process }) => process.alive)
  }

  /** One that could be talked to; null while there is none. */
  awake(random: RandomSource): Machine | null {
    const awake = this.all.filter(({ process }) => process.awake)
    return awake.length === 0 ? null : random.pick(awake)
  }

  async launch(): Promise<void> {
    const { plan, world, mutant, storeFaults, connect, folder } = this.#stage
    const number = this.all.length
    const process = new SleepingProcess(world, number + 1)
    const random = createRandomSource(`month ${plan.seed} machine ${number}`)
    const shared = await connect()
    const own = mutant.store?.(shared, random) ?? shared
    const faulty = createFaultyStore(own, { process, random, faults: storeFaults })
    const engine = createEngine({
      store: this.#disturbed(faulty, process, random),
      host: hostOf(process, random, this.#stage.chaos),
      validation: {},
      clock: process.clock(),
      random,
      ids: { next: () => String((this.#ids += 1)).padStart(6, '0') },
      log: quiet,
      process: {
        own: { host: 'host', pid: process.pid, startTime: null, bootId: null },
        isProvenGone: ({ pid }) => plan.sameHost && this.all[pid - 1]?.process.alive === false,
      },
      preview: async () => ({ kind: 'no-data' }),
      settings: seldom,
      canRunAtomicService: true,
      folders: {
        scan: async () => new Map(folder),
        hints: () => () => undefined,
        real: async (path) => path,
      },
    })
    this.all.push({ process, engine })
    engine.start().then(
      () => engine.folders.start(),
      () => this.crash({ process, engine }, minute),
    )
  }

  /** Dies at once; another one takes its place after a while. */
  crash({ process }: Pick<Machine, 'process' | 'engine'>, backAfterMs: Millis): void {
    const { world, chaos } = this.#stage
    if (!process.alive) return
    process.die()
    const launch = (): void => {
      // Real stores take their time to be connected to.
      world.pending += 1
      void this.launch().finally(() => {
        world.pending -= 1
      })
    }
    world.at(world.now + (chaos.isOver ? second : backAfterMs), launch)
  }

  /** All faults of machines end. */
  heal(): void {
    for (const { process } of this.living()) {
      process.skew = 0
      process.wake()
    }
  }

  /** Some that decide something die of it, or sleep in the middle of it: as zombies they go on later. */
  #disturbed(store: Store, process: SleepingProcess, random: RandomSource): Store {
    const { plan, chaos, count } = this.#stage
    const { deadlyCommits, sleepyCommits } = plan.faults
    if (!deadlyCommits && !sleepyCommits) return store
    const commit: Store['commit'] = async (partition, checkpoints) => {
      const decides = !chaos.isOver && checkpoints.some(tellsFiring)
      if (decides && sleepyCommits && random.chance(0.02)) {
        count('sleep in a decision')
        process.sleepFor(random.below(8 * hour))
      }
      const dies = decides && deadlyCommits && random.chance(0.02)
      const isBefore = dies && random.chance(0.5)
      if (dies) count('death of a decision')
      if (isBefore) this.#die(process, random)
      const answer = store.commit(partition, checkpoints)
      if (dies && !isBefore) answer.finally(() => this.#die(process, random)).catch(() => undefined)
      return answer
    }
    return { ...store, commit }
  }

  #die(process: SleepingProcess, random: RandomSource): void {
    const machine = this.all[process.pid - 1]
    if (machine !== undefined) this.crash(machine, random.below(4 * hour))
  }
}

const tellsFiring = ({ writes }: Checkpoint): boolean =>
  writes.registers.some(({ key }) => key.startsWith(firingPrefix))

/** Steps that last a while; few of them longer than until the next slot. */
function hostOf(
  process: SleepingProcess,
  random: RandomSource,
  chaos: { readonly isOver: boolean },
): TaskHost {
  return {
    specsByKind: taskSpecsByKind,
    runOf: () => ({
      execute: (_parameters, { signal }) =>
        new Promise((resolve, reject) => {
          const span = chaos.isOver ? second : spanOf(random)
          const cancel = process.plan(span, () => resolve(completed(null)))
          signal.addEventListener('abort', () => {
            if (!process.alive) return
            cancel()
            reject(new SagasmithError('task_cancelled'))
          })
        }),
    }),
    resolver: { resolveParameters: async ({ parameters }) => parameters },
    echoService: async () => '',
  }
}

function spanOf(random: RandomSource): Millis {
  const drawn = random.next()
  if (drawn < 0.04) return random.below(5 * hour)
  return random.below(drawn < 0.2 ? 20 * minute : 30 * second)
}
