/** Takes the power away from a recorded story, again and again, and looks at what is left. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { runId, storeId } from '../../../src-engine/model/ids.ts'
import { systemClock } from '../../../src-engine/runtime/system-ports.ts'
import { dataFileName, openSqliteStore } from '../../../src-engine/store/sqlite/sqlite-store.ts'
import type { Effect } from '../../support/effect-sink.ts'
import { checkAll } from '../../support/invariants.ts'
import { createRandomSource } from '../../support/random-source.ts'
import type { Fate, Image } from './image.ts'
import { Disk } from './image.ts'
import type { DiskStep } from './trace.ts'

/** What was found in all images of a story. */
export interface Replayed {
  readonly states: number
  /** Promises that the store of an image knows nothing of. */
  readonly lost: number
  /** Stores that were damaged, did not open, or broke an invariant, in words. */
  readonly problems: readonly string[]
}

/** What is to be replayed. */
export interface ReplayOptions {
  readonly steps: readonly DiskStep[]
  /** How many images to make at least, unless the story has fewer. */
  readonly states: number
  readonly seed: number
}

interface World {
  /** Complete lines of the journal: what somebody was promised. */
  readonly promises: readonly string[]
  readonly effects: readonly Effect[]
}

const storeFiles: readonly string[] = [dataFileName, `${dataFileName}-wal`]
const blobName = /^[0-9a-f]{64}$/
/** A large value, before and after it has its name, and the folder that the name is in. */
const blobFile = /^[0-9a-f]{64}(\.[\d-]+\.tmp)?$|^[0-9a-f]{2}$/

const isOfStore = ({ file }: DiskStep): boolean => storeFiles.includes(file) || blobFile.test(file)

/** Makes the images, spread evenly over the story, and looks at each. */
export async function replayPowerLoss({ steps, states, seed }: ReplayOptions): Promise<Replayed> {
  const random = createRandomSource(`power ${seed}`)
  const first = steps.findIndex(({ file }) => file === 'journal')
  if (first < 0) throw new Error('The story promises nothing, so nothing could be lost.')
  const perStep = states / (steps.length - first)
  const disk = new Disk()
  const outside = { journal: '', sink: '' }
  const folder = mkdtempSync(join(tmpdir(), 'sagasmith-image-'))
  const problems: string[] = []
  let made = 0
  let lost = 0
  try {
    for (const [index, step] of steps.entries()) {
      if (isOfStore(step)) disk.apply(step)
      else if (step.kind === 'write') {
        if (step.file === 'journal') outside.journal += step.bytes.toString()
        if (step.file === 'sink.jsonl') outside.sink += step.bytes.toString()
      }
      if (index < first) continue
      const due = Math.ceil((index - first + 1) * perStep)
      for (; made < due; made += 1) {
        const fate = random.pick<Fate>(['dropped', 'kept', 'torn', 'torn'])
        const found = await inspect(join(folder, String(made)), disk.lose(fate, random), worldOf(outside))
        lost += found.lost
        for (const problem of found.problems) problems.push(`step ${index}, unsynced ${fate}: ${problem}`)
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return { states: made, lost, problems }
}

function worldOf({ journal, sink }: { readonly journal: string; readonly sink: string }): World {
  const lines = (text: string): readonly string[] => text.split('\n').filter((line) => line !== '')
  return {
    promises: lines(journal),
    effects: lines(sink).map((line) => JSON.parse(line) as Effect),
  }
}

function writeImage(directory: string, file: string, bytes: Buffer): void {
  if (storeFiles.includes(file)) writeFileSync(join(directory, file), bytes)
  if (!blobName.test(file)) return
  const folder = join(directory, 'blobs', file.slice(0, 2))
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, file), bytes)
}

async function inspect(
  directory: string,
  image: Image,
  world: World,
): Promise<{ readonly lost: number; readonly problems: readonly string[] }> {
  mkdirSync(directory)
  try {
    for (const [file, bytes] of image) writeImage(directory, file, bytes)
    const raw = new Database(join(directory, dataFileName))
    const verdict = String(raw.pragma('integrity_check', { simple: true }))
    raw.close()
    if (verdict !== 'ok') return { lost: 0, problems: [`the file is damaged: ${verdict}`] }
    const clock = systemClock
    const store = await openSqliteStore({ directory, storeId: storeId('power-loss'), clock })
    try {
      const gone: string[] = []
      for (const promise of world.promises) {
        const [what, id = '', status] = promise.split(' ')
        const run = await store.load(0, 'run', { runId: runId(id) })
        if (run === null || (what === 'ended' && run.status !== status)) gone.push(id)
      }
      // A store that has forgotten cannot agree with the world: that is counted as lost, not as broken.
      if (gone.length > 0) return { lost: gone.length, problems: [] }
      const accepted = world.promises.map((promise) => promise.split(' ')[1] ?? '')
      const { effects } = world
      return { lost: 0, problems: await checkAll({ store, effects, accepted, settled: false }) }
    } finally {
      await store.close()
    }
  } catch (thrown) {
    return { lost: 0, problems: [`it does not open: ${String(thrown)}`] }
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}
