/**
 * Having the rest of a pulled run done on this machine, with its real effects. The run must not go on in two places: it
 * has ended where it came from, or is cancelled there first, and a resume there is refused while it goes on here.
 */

import { actingSteps } from '../../model/acting-steps.ts'
import type { ErrorRecord } from '../../model/errors.ts'
import { recordOfThrown, SagasmithError } from '../../model/errors.ts'
import type { NodeId, RunId } from '../../model/ids.ts'
import type { Clock } from '../../model/ports.ts'
import type { RunRecord } from '../../model/run.ts'
import { runMachine } from '../../model/run-status.ts'
import { secretUses } from '../../model/secret-uses.ts'
import type { Millis } from '../../model/time.ts'
import { minute } from '../../model/time.ts'
import type { HereRequest } from '../../protocol/teleport.ts'
import { partitionOfRun } from '../../runtime/run-place.ts'
import { adoptRun } from '../../runtime/teleport/adopt-run.ts'
import { hereIdOf, undoneThere } from '../../runtime/teleport/adopted-run.ts'
import { refuseMovedOn } from '../../runtime/teleport/moved-on.ts'
import { stepsToRetry } from '../../runtime/teleport/retry-preview.ts'
import type { Vault } from '../../runtime/vault/vault.ts'
import type { Store } from '../../store/store.ts'
import { taskSpecsByKind } from '../../tasks/specs.ts'
import type { TeleportDesk } from './desk.ts'
import type { TeleportDeskParts } from './desk-parts.ts'
import type { Prepared } from './prepared.ts'
import { prepareResume, readOnlyAt } from './prepared.ts'

export function createRunningHere(
  parts: TeleportDeskParts,
  pull: TeleportDesk['pull'],
): Pick<TeleportDesk, 'previewHere' | 'here'> {
  return {
    async previewHere(request) {
      const prepared = await prepare(parts, request)
      const { cluster, record, bound, document } = prepared
      const status = (await runThere(prepared))?.status ?? null
      const { again, refusal } = await judge(parts, prepared, request)
      const { store } = prepared
      const of = partitionOfRun(store.info, record.id)
      const recorded = await store.load(of, 'invocations', { runId: record.id })
      const isOpen = status !== null && !runMachine.final.has(status)
      return {
        cluster,
        hereId: hereIdOf(record),
        there: status,
        cancels: isOpen && request.there === 'cancel',
        again,
        acting: actingSteps(document ?? bound, again, taskSpecsByKind),
        missingSecrets: await missingSecrets(parts.vault, prepared),
        undoneThere: undoneThere(recorded),
        refusal,
      }
    },
    async here(request) {
      const first = await prepare(parts, request)
      const cancelled = await endThere(parts, first, request)
      if (cancelled) await pull({ cluster: first.cluster, runId: request.runId, family: false })
      const prepared = cancelled ? await prepare(parts, request) : first
      await check(parts, prepared, request)
      const { cluster, record, json } = prepared
      const { nodeId, by, reason } = request
      const cause = { kind: 'teleport', by, detail: `${record.id} of ${cluster}` }
      const { store: source } = prepared
      const adopting = { source, local: parts.local, specsByKind: taskSpecsByKind }
      const runId = await adoptRun(adopting, record, { at: parts.clock.now(), cause })
      const answer = await parts.methodsHere()['runs.retry']({
        runId,
        nodeId,
        input: null,
        version: json === null ? 'same' : 'newest',
        document: json,
        by,
        reason,
      })
      parts.log.info('teleport.here', { runId: record.id, cluster, here: runId })
      return { ...answer, cluster, cancelled }
    },
  }
}

const prepare = (parts: TeleportDeskParts, { runId, document }: HereRequest): Promise<Prepared> =>
  prepareResume(parts, { runId, document, cluster: null })

const runThere = ({ host, record }: Prepared): Promise<RunRecord | null> =>
  host.store.load(partitionOfRun(host.store.info, record.id), 'run', { runId: record.id })

/** Throws what stands against it; tells which steps begin anew. */
async function check(
  { clock, local }: TeleportDeskParts,
  { host, pulled, record, store, bound, document }: Prepared,
  { runId, nodeId }: HereRequest,
): Promise<readonly NodeId[]> {
  await refuseGoesOnHere(local, record)
  // What is gone there can't go on there either.
  if ((await host.store.load(partitionOfRun(host.store.info, runId), 'run', { runId })) !== null) {
    await refuseMovedOn(host.store, pulled, record)
  }
  return stepsToRetry(store, taskSpecsByKind, { runId, bound, document, nodeId, now: clock.now() })
}

async function judge(
  parts: TeleportDeskParts,
  prepared: Prepared,
  request: HereRequest,
): Promise<{ readonly again: readonly NodeId[]; readonly refusal: ErrorRecord | null }> {
  try {
    const now = await runThere(prepared)
    if (now !== null && !runMachine.final.has(now.status)) {
      await refuseGoesOnHere(parts.local, prepared.record)
      if (request.there === 'leave') throw goesOnThere(now, prepared.cluster)
      return { again: [], refusal: prepared.host.readOnly ? readOnlyAt(prepared.cluster) : null }
    }
    return { again: await check(parts, prepared, request), refusal: null }
  } catch (thrown) {
    if (!(thrown instanceof SagasmithError)) throw thrown
    return { again: [], refusal: recordOfThrown(thrown) }
  }
}

/** How long an end is waited for that somebody asked for there, and how often it is looked for. */
const endsWithinMs: Millis = minute
const lookMs: Millis = 250

/** Whether it had to be cancelled. Throws `teleport_goes_on_there`, `cluster_read_only`. */
async function endThere(
  { clock }: TeleportDeskParts,
  prepared: Prepared,
  { there }: HereRequest,
): Promise<boolean> {
  const { methods, cluster } = prepared
  let now = await runThere(prepared)
  if (now === null || runMachine.final.has(now.status)) return false
  if (there === 'leave') throw goesOnThere(now, cluster)
  await methods['runs.cancel']({ runId: now.id })
  for (let waited = 0; waited < endsWithinMs; waited += lookMs) {
    now = await runThere(prepared)
    if (now === null || runMachine.final.has(now.status)) return true
    await pause(clock, lookMs)
  }
  throw goesOnThere(now, cluster)
}

const pause = (clock: Clock, span: Millis): Promise<void> =>
  new Promise((resolve) => {
    clock.after(span, resolve)
  })

const goesOnThere = ({ id, status }: RunRecord, cluster: string): SagasmithError =>
  new SagasmithError('teleport_goes_on_there', {
    message: `The run ${id} is ${status} on ${cluster}: its steps would be done in two places.`,
    details: { runId: id, status, cluster },
  })

/** Throws `teleport_goes_on_here` while the rest of the run is being done on this machine. */
export async function refuseGoesOnHere(
  local: Pick<Store, 'info' | 'load'>,
  record: RunRecord,
): Promise<void> {
  const id: RunId = hereIdOf(record)
  const here = await local.load(partitionOfRun(local.info, id), 'run', { runId: id })
  if (here === null || runMachine.final.has(here.status)) return
  throw new SagasmithError('teleport_goes_on_here', {
    message: `The rest of the run ${record.id} is being done on this machine, as ${id}.`,
    details: { runId: record.id, here: id, status: here.status },
  })
}

/** Of those that the workflow names; all of them where the vault can't be asked. */
async function missingSecrets(
  vault: Pick<Vault, 'list'>,
  { bound, document }: Prepared,
): Promise<readonly string[]> {
  const wanted = [...new Set(secretUses(document ?? bound).map(({ name }) => name))].sort()
  if (wanted.length === 0) return []
  const known = await vault.list().catch(() => [])
  return wanted.filter((name) => !known.some((entry) => entry.name === name))
}
