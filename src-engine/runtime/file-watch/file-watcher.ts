/**
 * Watches the folders of all published file triggers: looks at each from time to time, sooner when the system
 * says that something changed or when a file could have settled.
 */

import { recordOfThrown } from '../../model/errors.ts'
import type { Clock, Logger } from '../../model/ports.ts'
import type { Millis } from '../../model/time.ts'
import { minute, second } from '../../model/time.ts'
import type { SourceProblem, TriggerName, TriggerRecord } from '../../model/trigger.ts'
import { isTriggerOn, triggerKey } from '../../model/trigger.ts'
import type { FileWatchParameters } from '../../triggers/file-watch/spec.ts'
import type { EngineParts } from '../engine-parts.ts'
import { isNewer, lookAtRegister, neverSeen } from '../register-look.ts'
import { firePartsOf } from '../triggers/fire-parts.ts'
import { catalogueKey, listTriggers } from '../triggers/trigger-registers.ts'
import { watchCatalogue } from '../triggers/watch-catalogue.ts'
import type { FolderHints } from './folder-access.ts'
import { folderProblemOf } from './folder-problem.ts'
import type { FolderWatchParts } from './folder-watch.ts'
import { FolderWatch, watchedFolder } from './folder-watch.ts'
import type { FileWatcher } from './folder-watching.ts'
import { forgetWatchedFiles } from './watched-files.ts'

export interface FileWatcherParts extends FolderWatchParts {
  readonly clock: Clock
  readonly log: Logger
  readonly hints: FolderHints
  /** Written here, for others to tell. */
  readonly folderProblems: Map<string, SourceProblem>
  /** How long a change may go unseen where the system tells of none. */
  readonly lookIntervalMs: Millis
}

/** The watcher of an engine. */
export function createEngineFolders(parts: EngineParts): FileWatcher {
  const { clock, log, settings, trust } = parts.dependencies
  const lookIntervalMs = settings.folderLookIntervalMs
  const { folderAccess, folderProblems } = parts
  return createFileWatcher({
    ...firePartsOf(parts),
    ...folderAccess,
    ...{ folderProblems, clock, log, lookIntervalMs, trust },
  })
}

/** A burst of hints is one look. */
const hintDelayMs: Millis = 100
/** A folder that can't be read is tried again this often. */
const problemDelayMs: Millis = 30 * second

interface Watched {
  readonly name: TriggerName
  readonly watch: FolderWatch
  readonly stopHints: () => void
  /** Of which record the hints are. */
  readonly parameters: string
  /** By the clock that never jumps. */
  nextAt: Millis
}

/** Watches nothing until it is started. */
function createFileWatcher(parts: FileWatcherParts): FileWatcher {
  const watcher = new Watcher(parts)
  return {
    start: () => watcher.start(),
    stop: () => watcher.stop(),
    changed: () => watcher.changed(),
    problems: () => parts.folderProblems,
  }
}

class Watcher {
  readonly #parts: FileWatcherParts
  readonly #watched = new Map<string, Watched>()
  #catalogue = neverSeen
  /** There may be other triggers than those that are watched. */
  #isStale = true
  #isRunning = false
  #unwatch: () => void = () => undefined
  #turn: Promise<void> = Promise.resolve()
  #cancel: () => void = () => undefined
  #wakeAt: Millis | null = null

  constructor(parts: FileWatcherParts) {
    this.#parts = parts
  }

  start(): void {
    if (this.#isRunning) return
    this.#isRunning = true
    // Who looks at folders seldom finds a new one as seldom, if nobody told of it.
    const quietMs = Math.max(minute, this.#parts.lookIntervalMs)
    this.#unwatch = watchCatalogue({ ...this.#parts, quietMs }, () => this.changed())
    this.changed()
  }

  async stop(): Promise<void> {
    this.#isRunning = false
    this.#unwatch()
    this.#cancel()
    for (const key of [...this.#watched.keys()]) this.#forget(key)
    await this.#turn
  }

  changed(): void {
    this.#isStale = true
    this.#wakeIn(0)
  }

  #wakeIn(span: Millis): void {
    if (!this.#isRunning) return
    const { clock } = this.#parts
    const at = clock.monotonic() + span
    if (this.#wakeAt !== null && this.#wakeAt <= at) return
    this.#cancel()
    this.#wakeAt = at
    this.#cancel = clock.after(span, () => {
      this.#wakeAt = null
      this.#turn = this.#turn.then(() => this.#take())
    })
  }

  async #take(): Promise<void> {
    if (!this.#isRunning) return
    const { clock, log, lookIntervalMs } = this.#parts
    try {
      if (this.#isStale) await this.#refresh()
    } catch (thrown) {
      this.#isStale = true
      log.warn('file_watch.list_failed', { code: recordOfThrown(thrown).code })
    }
    for (const [key, one] of this.#watched) {
      if (this.#isRunning && one.nextAt <= clock.monotonic()) await this.#look(key, one)
    }
    // Nothing is watched: somebody will tell when that changes.
    if (this.#watched.size === 0 && !this.#isStale) return
    const next = Math.min(
      lookIntervalMs,
      ...[...this.#watched.values()].map(({ nextAt }) => nextAt - clock.monotonic()),
    )
    this.#wakeIn(Math.max(0, next))
  }

  /** Makes the watched ones those that there are. */
  async #refresh(): Promise<void> {
    // Told before it reads: what is written meanwhile is told anew.
    this.#isStale = false
    const catalogue = await lookAtRegister(this.#parts, catalogueKey)
    if (!isNewer(catalogue, this.#catalogue)) return
    const all = (await listTriggers(this.#parts)).map(({ record }) => record)
    const found = all.filter((record) => record.kind === 'file-watch' && isTriggerOn(record))
    const published = new Set(all.map(triggerKey))
    const keys = new Set(found.map(triggerKey))
    for (const [key, { name }] of [...this.#watched]) {
      if (!keys.has(key)) this.#forget(key)
      if (!published.has(key)) await forgetWatchedFiles(this.#parts, name)
    }
    for (const record of found) this.#watch(record)
    this.#catalogue = catalogue
  }

  #watch(record: TriggerRecord): void {
    const key = triggerKey(record)
    const parameters = JSON.stringify([record.parameters, record.baseDirectory, record.since])
    const before = this.#watched.get(key)
    if (before?.parameters === parameters) return
    if (before !== undefined) this.#forget(key)
    const { workflowId, triggerId } = record
    const name = { workflowId, triggerId }
    this.#watched.set(key, {
      name,
      watch: new FolderWatch(this.#parts, name),
      stopHints: this.#hintsOf(key, record),
      parameters,
      nextAt: this.#parts.clock.monotonic(),
    })
  }

  #hintsOf(key: string, record: TriggerRecord): () => void {
    const folder = watchedFolder(record)
    if (folder === null) return () => undefined
    const { recursive } = record.parameters as unknown as FileWatchParameters
    return this.#parts.hints({ folder, recursive }, () => {
      const one = this.#watched.get(key)
      if (one === undefined) return
      one.nextAt = Math.min(one.nextAt, this.#parts.clock.monotonic() + hintDelayMs)
      this.#wakeIn(hintDelayMs)
    })
  }

  async #look(key: string, one: Watched): Promise<void> {
    const { clock, log, lookIntervalMs } = this.#parts
    // Set before it looks: a hint that comes meanwhile must not be overwritten.
    one.nextAt = clock.monotonic() + lookIntervalMs
    try {
      const result = await one.watch.look()
      this.#parts.folderProblems.delete(key)
      if (result.kind === 'off') this.#readAgain()
      else if (result.nextAt !== null) one.nextAt = Math.min(one.nextAt, result.nextAt)
    } catch (thrown) {
      const problem = folderProblemOf(thrown, clock.now())
      const { code, message } = problem
      if (this.#parts.folderProblems.get(key)?.message !== message) {
        log.warn('file_watch.failed', { trigger: key, code, message })
        this.#parts.folderProblems.set(key, problem)
      }
      one.nextAt = clock.monotonic() + problemDelayMs
    }
  }

  #readAgain(): void {
    this.#catalogue = neverSeen
    this.#isStale = true
  }

  #forget(key: string): void {
    this.#watched.get(key)?.stopHints()
    this.#watched.delete(key)
    this.#parts.folderProblems.delete(key)
  }
}
