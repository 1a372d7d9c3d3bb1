/**
 * Permits that could not be given back at once: their home didn't answer, or nobody could say whether what gives them
 * back was written. Others stand in line for them, so they are tried again and again for a while; after that they are
 * a repair's, which takes a minute.
 */

import type { Clock } from '../../model/ports.ts'
import type { Millis } from '../../model/time.ts'
import type { FencedRelease } from './fenced-release.ts'

/** What one try needs. */
export interface ReturnTries {
  readonly give: (releases: readonly FencedRelease[]) => Promise<void>
  /** Whether the holder has the permit where it lives. */
  readonly isHeld: (release: FencedRelease) => Promise<boolean>
}

export interface LateReturns {
  /** These are to be given back, whatever happens. */
  readonly add: (releases: readonly FencedRelease[]) => void
  /** These once their holders have them no more. */
  readonly addOnceFree: (releases: readonly FencedRelease[]) => void
  /** One try now, for all that wait. */
  readonly run: () => Promise<void>
  readonly stop: () => void
}

const firstPauseMs: Millis = 100
const pauseMsMax: Millis = 2_000
/** Half a minute altogether. */
const triesMax = 20

interface Waiting {
  readonly release: FencedRelease
  readonly onceFree: boolean
  tries: number
}

/** Without a clock they are tried with `run` only. */
export function createLateReturns(
  { give, isHeld }: ReturnTries,
  clock: Pick<Clock, 'after'> | null,
): LateReturns {
  const waiting = new Set<Waiting>()
  let cancel: (() => void) | null = null
  let pauseMs = firstPauseMs
  let stopped = false
  const tryOne = async (one: Waiting): Promise<void> => {
    one.tries += 1
    try {
      if (one.onceFree && (await isHeld(one.release))) throw stillHeld
      await give([one.release])
      waiting.delete(one)
    } catch {
      if (one.tries >= triesMax) waiting.delete(one)
    }
  }
  const run = async (): Promise<void> => {
    await Promise.all([...waiting].map(tryOne))
  }
  const later = (): void => {
    if (clock === null || cancel !== null || waiting.size === 0 || stopped) return
    cancel = clock.after(pauseMs, () => {
      pauseMs = Math.min(2 * pauseMs, pauseMsMax)
      void run().finally(() => {
        cancel = null
        later()
      })
    })
  }
  const addAll = (releases: readonly FencedRelease[], onceFree: boolean): void => {
    for (const release of releases) waiting.add({ release, onceFree, tries: 0 })
    pauseMs = firstPauseMs
    later()
  }
  return {
    add: (releases) => addAll(releases, false),
    addOnceFree: (releases) => addAll(releases, true),
    run,
    stop() {
      stopped = true
      cancel?.()
    },
  }
}

const stillHeld = new Error('its holder has it')
