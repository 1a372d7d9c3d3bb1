/** Everything a store can tell, read once: what the invariants are checked on. */

import type { CompiledWorkflow } from '../../src-engine/core/compile.ts'
import { compileWorkflow } from '../../src-engine/core/compile.ts'
import type { EngineEvent } from '../../src-engine/model/event.ts'
import type { InvocationRecord } from '../../src-engine/model/invocation.ts'
import type { RunRecord } from '../../src-engine/model/run.ts'
import type { WorkflowDocument } from '../../src-engine/model/workflow.ts'
import { withRecoveryTask } from '../../src-engine/runtime/core-tasks/recovery-task.ts'
import { partitionOfRun } from '../../src-engine/runtime/run-place.ts'
import type { Store } from '../../src-engine/store/store.ts'
import { taskSpecsByKind } from '../../src-engine/tasks/specs.ts'
import { asTheyCame, eventsOf, everyEvent } from './read-events.ts'

export interface RunHistory {
  readonly run: RunRecord
  readonly workflow: CompiledWorkflow
  readonly invocations: readonly InvocationRecord[]
  readonly events: readonly EngineEvent[]
}

export interface History {
  readonly events: readonly EngineEvent[]
  /** The same in the order in which they were acknowledged first: who held what at a time is read off this. */
  readonly asTheyCame: readonly EngineEvent[]
  readonly runs: readonly RunHistory[]
  /** Runs whose definition is gone. */
  readonly unbound: readonly string[]
}

const pageMax = 1_000

/** All kinds, with those of the engine's own runs. */
export const { specsByKind: specsOfHistory } = withRecoveryTask(
  {
    specsByKind: taskSpecsByKind,
    runOf: () => null,
    resolver: { resolveParameters: ({ parameters }) => parameters },
    echoService: async () => '',
  },
  () => {
    throw new Error('nothing is recovered here')
  },
)

/** Reads it all, or what one partition has; only for stores of tests. */
export async function readHistory(store: Store, partition: number | null = null): Promise<History> {
  const events = partition === null ? await everyEvent(store) : await eventsOf(store, partition, null)
  const byRun = Map.groupBy(events, (event) => event.runId)
  const runs: RunHistory[] = []
  const unbound: string[] = []
  for (const run of await readRuns(store)) {
    if (partition !== null && partitionOfRun(store.info, run.id) !== partition) continue
    const version = await store.load(0, 'workflowVersion', { hash: run.definitionHash })
    if (version === null) {
      unbound.push(run.id)
      continue
    }
    const document = JSON.parse(version.document) as WorkflowDocument
    runs.push({
      run,
      workflow: compileWorkflow(document, specsOfHistory),
      invocations: await store.load(0, 'invocations', { runId: run.id }),
      events: byRun.get(run.id) ?? [],
    })
  }
  return { events, asTheyCame: asTheyCame(store, events), runs, unbound }
}

async function readRuns(store: Store): Promise<readonly RunRecord[]> {
  const runs: RunRecord[] = []
  let after: string | null = null
  for (;;) {
    const page: readonly RunRecord[] = await store.list(0, 'runs', {
      filter: { statuses: null, workflowId: null, includeCore: true },
      page: { after, limit: pageMax },
    })
    runs.push(...page)
    after = page.at(-1)?.id ?? null
    if (page.length < pageMax) return runs
  }
}
