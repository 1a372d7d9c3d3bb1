/**
 * What each new epoch counted as lost. Whoever opens an epoch notes in the head of the partition how far the one
 * before was found; what a process wrote beyond that is gone, whoever opened the epoch and whenever it hears of it.
 */

import type { PartitionKeys } from '../layout.ts'
import type { Router } from '../router.ts'
import type { Place } from './entry.ts'
import { comparePlaces } from './entry.ts'

/** The place behind which everything was lost when the epoch began. */
export interface Boundary {
  readonly epoch: number
  readonly foundAt: Place
}

/** The head's field of an epoch; its value is `EPOCH-SEQ`. */
const fieldPattern = /^from:(\d+)$/

/** The field of the head that tells where an epoch began. */
export const boundaryField = (epoch: number): string => `from:${epoch}`

/** All that the partition's head knows of, oldest first. */
export async function readBoundaries(
  router: Pick<Router, 'ask'>,
  keys: PartitionKeys,
): Promise<readonly Boundary[]> {
  const flat = (await router.ask(keys.slot, ['HGETALL', keys.of('head')])) as readonly string[]
  const found: Boundary[] = []
  for (let index = 0; index < flat.length; index += 2) {
    const epoch = fieldPattern.exec(flat[index] ?? '')?.[1]
    const [from, seq] = (flat[index + 1] ?? '').split('-')
    if (epoch === undefined) continue
    found.push({ epoch: Number(epoch), foundAt: { epoch: Number(from), seq: Number(seq) } })
  }
  return found.sort((a, b) => a.epoch - b.epoch)
}

/** Whether what was written at the place was taken back by an epoch that began after it. */
export const isLostBy = (boundaries: readonly Boundary[], place: Place): boolean =>
  boundaries.some(({ epoch, foundAt }) => epoch > place.epoch && comparePlaces(foundAt, place) < 0)

/**
 * The same for what has no event of its own, and so no place of its own: where the feed ended exactly there,
 * nobody can tell, and it is written again. Only for what does no harm when it is there already.
 */
export const mayBeLostBy = (boundaries: readonly Boundary[], place: Place): boolean =>
  boundaries.some(({ epoch, foundAt }) => epoch > place.epoch && comparePlaces(foundAt, place) <= 0)
