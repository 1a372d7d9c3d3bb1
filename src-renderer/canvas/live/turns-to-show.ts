/**
 * In which frame a card or a way shows what a run came to. Of a run whose steps change by the thousand one moment may bring
 * something new to all that is in sight, and to draw that takes longer than a frame has: a few of them show it in each of the
 * next frames then, whatever is newest by that time. Knows nothing of the page.
 */

/** So many are drawn together, and the same moment: it is what a frame has room for beside what a hand moves. */
const togetherMax = 12
/** Of more, all are drawn within so many frames: then there are more in each of them. */
const framesMax = 4

/** How many are drawn in each frame: as many in one as in the other, for the longest of them is what a hand waits for. */
function shareOf(waiting: number): number {
  const frames = Math.min(framesMax, Math.ceil(waiting / togetherMax))
  return Math.ceil(waiting / frames)
}

/** One that takes its turn, as React follows it. */
export interface Shown<T> {
  /** What it shows now; the same until it is told. */
  readonly read: () => T
  readonly subscribe: (tell: () => void) => () => void
}

export interface TurnsToShow {
  /** What is selected is compared as it is: it has to be the same while nothing about it changes. */
  readonly follow: <T>(select: () => T) => Shown<T>
  /** Looks whose selection is another one; `isStream`: it happened by itself, so that many may take their turns. */
  readonly look: (isStream: boolean) => void
}

interface Followed {
  readonly isOther: () => boolean
  readonly show: () => void
}

/** Nobody follows yet. */
export function createTurnsToShow(onFrame: (call: () => void) => void): TurnsToShow {
  const followed = new Set<Followed>()
  const waiting = new Set<Followed>()
  let isAsked = false
  let share = togetherMax
  const showSome = (count: number): void => {
    let left = count
    for (const one of waiting) {
      if (left === 0) return
      left -= 1
      waiting.delete(one)
      one.show()
    }
  }
  const ask = (): void => {
    if (isAsked || waiting.size === 0) return
    isAsked = true
    onFrame(() => {
      isAsked = false
      showSome(share)
      ask()
    })
  }
  const look = (isStream: boolean): void => {
    for (const one of followed) {
      if (one.isOther()) waiting.add(one)
      else waiting.delete(one)
    }
    if (!isStream || waiting.size <= togetherMax) return showSome(waiting.size)
    share = shareOf(waiting.size)
    ask()
  }
  const follow = <T>(select: () => T): Shown<T> => {
    let shown = select()
    let tell: (() => void) | null = null
    const one: Followed = {
      isOther: () => !Object.is(select(), shown),
      show: () => {
        shown = select()
        tell?.()
      },
    }
    return {
      // Who isn't on the page yet begins with what is newest.
      read: () => (tell === null ? select() : shown),
      subscribe: (call) => {
        shown = select()
        tell = call
        followed.add(one)
        return () => {
          tell = null
          followed.delete(one)
          waiting.delete(one)
        }
      },
    }
  }
  return { follow, look }
}
