/** What a seed decides before the story begins: workflows, processes, what people do, and which faults there are. */

import type { NodeId } from '../../src-engine/model/ids.ts'
import type { WorkflowDocument } from '../../src-engine/model/workflow.ts'
import type { FailpointName } from '../../src-engine/runtime/failpoints.ts'
import { failpointNames } from '../../src-engine/runtime/failpoints.ts'
import type { RandomSource } from '../support/random-source.ts'
import { randomDocument, signalNames } from './documents.ts'
import type { Oversight } from './oversight.ts'
import type { Saga } from './saga-plan.ts'
import type { Scheduling } from './scheduling.ts'
import { placedDocuments, randomScheduling } from './scheduling.ts'

/** What somebody does with one of the runs, `after` so many ms. */
export type Wish =
  /** `retry` has an ended run go on from what failed, `replay` starts a dead letter's run again. */
  | { readonly kind: 'cancel' | 'rerun' | 'retry' | 'replay'; readonly after: number }
  | { readonly kind: 'skip'; readonly after: number; readonly nodeId: NodeId }
  /** Of a run (`nodeId` null) or of one of its steps; it is resumed after `span`. */
  | {
      readonly kind: 'pause'
      readonly after: number
      readonly nodeId: NodeId | null
      readonly span: number
    }

/** A message to one of the runs. */
export interface Signal {
  readonly after: number
  readonly name: string
  readonly messageId: string
  /** Whether its sender sends it twice. */
  readonly repeated: boolean
}

export interface Start {
  readonly at: number
  readonly document: WorkflowDocument
  readonly requestId: string | null
  /** How often the same request is sent at once. */
  readonly copies: number
  readonly tenant: string
  readonly wishes: readonly Wish[]
  readonly signals: readonly Signal[]
}

/** How often a seed has each of the faults. */
const faultChances = {
  crashes: 0.6,
  pauses: 0.3,
  clockJumps: 0.3,
  fullDisk: 0.3,
  /** Commits are refused although nothing stands against them. */
  refusals: 0.3,
  /** Writes happen, but their answer is an error. */
  lostAnswers: 0.3,
  /** Store calls fail without having done anything. */
  failures: 0.2,
  slowStore: 0.2,
  stops: 0.3,
  /** The whole machine sleeps: all processes stand still together. */
  sleeps: 0.2,
} as const

export type FaultName = keyof typeof faultChances

/** All of them. */
export const faultNames = Object.keys(faultChances) as readonly FaultName[]

export interface Scenario {
  readonly processes: number
  readonly slots: number
  readonly documents: readonly WorkflowDocument[]
  readonly starts: readonly Start[]
  readonly chaosMs: number
  /** Each seed has a choice of its own: all together they would hide one another. */
  readonly faults: Readonly<Record<FaultName, boolean>>
  /** Whether a dead process is known to be dead, or only its leases run out. */
  readonly sameHost: boolean
  /** A crash at the n-th passing of a failpoint, by process number. */
  readonly failpoints: readonly {
    readonly process: number
    readonly name: FailpointName
    readonly nth: number
  }[]
  /** Whether some of the work is done by programs that can stand still. */
  readonly hasPrograms: boolean
  /** Whether some of what steps give goes with their run. */
  readonly forgets: boolean
  /** Whether steps say more of themselves: conditions, keys of items, what is taken out, whom they steer. */
  readonly particular: boolean
  /** Null for seeds in which everybody may do everything at once. */
  readonly scheduling: Scheduling | null
  /** Null for seeds in which nothing is undone. */
  readonly saga: Saga | null
  /** Null for seeds in which nobody is asked, and nothing judged. */
  readonly oversight: Oversight | null
}

/** The scenario of a seed's choices, without some of its faults; `apart` decides about scheduling. */
export function randomScenario(
  random: RandomSource,
  apart: RandomSource,
  without: readonly FaultName[],
): Scenario {
  const chaosMs = 20_000 + random.below(40_000)
  const scheduling = randomScheduling(apart, chaosMs)
  const drawnDocuments = Array.from({ length: 1 + random.below(3) }, (_, index) =>
    randomDocument(random, index),
  )
  const documents = scheduling === null ? drawnDocuments : placedDocuments(apart, drawnDocuments)
  const drawn = faultNames.map((name) => [name, random.chance(faultChances[name])] as const)
  const faults = Object.fromEntries(
    drawn.map(([name, has]) => [name, has && !without.includes(name)]),
  ) as unknown as Scenario['faults']
  const habits = { pauses: random.chance(0.4), skips: random.chance(0.2), repeats: random.chance(0.2) }
  const starts = Array.from({ length: 2 + random.below(5) }, (_, index): Start => {
    const at = random.below(chaosMs / 2)
    const named = random.chance(0.6)
    return {
      at,
      document: random.pick(documents),
      requestId: named ? `order ${index}` : null,
      copies: named && random.chance(0.4) ? 2 : 1,
      tenant: scheduling?.tenants[index] ?? 'local',
      wishes: wishes(random, habits),
      signals: signals(random, index),
    }
  })
  const failpoints = faults.crashes ? randomFailpoints(random) : []
  return {
    processes: 1 + random.below(3),
    slots: 1 + random.below(4),
    documents,
    starts,
    chaosMs,
    faults,
    sameHost: random.chance(0.7),
    failpoints,
    hasPrograms: false,
    forgets: false,
    particular: false,
    scheduling,
    saga: null,
    oversight: null,
  }
}

function wishes(
  random: RandomSource,
  habits: { readonly pauses: boolean; readonly skips: boolean; readonly repeats: boolean },
): readonly Wish[] {
  const wished: Wish[] = []
  const after = () => random.below(6_000)
  const nodeId = () => `n${random.below(6)}` as NodeId
  if (random.chance(0.25)) wished.push({ kind: 'cancel', after: after() })
  if (habits.pauses && random.chance(0.6)) {
    const target = random.chance(0.3) ? nodeId() : null
    wished.push({ kind: 'pause', nodeId: target, after: after(), span: random.below(20_000) })
  }
  if (habits.skips && random.chance(0.6)) wished.push({ kind: 'skip', nodeId: nodeId(), after: after() })
  if (habits.repeats) {
    const kind = random.pick(['rerun', 'retry', 'retry', 'replay'] as const)
    wished.push({ kind, after: random.below(30_000) })
  }
  return wished
}

function signals(random: RandomSource, start: number): readonly Signal[] {
  return Array.from({ length: random.below(4) }, (_, index) => {
    const repeated = random.chance(0.2)
    const name = random.pick(signalNames)
    return { after: random.below(20_000), name, messageId: `message ${start}-${index}`, repeated }
  })
}

function randomFailpoints(random: RandomSource): Scenario['failpoints'] {
  // Whoever executes anything dies of it, process after process.
  if (random.chance(0.05))
    return Array.from({ length: 14 }, (_, process) => ({ process, name: 'attempt.effect-done', nth: 1 }))
  return Array.from({ length: 1 + random.below(5) }, (_, process) => {
    return { process, name: random.pick(failpointNames), nth: 1 + random.below(6) }
  })
}
