/** What is read off the history of all runs. */

import { searchLogs } from '../../runtime/history/log-search.ts'
import { readRunnerAttempts } from '../../runtime/history/runner-attempts.ts'
import { createPayloadStore } from '../../runtime/payload-store.ts'
import type { HandlerDeps, Handlers } from './contract.ts'

/** Handlers of `runners.attempts` and `logs.*`. */
export function historyHandlers({
  engine,
}: Pick<HandlerDeps, 'engine'>): Handlers<'runners.attempts' | 'logs.search'> {
  const payloads = createPayloadStore(engine.store)
  return {
    'runners.attempts': (query) => readRunnerAttempts(engine.store, query, engine.now()),
    'logs.search': (query) => {
      const { store, runnerId } = engine
      const printing = engine.liveSoFar(query.runId)
      return searchLogs({ store, payloads, printing, runnerId, now: engine.now() }, query)
    },
  }
}
