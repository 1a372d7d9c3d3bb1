/** What a seed decides before the story begins: workflows, processes and which faults there are. */

import type { JsonObject } from '../../src-engine/model/json.ts'
import { parseDocument } from '../../src-engine/model/read-document.ts'
import type { WorkflowDocument } from '../../src-engine/model/workflow.ts'
import type { FailpointName } from '../../src-engine/runtime/failpoints.ts'
import { failpointNames } from '../../src-engine/runtime/failpoints.ts'
import type { RandomSource } from '../support/random-source.ts'
import { randomWorkflow } from '../support/random-workflow.ts'

export interface Start {
  readonly at: number
  readonly document: WorkflowDocument
  readonly requestId: string | null
  /** How often the same request is sent at once. */
  readonly copies: number
  readonly cancelAt: number | null
}

export interface Scenario {
  readonly processes: number
  readonly slots: number
  readonly starts: readonly Start[]
  readonly chaosMs: number
  /** Each seed has a random half of the faults: together they would hide one another. */
  readonly faults: {
    readonly crashes: boolean
    readonly pauses: boolean
    readonly clockJumps: boolean
    readonly fullDisk: boolean
    readonly refusals: boolean
    readonly lostAnswers: boolean
    readonly stops: boolean
  }
  /** Whether a dead process is known to be dead, or only its leases run out. */
  readonly sameHost: boolean
  /** A crash at the n-th passing of a failpoint, by process number. */
  readonly failpoints: readonly {
    readonly process: number
    readonly name: FailpointName
    readonly nth: number
  }[]
}

/** The scenario of a seed's choices. */
export function randomScenario(random: RandomSource): Scenario {
  const chaosMs = 20_000 + random.below(40_000)
  const documents = Array.from({ length: 1 + random.below(3) }, (_, index) => document(random, index))
  const faults = {
    crashes: random.chance(0.6),
    pauses: random.chance(0.3),
    clockJumps: random.chance(0.3),
    fullDisk: random.chance(0.3),
    refusals: random.chance(0.3),
    lostAnswers: random.chance(0.3),
    stops: random.chance(0.3),
  }
  const starts = Array.from({ length: 2 + random.below(5) }, (_, index): Start => {
    const at = random.below(chaosMs / 2)
    const named = random.chance(0.6)
    return {
      at,
      document: random.pick(documents),
      requestId: named ? `order ${index}` : null,
      copies: named && random.chance(0.4) ? 2 : 1,
      cancelAt: random.chance(0.25) ? at + random.below(5_000) : null,
    }
  })
  const failpoints = faults.crashes
    ? Array.from({ length: 1 + random.below(5) }, (_, process) => {
        return { process, name: random.pick(failpointNames), nth: 1 + random.below(6) }
      })
    : []
  return {
    processes: 1 + random.below(4),
    slots: 1 + random.below(6),
    starts,
    chaosMs,
    faults,
    sameHost: random.chance(0.7),
    failpoints,
  }
}

function document(random: RandomSource, index: number): WorkflowDocument {
  const parts: JsonObject = {
    format: 'sagasmith.workflow',
    schemaVersion: 1,
    id: `w${index}`,
    title: `Workflow ${index}`,
    ...randomWorkflow(random, { nodesMax: 10, mayFail: random.chance(0.7) }),
  }
  const read = parseDocument(parts)
  if (!read.ok) throw read.error
  return read.value.document
}
