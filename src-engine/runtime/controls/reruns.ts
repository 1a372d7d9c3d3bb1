/** Running again: the same version with the same or an edited input, or explicitly a newer version. */

import { SagasmithError } from '../../model/errors.ts'
import type { DefinitionHash, RunId } from '../../model/ids.ts'
import type { JsonValue } from '../../model/json.ts'
import type { RunOrigin, RunRecord } from '../../model/run.ts'
import type { WorkflowDocument } from '../../model/workflow.ts'
import type { RerunRequest } from '../../protocol/run-control.ts'
import type { Admission } from '../admission.ts'
import type { Definitions } from '../definitions.ts'
import type { StartRequest } from '../engine.ts'
import type { PayloadStore } from '../payload-store.ts'
import type { RunnerDependencies } from '../runner.ts'
import type { VersionPins } from '../sub-workflows/version-pins.ts'

export interface Reruns {
  /** Throws `run_not_found`, `definition_mismatch`, and what a start throws. */
  readonly rerun: (request: RerunRequest, origin?: RunOrigin) => Promise<StartedRun>
}

interface StartedRun {
  readonly runId: RunId
  readonly hash: DefinitionHash
}

export interface RerunParts {
  readonly dependencies: RunnerDependencies
  readonly definitions: Definitions
  readonly payloads: PayloadStore
  readonly admission: Admission
  readonly pins: VersionPins
}

export function createReruns(
  parts: RerunParts,
  start: (request: StartRequest) => Promise<StartedRun>,
): Reruns {
  const { dependencies, definitions, payloads, admission, pins } = parts
  const documentOf = async (request: RerunRequest, run: RunRecord): Promise<WorkflowDocument> => {
    const hash = run.definitionHash
    if (request.document === null) {
      // A published version is a document that passed validation.
      return JSON.parse((await definitions.version(hash)).document) as WorkflowDocument
    }
    const document = request.document as unknown as WorkflowDocument
    // The workflows that it starts are part of the version.
    const given = admission.admit((await pins.pin(document, run.baseDirectory)).document)
    if (given !== hash && !request.otherVersion) throw mismatch(request.runId, { bound: hash, given })
    return document
  }
  return {
    rerun: async (request, origin) => {
      const { runId } = request
      const run = await dependencies.store.load(dependencies.partition, 'run', { runId })
      if (run === null) {
        throw new SagasmithError('run_not_found', {
          message: `There is no run ${runId}.`,
          details: { runId },
        })
      }
      const document = await documentOf(request, run)
      const input: JsonValue = request.input === null ? await payloads.value(run.input) : request.input.value
      return start({
        document,
        input,
        baseDirectory: run.baseDirectory,
        requestId: request.requestId,
        tenant: run.tenant,
        again: {
          origin: origin ?? { kind: 'rerun', runId, nodeId: null },
          priority: run.priority,
          tags: run.tags,
          cause: { kind: 'rerun', by: request.by ?? 'local', detail: request.reason },
        },
      })
    },
  }
}

const mismatch = (
  runId: RunId,
  hashes: { readonly bound: DefinitionHash; readonly given: DefinitionHash },
): SagasmithError =>
  new SagasmithError('definition_mismatch', {
    message: `The run ${runId} is bound to version ${hashes.bound}, but the document given is ${hashes.given}.`,
    hint: 'Run it again on its own version, or ask explicitly for the other one.',
    details: { runId, ...hashes },
  })
