/** Compiled workflows by hash: parsed and compiled once, however many runs are bound to them. */

import type { CompiledWorkflow } from '../core/compile.ts'
import { compileWorkflow } from '../core/compile.ts'
import { SagasmithError } from '../model/errors.ts'
import type { DefinitionHash } from '../model/ids.ts'
import type { Clock } from '../model/ports.ts'
import type { TaskSpec } from '../model/task-spec.ts'
import type { WorkflowDocument } from '../model/workflow.ts'
import type { WorkflowVersion } from '../model/workflow-version.ts'
import type { Store } from '../store/store.ts'
import { pauseAfter } from './failure-pause.ts'
import { surelyThere } from './surely-there.ts'
import type { DefinitionTrust } from './trust/definition-trust.ts'

/** With the pauses between them as long as claims wait in a partition that another server leads, and half as long again. */
const looksMax = 4

/** Enough for every workflow that is really in use at a time. */
const compiledMax = 200

export interface Definitions {
  readonly compiled: (hash: DefinitionHash) => CompiledWorkflow | Promise<CompiledWorkflow>
  /** Known to be in the store: no need to publish it again. */
  readonly isPublished: (hash: DefinitionHash) => boolean | Promise<boolean>
  readonly add: (hash: DefinitionHash, document: WorkflowDocument) => CompiledWorkflow
  readonly notePublished: (hash: DefinitionHash) => void
  readonly version: (hash: DefinitionHash) => Promise<WorkflowVersion>
}

export function createDefinitions(
  store: Store,
  partition: number,
  {
    specsByKind,
    clock,
    trust = null,
  }: {
    readonly specsByKind: ReadonlyMap<string, TaskSpec>
    readonly clock: Pick<Clock, 'after'>
    readonly trust?: Pick<DefinitionTrust, 'verify'> | null
  },
): Definitions {
  const compiledByHash = new Map<DefinitionHash, CompiledWorkflow>()
  const published = new Set<DefinitionHash>()
  const add = (hash: DefinitionHash, document: WorkflowDocument): CompiledWorkflow => {
    const known = compiledByHash.get(hash)
    if (known !== undefined) return known
    const compiled = compileWorkflow(document, specsByKind)
    const [oldest] = compiledByHash.keys()
    if (compiledByHash.size >= compiledMax && oldest !== undefined) compiledByHash.delete(oldest)
    compiledByHash.set(hash, compiled)
    return compiled
  }
  /** Runs know of it: where a failover may have taken it back, whoever published it is about to bring it back. */
  const patientLook = async (hash: DefinitionHash): Promise<WorkflowVersion | null> => {
    for (let looks = 0; ; looks += 1) {
      const found = await store.load(partition, 'workflowVersion', { hash })
      if (found !== null || store.confirm === undefined || looks === looksMax) return found
      await pauseAfter(clock, looks)
    }
  }
  const version = async (hash: DefinitionHash): Promise<WorkflowVersion> => {
    const found = await patientLook(hash)
    if (found !== null) {
      // Documents are JSON by construction.
      if (trust !== null) trust.verify(hash, JSON.parse(found.document) as WorkflowDocument)
      return found
    }
    throw new SagasmithError('workflow_not_found', {
      message: `There is no workflow version ${hash}.`,
      details: { hash },
    })
  }
  /** Runs will build on it, which a failover doesn't take back with it. */
  const isSurelyThere = async (hash: DefinitionHash): Promise<boolean> => {
    const found = await surelyThere(store, null, {
      look: () => store.load(partition, 'workflowVersion', { hash }),
      isThere: (there) => there !== null,
    })
    if (found !== null) published.add(hash)
    return found !== null
  }
  return {
    add,
    version,
    compiled: (hash) =>
      compiledByHash.get(hash) ??
      version(hash).then((found) => {
        published.add(hash)
        return add(hash, JSON.parse(found.document) as WorkflowDocument)
      }),
    isPublished: (hash) => published.has(hash) || isSurelyThere(hash),
    notePublished: (hash) => {
      published.add(hash)
    },
  }
}
