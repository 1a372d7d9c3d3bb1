/** How a part of a document differs from what it was: by identity, for an edit makes anew only what it changes. Pure. */

import { foundOnce } from './found-once.ts'

type Elements = Readonly<Record<string, unknown>>

/** What of a record of elements is not as it was. */
export interface Changes {
  /** Ids of what is new or another one than before, in the order of the record. */
  readonly put: readonly string[]
  /** Ids of what is gone. */
  readonly gone: readonly string[]
  /** Whether all that stayed has kept its order, and what is new comes after it. */
  readonly isInOrder: boolean
}

const known = new WeakMap<Elements, { readonly before: Elements; readonly changes: Changes }>()

/** The changes from one record to another; several who ask about the same edit are told the same. */
export function changesOf(before: Elements, now: Elements): Changes {
  const told = known.get(now)
  if (told?.before === before) return told.changes
  const changes = found(before, now)
  // A draft that is being edited may still change.
  if (Object.isFrozen(before) && Object.isFrozen(now)) known.set(now, { before, changes })
  return changes
}

/** What a patch did, and where. */
interface Told {
  readonly op: string
  readonly path: readonly (string | number)[]
}

/**
 * Notes what an edit changed in a record, which lies at `at`, where its patches are about one element of it: nobody has to
 * look through all of them for it then.
 */
export function tellChanges(
  { before, now }: { readonly before: Elements | undefined; readonly now: Elements | undefined },
  patches: readonly Told[],
  at: readonly string[],
): void {
  if (before === undefined || now === undefined || before === now) return
  if (!Object.isFrozen(before) || !Object.isFrozen(now)) return
  const isAround = ({ path }: Told): boolean =>
    path.length <= at.length && path.every((step, depth) => at[depth] === step)
  // One that was put there as a whole.
  if (patches.some(isAround)) return
  const own = patches.filter(({ path }) => at.every((step, depth) => path[depth] === step))
  const [id, ...others] = new Set(own.map(({ path }) => path[at.length]))
  // A number comes before all names.
  if (typeof id !== 'string' || others.length > 0 || /^\d+$/.test(id)) return
  const [was, is] = [Object.hasOwn(before, id), Object.hasOwn(now, id)]
  const isWhole = own.some(({ path }) => path.length === at.length + 1)
  if (was && is && isWhole && !isInPlace(id, before, now)) return
  const put = is && before[id] !== now[id] ? [id] : []
  known.set(now, { before, changes: { put, gone: was && !is ? [id] : [], isInOrder: true } })
}

const idsOf: (elements: Elements) => readonly string[] = foundOnce((elements) => Object.keys(elements))

/** What was taken away and put there again is the last one: of another one as a whole that tells whether it was. */
const isInPlace = (id: string, before: Elements, now: Elements): boolean =>
  idsOf(now).at(-1) !== id || idsOf(before).at(-1) === id

function found(before: Elements, now: Elements): Changes {
  const ids = idsOf(before)
  const put: string[] = []
  const gone: string[] = []
  let isInOrder = true
  let at = 0
  const isGone = (id: string | undefined): id is string => id !== undefined && !Object.hasOwn(now, id)
  for (const id of idsOf(now)) {
    for (let one = ids[at]; one !== id && isGone(one); one = ids[at]) {
      gone.push(one)
      at += 1
    }
    if (ids[at] === id) {
      if (before[id] !== now[id]) put.push(id)
      at += 1
    } else {
      put.push(id)
      isInOrder &&= at === ids.length
    }
  }
  gone.push(...ids.slice(at).filter(isGone))
  return { put, gone, isInOrder }
}
