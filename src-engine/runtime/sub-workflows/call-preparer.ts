/** Makes of what a step asks for the run that is to be started: its version, its input, its place. */

import type { CallEnd } from '../../core/calls.ts'
import { childRunId } from '../../model/child-run.ts'
import type { WorkflowId } from '../../model/ids.ts'
import { definitionHash } from '../../model/ids.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import { subWorkflowDepthMax, taskOutputBytesMax } from '../../model/limits.ts'
import type { RunRecord } from '../../model/run.ts'
import type { WorkflowDocument } from '../../model/workflow.ts'
import type { WorkflowVersion } from '../../model/workflow-version.ts'
import type { TaskOutcome } from '../../tasks/task.ts'
import type { PayloadStore } from '../payload-store.ts'
import { versionOf } from '../published-version.ts'
import type { VersionPins, VersionPinsParts } from './version-pins.ts'
import { notFound, refuseCircle } from './version-pins.ts'
import { folderOf } from './workflow-source.ts'

type Call = Extract<TaskOutcome, { readonly kind: 'calls' }>

export interface CallPreparer {
  /** Throws what a start of the workflow would throw: then it is the step that fails. */
  readonly prepare: (
    call: Call,
    step: { readonly run: RunRecord; readonly record: InvocationRecord },
  ) => Promise<CallEnd>
}

export interface CallPreparerParts extends VersionPinsParts {
  readonly pins: VersionPins
  readonly payloads: PayloadStore
}

/** Prepares the calls of this engine's steps. */
export function createCallPreparer(parts: CallPreparerParts): CallPreparer {
  const { admission, payloads } = parts
  return {
    prepare: async (call, { run, record }) => {
      const above = await chainOf(parts, run)
      const { document, hash, versions } = await boundTo(parts, call, { run, above })
      refuseCircle(document.id, above)
      const given = admission.admitInput(document, call.input)
      const runId = childRunId(record.id, record.failureCount)
      return {
        kind: 'calls',
        child: {
          runId,
          tenant: run.tenant,
          hash,
          input: await payloads.keep(JSON.stringify(given), taskOutputBytesMax),
          baseDirectory: folderOf(call.workflow, run.baseDirectory),
          priority: document.settings?.priority ?? run.priority,
          deadlineAt: call.waits ? run.deadlineAt : null,
          parentRunId: run.id,
          parentInvocationId: record.id,
          waits: call.waits,
        },
        output: { kind: 'inline', json: JSON.stringify({ runId }) },
        versions,
      }
    },
  }
}

/** The workflows of a run and of those that started it, outermost first. */
async function chainOf({ store, partition }: CallPreparerParts, run: RunRecord): Promise<WorkflowId[]> {
  const chain = [run.workflowId]
  for (let parent = run.parentRunId; parent !== null && chain.length <= subWorkflowDepthMax; ) {
    const above = await store.load(partition, 'run', { runId: parent })
    if (above === null) break
    chain.unshift(above.workflowId)
    parent = above.parentRunId
  }
  return chain
}

interface Bound {
  readonly document: WorkflowDocument
  readonly hash: CallEnd['child']['hash']
  readonly versions: readonly WorkflowVersion[]
}

/** The version that the step names, or the one that there is now. */
async function boundTo(
  parts: CallPreparerParts,
  call: Call,
  of: { readonly run: RunRecord; readonly above: readonly WorkflowId[] },
): Promise<Bound> {
  const { admission, definitions, pins, source, clock } = parts
  if (call.version !== '') {
    const hash = definitionHash(call.version)
    const { document } = await definitions.compiled(hash)
    return { document, hash, versions: [] }
  }
  const found = await source.find(call.workflow, of.run.baseDirectory)
  if (found === null) throw notFound(call.workflow)
  refuseCircle(found.document.id, of.above)
  const { document, versions } = await pins.pin(found.document, found.folder, of.above)
  const hash = admission.admit(document)
  definitions.add(hash, document)
  if (await definitions.isPublished(hash)) return { document, hash, versions }
  return { document, hash, versions: [...versions, versionOf(document, hash, clock.now())] }
}
