/** Pulls runs of clusters into a data directory, replays them there, and resumes them where they came from. */

import type { RunId } from '../../model/ids.ts'
import type { PullAnswer, PullProgress, PullRequest } from '../../protocol/teleport.ts'
import { notPulled } from '../../runtime/teleport/not-pulled.ts'
import { pullFamily } from '../../runtime/teleport/pull-family.ts'
import { replayOf } from '../../runtime/teleport/replay.ts'
import { taskMocksByKind } from '../../tasks/mocks.ts'
import { taskSpecsByKind } from '../../tasks/specs.ts'
import { createTurns } from '../in-turn.ts'
import { validationOptions } from '../validate-json.ts'
import type { TeleportDesk } from './desk.ts'
import type { TeleportDeskParts } from './desk-parts.ts'
import { createResuming } from './resuming.ts'
import { createRunFiles } from './run-files.ts'
import { createRunningHere } from './running-here.ts'
import { waitingText } from './waiting-text.ts'

export function createTeleportDesk(parts: TeleportDeskParts): TeleportDesk {
  const { pulled } = parts
  const answers = new Map<string, Promise<PullAnswer>>()
  const progresses = new Map<RunId, PullProgress>()
  // A pull adds to what it found when it began.
  const inTurn = createTurns()
  const pullOnce: TeleportDesk['pull'] = (request) => {
    const key = JSON.stringify(request)
    const known = answers.get(key)
    if (known !== undefined) return known
    const told = (progress: PullProgress): void => void progresses.set(request.runId, progress)
    const answer = inTurn(() => pull(parts, request, told)).finally(() => {
      answers.delete(key)
      progresses.delete(request.runId)
    })
    answers.set(key, answer)
    return answer
  }
  return {
    pull: pullOnce,
    progress: (runId) => progresses.get(runId) ?? null,
    list: async () => (await pulled.file())?.list() ?? [],
    drop: (runId) =>
      inTurn(async () => {
        const file = await pulled.file()
        if (file?.drop(runId) !== true) throw notPulled(runId)
      }),
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
    ...createRunFiles(parts, inTurn),
    ...createResuming(parts),
    ...createRunningHere(parts, pullOnce),
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
      waiting: (runId) => waitingText(parts, host.store, runId),
    },
    request,
  )
  log.info('teleport.pulled', { runId: request.runId, cluster: request.cluster, runs: answer.runs.length })
  return answer
}
