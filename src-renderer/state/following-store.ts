/** The value that is followed: which was asked for, those before it, and what was found. */

import type { StoreApi } from 'zustand/vanilla'
import { createStore } from 'zustand/vanilla'
import type { ErrorRecord } from '../../src-engine/model/errors.ts'
import type { ValuePlace } from '../../src-engine/model/following/value-place.ts'
import type { LoadedValue } from '../../src-engine/protocol/load-followed-value.ts'
import type { FollowedMarks } from '../rules/followed-marks.ts'
import { followedMarks } from '../rules/followed-marks.ts'
import type { Site } from './site.ts'

/** A value of a run, and where that run is. */
export interface AskedValue {
  readonly site: Site
  readonly place: ValuePlace
}

export interface FollowingState {
  /** What was followed, one from the other: the last one is shown. */
  readonly trail: readonly AskedValue[]
  /** Null while it isn't there yet, or can't be. */
  readonly found: LoadedValue | null
  readonly error: ErrorRecord | null
  readonly marks: FollowedMarks
  readonly setTrail: (trail: readonly AskedValue[]) => void
  /** Of a value that is no longer asked for, nothing is taken. */
  readonly setFound: (asked: AskedValue, found: LoadedValue | ErrorRecord) => void
}

export type FollowingStore = StoreApi<FollowingState>

const noMarks: FollowedMarks = new Map()

/** Nothing followed yet. */
export function createFollowingStore(): FollowingStore {
  return createStore<FollowingState>((set, get) => ({
    trail: [],
    found: null,
    error: null,
    marks: noMarks,
    setTrail: (trail) => set({ trail, found: null, error: null, marks: noMarks }),
    setFound: (asked, found) => {
      if (get().trail.at(-1) !== asked) return
      if ('hops' in found) set({ found, marks: followedMarks(found) })
      else set({ error: found })
    },
  }))
}
