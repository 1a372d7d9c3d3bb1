/** Rehearsals with the product's own task kinds: in memory, on mocks, nothing outside is touched. */

import type { JsonValue } from '../model/json.ts'
import type { WorkflowDocument } from '../model/workflow.ts'
import type { Rehearsal, RehearsalCell } from '../protocol/rehearsal.ts'
import type { CustomTaskSource } from '../runtime/custom-task-source.ts'
import { noCustomTasks } from '../runtime/custom-task-source.ts'
import { nodeMocksOf } from '../runtime/mocked-host.ts'
import { rehearse } from '../runtime/rehearsal/rehearse.ts'
import { noWorkflows } from '../runtime/sub-workflows/workflow-source.ts'
import { systemClock } from '../runtime/system-ports.ts'
import type { AllowedPackages } from '../tasks/javascript/packages/package-graph.ts'
import { taskMocksByKind } from '../tasks/mocks.ts'
import { composeHost } from './compose-host.ts'
import { quietLog } from './quiet-log.ts'
import { validationOptions } from './validate-json.ts'
import { createWorkflowSource } from './workflow-source.ts'

export interface RehearsalOrder {
  readonly document: WorkflowDocument
  readonly input: JsonValue
  /** The mocks of this name that nodes have; null for the first one of each. */
  readonly mocks: string | null
  /** Where workflows that steps start by id are looked for; nowhere when null. */
  readonly baseDirectory: string | null
  /** Those that the workflows name; none when absent. */
  readonly customTasks?: CustomTaskSource
  /** Which its code may import; none when absent. */
  readonly packages?: AllowedPackages
  readonly told?: (cell: RehearsalCell, count: number) => void
  readonly signal?: AbortSignal
}

/** Throws `rehearsal_without_end`, and what a start throws. */
export async function rehearseWorkflow(order: RehearsalOrder): Promise<Rehearsal> {
  const { input, mocks, baseDirectory, told, signal, customTasks = noCustomTasks } = order
  const document = await customTasks.writeOut(order.document)
  const { host, close } = composeHost({ clock: systemClock, packages: order.packages })
  try {
    return await rehearse({
      document,
      input,
      baseDirectory,
      host,
      mocking: { nodes: nodeMocksOf(document, mocks), kinds: taskMocksByKind },
      validation: validationOptions,
      workflows: baseDirectory === null ? noWorkflows : createWorkflowSource(baseDirectory, customTasks),
      log: quietLog,
      random: { next: () => 0.5 },
      clock: systemClock,
      told: told ?? (() => undefined),
      signal: signal ?? new AbortController().signal,
    })
  } finally {
    await close()
  }
}
