/** What `doctor` says of messages between runs: how many are in somebody's hands, and which were left there. */

import type { EngineSettings } from '../../model/settings/engine-settings.ts'
import { spanText } from '../../model/summary.ts'
import type { Instant } from '../../model/time.ts'
import type { Store } from '../../store/store.ts'
import type { Finding } from './doctor-finding.ts'

const pageLimit = 200

/** One finding: messages are delivered within moments, so one that is there for long was left. */
export async function checkMessages(
  store: Store,
  { messageVisibilityMs }: Pick<EngineSettings, 'messageVisibilityMs'>,
  now: Instant,
): Promise<Finding> {
  const [partition = 0] = store.info.partitions
  const messages = await store.list(partition, 'outbox', {
    filter: { dueBefore: Number.MAX_SAFE_INTEGER },
    page: { after: null, limit: pageLimit },
  })
  const count = `${messages.length}${messages.length === pageLimit ? ' or more' : ''}`
  const left = messages.filter(({ dueAt }) => now - dueAt >= messageVisibilityMs).length
  const span = spanText(messageVisibilityMs)
  return {
    check: 'messages',
    verdict: left > 0 ? 'warn' : 'ok',
    message: `${count} between runs on their way, ${left} of them taken by nobody for ${span}`,
    hint: left > 0 ? 'An engine that runs takes them within a minute, one that starts at once.' : null,
  }
}
