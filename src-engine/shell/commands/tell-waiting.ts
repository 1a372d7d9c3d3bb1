/** Tells somebody who follows a run on a cluster that nobody there does it: it would look like slow work. */

import type { RunId } from '../../model/ids.ts'
import type { Clock } from '../../model/ports.ts'
import type { Millis } from '../../model/time.ts'
import type { Session } from '../session.ts'
import type { CommandContext } from './command.ts'

/** A runner that works takes a step sooner. */
const firstLookMs: Millis = 3_000
/** How often what keeps the run is looked up again. */
const everyMs: Millis = 5_000
/** What only other runners can change. */
const codes: ReadonlySet<string> = new Set([
  'no_workers',
  'not_trusted',
  'seal_key_missing',
  'no_pool_mapping',
])

/** Looks until it is stopped; says each reason once, on the side of errors or as a line of JSON. */
export function tellWaiting(
  context: CommandContext,
  session: Session,
  { runId, clock }: { readonly runId: RunId; readonly clock: Pick<Clock, 'after'> },
): () => void {
  const said = new Set<string>()
  let stopped = false
  let cancel: () => void = () => undefined
  const look = async (): Promise<void> => {
    const { waiting } = await session.call('runs.why', { runId, nodeId: null })
    for (const { code, message, nodeId, help } of waiting) {
      if (stopped || !codes.has(code) || said.has(message)) continue
      said.add(message)
      if (context.json) context.emit({ type: 'run.waiting', runId, nodeId, code, message, help })
      else context.terminal.errorLine(`The run waits: ${message} ${help}`)
    }
  }
  const again = (span: Millis): void => {
    cancel = clock.after(span, () => {
      // Whoever follows is told by the following itself when the cluster is away.
      const next = (): void => (stopped ? undefined : again(everyMs))
      look().then(next, next)
    })
  }
  again(firstLookMs)
  return () => {
    stopped = true
    cancel()
  }
}
