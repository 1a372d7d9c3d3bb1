/** Having a pulled run go on where it came from: on its own version, or on a changed one. */

import type { ErrorRecord } from '../../model/errors.ts'
import { recordOfThrown, SagasmithError } from '../../model/errors.ts'
import type { NodeId } from '../../model/ids.ts'
import type { ResumeRequest } from '../../protocol/teleport.ts'
import { refuseMovedOn } from '../../runtime/teleport/moved-on.ts'
import { stepsToRetry } from '../../runtime/teleport/retry-preview.ts'
import { taskSpecsByKind } from '../../tasks/specs.ts'
import type { TeleportDesk } from './desk.ts'
import type { TeleportDeskParts } from './desk-parts.ts'
import type { Prepared } from './prepared.ts'
import { prepareResume, readOnlyAt } from './prepared.ts'
import { refuseGoesOnHere } from './running-here.ts'

export function createResuming(parts: TeleportDeskParts): Pick<TeleportDesk, 'preview' | 'resume'> {
  return {
    async preview(request) {
      const prepared = await prepareResume(parts, request)
      const { cluster, record, host, methods, json } = prepared
      const { baseDirectory } = record
      const push =
        json === null ? null : await methods['workflows.preview']({ document: json, baseDirectory })
      const { again, refusal } = await judge(parts, prepared, request)
      return { cluster, push, again, refusal: host.readOnly ? readOnlyAt(cluster) : refusal }
    },
    async resume(request) {
      const { cluster, pulled, record, host, methods, json } = await prepareResume(parts, request)
      await refuseGoesOnHere(parts.local, record)
      await refuseMovedOn(host.store, pulled, record)
      const { runId, nodeId, by, reason } = request
      const answer = await methods['runs.retry']({
        runId,
        nodeId,
        input: null,
        version: json === null ? 'same' : 'newest',
        document: json,
        by,
        reason,
        // Somebody may be faster than this call.
        ifVersion: record.version,
      })
      parts.log.info('teleport.resumed', { runId, cluster, generation: answer.generation })
      return { ...answer, cluster }
    },
  }
}

/** What would happen, as far as it can be told before it does. */
async function judge(
  { clock, local }: TeleportDeskParts,
  { host, pulled, record, store, bound, document }: Prepared,
  { runId, nodeId }: ResumeRequest,
): Promise<{ readonly again: readonly NodeId[]; readonly refusal: ErrorRecord | null }> {
  try {
    await refuseGoesOnHere(local, record)
    await refuseMovedOn(host.store, pulled, record)
    const question = { runId, bound, document, nodeId, now: clock.now() }
    return { again: await stepsToRetry(store, taskSpecsByKind, question), refusal: null }
  } catch (thrown) {
    if (!(thrown instanceof SagasmithError)) throw thrown
    return { again: [], refusal: recordOfThrown(thrown) }
  }
}
