/** The pulled runs of a data directory, and engines that read them: one per store that runs came from. */

import { existsSync } from 'node:fs'
import type { RunId, StoreId } from '../../model/ids.ts'
import type { Clock } from '../../model/ports.ts'
import type { TaskHost } from '../../runtime/task-host.ts'
import type { PulledFile } from '../../store/pulled/pulled-file.ts'
import { openPulledFile } from '../../store/pulled/pulled-file.ts'
import { createPulledStore } from '../../store/pulled/pulled-store.ts'
import type { Store } from '../../store/store.ts'
import type { ComposedEngine } from '../compose-engine.ts'
import type { HostDeps } from '../host.ts'

/** What reads the pulled runs of one origin; its engine is never started. */
export interface PulledReader {
  readonly composed: ComposedEngine
  readonly deps: HostDeps
  /** What its steps would run on. */
  readonly host: TaskHost
}

export interface PulledRuns {
  /** Null while nothing was ever pulled. */
  readonly file: () => Promise<PulledFile | null>
  /** Made when there is none. */
  readonly fileToKeep: () => Promise<PulledFile>
  /** What reads the run; null for a run that wasn't pulled, or of whose id this machine has one of its own. */
  readonly readerOf: (runId: RunId) => Promise<PulledReader | null>
  /** The same where it was read before. */
  readonly knownReaderOf: (runId: RunId) => PulledReader | null
  /** All of them that there are. */
  readonly readers: () => Promise<readonly PulledReader[]>
  readonly close: () => Promise<void>
}

export interface PulledRunsParts {
  /** Where the file is, or will be. */
  readonly path: string
  readonly clock: Clock
  /** The runs of this machine. */
  readonly local: Pick<Store, 'load'>
  readonly read: (store: Store) => Promise<PulledReader>
}

export function createPulledRuns({ path, clock, local, read }: PulledRunsParts): PulledRuns {
  let opening: Promise<PulledFile> | null = null
  const readers = new Map<StoreId, Promise<PulledReader>>()
  /** By run, once it was read. */
  const known = new Map<RunId, PulledReader>()
  const fileToKeep = (): Promise<PulledFile> => {
    opening ??= openPulledFile(path, clock.now()).then((file) => {
      file.watch(() => known.clear())
      return file
    })
    // The next one who asks tries again.
    opening.catch(() => {
      opening = null
    })
    return opening
  }
  const file = async (): Promise<PulledFile | null> =>
    opening === null && !existsSync(path) ? null : fileToKeep()
  const isLocal = async (runId: RunId): Promise<boolean> => (await local.load(0, 'run', { runId })) !== null
  /** A damaged file stands in nobody's way who means a run of this machine. */
  const fileFor = async (runId: RunId): Promise<PulledFile | null> => {
    try {
      return await file()
    } catch (thrown) {
      if (await isLocal(runId)) return null
      throw thrown
    }
  }
  const readerFor = async (kept: PulledFile, runId: RunId): Promise<PulledReader | null> => {
    const origin = kept.originOf(runId)
    if (origin === null) return null
    let reader = readers.get(origin.id)
    if (reader === undefined) {
      reader = read(createPulledStore(kept, origin))
      readers.set(origin.id, reader)
      reader.catch(() => readers.delete(origin.id))
    }
    return reader
  }
  return {
    file,
    fileToKeep,
    async readerOf(runId) {
      const kept = await fileFor(runId)
      if (kept === null || kept.find(runId) === null || (await isLocal(runId))) return null
      const reader = await readerFor(kept, runId)
      if (reader !== null) known.set(runId, reader)
      return reader
    },
    knownReaderOf: (runId) => known.get(runId) ?? null,
    async readers() {
      const kept = await file()
      if (kept === null) return []
      const found = await Promise.all(kept.list().map(({ runId }) => readerFor(kept, runId)))
      return [...new Set(found.filter((reader) => reader !== null))]
    },
    async close() {
      const open = await Promise.allSettled(readers.values())
      for (const reader of open) if (reader.status === 'fulfilled') await reader.value.composed.close()
      await opening?.then(
        (kept) => kept.close(),
        () => undefined,
      )
    },
  }
}
