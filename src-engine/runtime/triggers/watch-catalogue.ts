/**
 * Calls somebody who keeps triggers in mind when there may be others. The store tells when registers were
 * written; without that, nothing is asked of it but rarely, so that nobody pays for triggers that don't exist.
 */

import type { Clock } from '../../model/ports.ts'
import type { Millis } from '../../model/time.ts'
import { minute, second } from '../../model/time.ts'
import type { Hint } from '../../store/hints.ts'
import { news, tells } from '../../store/hints.ts'
import type { Store } from '../../store/store.ts'

/** Registers are written all the time where triggers fire: many writes are one look. */
const gapMs: Millis = 2 * second
/** A hint can be lost. */
const quietMsUsual: Millis = minute

export interface CatalogueWatchParts {
  readonly store: Store
  readonly partition: number
  readonly clock: Clock
  /** How long a lost hint may go unnoticed; a minute when absent. */
  readonly quietMs?: Millis
}

/** Answers the way to stop. `changed` is to look whether anything did change; the first call is not now. */
export function watchCatalogue(
  { store, partition, clock, quietMs = quietMsUsual }: CatalogueWatchParts,
  changed: () => void,
): () => void {
  let lookedAt = clock.monotonic()
  let wakeAt = Number.POSITIVE_INFINITY
  let cancel = (): void => undefined
  const wakeIn = (span: Millis): void => {
    const at = clock.monotonic() + span
    if (at >= wakeAt) return
    cancel()
    wakeAt = at
    cancel = clock.after(span, () => {
      lookedAt = clock.monotonic()
      wakeAt = Number.POSITIVE_INFINITY
      wakeIn(quietMs)
      changed()
    })
  }
  const hint: Hint = (_origin, found) => {
    if (tells(found, news.registers)) wakeIn(Math.max(0, lookedAt + gapMs - clock.monotonic()))
  }
  const unwatch = store.watch(partition, hint, 'news')
  wakeIn(quietMs)
  return () => {
    unwatch()
    cancel()
  }
}
