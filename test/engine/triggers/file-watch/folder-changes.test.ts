import { describe, expect, it } from 'vitest'
import { createSeededRandom } from '../../../../src-engine/runtime/seeded-random.ts'
import type {
  FileChange,
  FolderChanges,
  FolderFiles,
  UnsettledFiles,
} from '../../../../src-engine/triggers/file-watch/folder-changes.ts'
import { folderChanges } from '../../../../src-engine/triggers/file-watch/folder-changes.ts'

const files = (given: Readonly<Record<string, string>>): FolderFiles => new Map(Object.entries(given))
const none: UnsettledFiles = new Map()

describe('without a settle time', () => {
  it('tells what came, changed and went, by path', () => {
    const { settled, nextAt } = folderChanges({
      known: files({ a: '1', b: '1', c: '1' }),
      seen: files({ a: '1', b: '2', d: '1' }),
      unsettled: none,
      now: 0,
      settleMs: 0,
    })
    expect(settled).toEqual([
      { path: 'b', change: 'change', stamp: '2' },
      { path: 'c', change: 'remove', stamp: null },
      { path: 'd', change: 'add', stamp: '1' },
    ])
    expect(nextAt).toBeNull()
  })
})

describe('with a settle time', () => {
  const lookFrom =
    (known: FolderFiles) =>
    (seen: FolderFiles, now: number, unsettled: UnsettledFiles): FolderChanges =>
      folderChanges({ known, seen, unsettled, now, settleMs: 1_000 })
  const look = lookFrom(files({}))
  const lookAgain = lookFrom(files({ a: '1' }))

  it('waits until a file has stood still, however often it is looked at', () => {
    const first = look(files({ a: '1' }), 0, none)
    expect(first).toMatchObject({ settled: [], nextAt: 1_000 })
    const grown = look(files({ a: '2' }), 900, first.unsettled)
    expect(grown).toMatchObject({ settled: [], nextAt: 1_900 })
    const still = look(files({ a: '2' }), 1_500, grown.unsettled)
    expect(still).toMatchObject({ settled: [], nextAt: 1_900 })
    expect(look(files({ a: '2' }), 1_900, still.unsettled).settled).toEqual([
      { path: 'a', change: 'add', stamp: '2' },
    ])
  })

  it('tells nothing of a file that came and went, or changed and is what it was', () => {
    const came = look(files({ a: '1' }), 0, none)
    expect(look(files({}), 500, came.unsettled)).toEqual({ settled: [], unsettled: none, nextAt: null })
    const changed = lookAgain(files({ a: '2' }), 0, none)
    expect(lookAgain(files({ a: '1' }), 2_000, changed.unsettled).settled).toEqual([])
  })

  it('tells a file that is replaced by renaming as one change', () => {
    const gone = lookAgain(files({}), 0, none)
    const back = lookAgain(files({ a: '2' }), 200, gone.unsettled)
    expect(back.settled).toEqual([])
    expect(lookAgain(files({ a: '2' }), 1_200, back.unsettled).settled).toEqual([
      { path: 'a', change: 'change', stamp: '2' },
    ])
  })
})

it('loses and repeats nothing over any history of changes, looks and restarts', () => {
  for (let seed = 1; seed <= 200; seed += 1) {
    const random = createSeededRandom(String(seed))
    const pick = (count: number): number => Math.floor(random.next() * count)
    const disk = new Map<string, string>()
    const known = new Map<string, string>()
    const told: FileChange[] = []
    let unsettled = none
    let now = 0
    const lookNow = (): void => {
      const changes = folderChanges({ known, seen: new Map(disk), unsettled, now, settleMs: 500 })
      for (const change of changes.settled) {
        told.push(change)
        if (change.stamp === null) known.delete(change.path)
        else known.set(change.path, change.stamp)
      }
      unsettled = changes.unsettled
    }
    for (let step = 0; step < 60; step += 1) {
      const path = `f${pick(4)}`
      if (pick(3) === 0) disk.delete(path)
      else disk.set(path, `${step}`)
      now += pick(800)
      // What hasn't settled is only in mind: a restart forgets it and begins to wait anew.
      if (pick(10) === 0) unsettled = none
      if (pick(2) === 0) lookNow()
    }
    lookNow()
    now += 500
    lookNow()
    expect(known, `seed ${seed}`).toEqual(disk)
    expect(replayed(told), `seed ${seed}`).toEqual(disk)
  }
})

/** What the told changes make of an empty folder; each must be possible where it stands. */
function replayed(told: readonly FileChange[]): FolderFiles {
  const folder = new Map<string, string>()
  for (const { path, change, stamp } of told) {
    expect(folder.has(path)).toBe(change !== 'add')
    expect(folder.get(path)).not.toBe(stamp)
    if (stamp === null) folder.delete(path)
    else folder.set(path, stamp)
  }
  return folder
}
