/** Runs of clusters on this machine. */

import { SagasmithError } from '../../model/errors.ts'
import type { TeleportApi } from '../../protocol/teleport.ts'
import type { TeleportDesk } from '../teleport/desk.ts'
import type { HandlerDeps, Handlers } from './contract.ts'

/** Handlers of `teleport.*`. */
export function teleportHandlers({ teleport }: Pick<HandlerDeps, 'teleport'>): Handlers<keyof TeleportApi> {
  const desk = (): TeleportDesk => {
    if (teleport !== null) return teleport
    throw new SagasmithError('bad_request', {
      message: 'Runs are pulled into a data directory; this connection has none.',
      hint: 'Ask the engine of the data directory, and name the cluster in the request.',
    })
  }
  return {
    'teleport.pull': async (request) => desk().pull(request),
    'teleport.progress': async ({ runId }) => ({ progress: desk().progress(runId) }),
    'teleport.list': async () => ({ runs: await desk().list() }),
    'teleport.save': async (request) => desk().save(request),
    'teleport.open': async (request) => desk().open(request),
    'teleport.drop': async ({ runId }) => {
      await desk().drop(runId)
      return {}
    },
    'teleport.replay': async (request) => desk().replay(request),
    'teleport.preview': async (request) => desk().preview(request),
    'teleport.resume': async (request) => desk().resume(request),
    'teleport.previewHere': async (request) => desk().previewHere(request),
    'teleport.here': async (request) => desk().here(request),
  }
}
