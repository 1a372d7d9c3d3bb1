/** Pulls runs of clusters into a data directory, replays them there, and resumes them where they came from. */

import type { RunId } from '../../model/ids.ts'
import { runMachine } from '../../model/run-status.ts'
import type { PullAnswer, PullProgress, PullRequest } from '../../protocol/teleport.ts'
import { whyWaiting } from '../../runtime/routing/why-waiting.ts'
import { notPulled } from '../../runtime/teleport/not-pulled.ts'
import { pullFamily } from '../../runtime/teleport/pull-family.ts'
import { replayOf } from '../../runtime/teleport/replay.ts'
import { taskMocksByKind } from '../../tasks/mocks.ts'
import { taskSpecsByKind } from '../../tasks/specs.ts'
import type { ClusterHost } from '../clusters/cluster-host.ts'
import { overloadLimitsOf } from '../runner-standings.ts'
import { tenantLimitsOf } from '../tenant-limits.ts'
import { validationOptions } from '../validate-json.ts'
import type { TeleportDesk } from './desk.ts'
import type { TeleportDeskParts } from './desk-parts.ts'
import { createResuming } from './resuming.ts'

export function createTeleportDesk(parts: TeleportDeskParts): TeleportDesk {
  const { pulled } = parts
  const underWay = new Map<RunId, { readonly answer: Promise<PullAnswer>; progress: PullProgress | null }>()
  return {
    pull(request) {
      const known = underWay.get(request.runId)
      if (known !== undefined) return known.answer
      const told = (progress: PullProgress): void => {
        const entry = underWay.get(request.runId)
        if (entry !== undefined) entry.progress = progress
      }
      const answer = pull(parts, request, told).finally(() => underWay.delete(request.runId))
      underWay.set(request.runId, { answer, progress: null })
      return answer
    },
    progress: (runId) => underWay.get(runId)?.progress ?? null,
    list: async () => (await pulled.file())?.list() ?? [],
    async drop(runId) {
      const file = await pulled.file()
      if (file?.drop(runId) !== true) throw notPulled(runId)
    },
    async replay(request) {
      const reader = await pulled.readerOf(request.runId)
      if (reader === null) throw notPulled(request.runId)
      const { host, composed } = reader
      const { store } = composed.engine
      return replayOf(
        { store, host, validation: validationOptions, kindMocks: taskMocksByKind, clock: parts.clock },
        request,
      )
    },
    ...createResuming(parts),
  }
}

async function pull(
  parts: TeleportDeskParts,
  request: PullRequest,
  told: (progress: PullProgress) => void,
): Promise<PullAnswer> {
  const { clusters, pulled, local, clock, log } = parts
  const host = await clusters.open(request.cluster)
  const file = await pulled.fileToKeep()
  const answer = await pullFamily(
    {
      // As it is kept there: what is sealed comes along sealed.
      source: host.store,
      cluster: request.cluster,
      file,
      local,
      now: () => clock.now(),
      told,
      specsByKind: taskSpecsByKind,
      waiting: (runId) => waitingText(parts, host, runId),
    },
    request,
  )
  log.info('teleport.pulled', { runId: request.runId, cluster: request.cluster, runs: answer.runs.length })
  return answer
}

/** Why it waits can only be told where it does. */
async function waitingText(
  { settings }: TeleportDeskParts,
  { composed }: ClusterHost,
  runId: RunId,
): Promise<string> {
  const { engine } = composed
  const { run } = await engine.snapshot(runId)
  if (runMachine.final.has(run.status)) return '[]'
  const waiting = await whyWaiting(engine.store, {
    runId,
    nodeId: null,
    now: engine.now(),
    limits: overloadLimitsOf(settings.reports),
    otherTenants: tenantLimitsOf(settings.reports),
  })
  return JSON.stringify(waiting)
}
