/** Has the streams of all published triggers read, from the time that it is started. */

import { recordOfThrown } from '../../model/errors.ts'
import type { TriggerName, TriggerRecord } from '../../model/trigger.ts'
import { isTriggerOn, triggerKey } from '../../model/trigger.ts'
import type { EngineParts } from '../engine-parts.ts'
import { isNewer, lookAtRegister, neverSeen } from '../register-look.ts'
import { firePartsOf } from '../triggers/fire-parts.ts'
import { catalogueKey, listTriggers, writeRegisters } from '../triggers/trigger-registers.ts'
import { watchCatalogue } from '../triggers/watch-catalogue.ts'
import { headForgotten, loadHead } from './stream-head.ts'
import type { StreamReaderParts } from './stream-reader.ts'
import { StreamReader } from './stream-reader.ts'
import type { StreamWatcher } from './stream-watching.ts'

/** Nothing is read until it is started. */
export function createEngineStreams(parts: EngineParts): StreamWatcher {
  const { clock, log, executor, trust } = parts.dependencies
  const { locks, streamAccess: access } = parts
  const { secrets } = executor.host
  const watcher = new Watcher({ ...firePartsOf(parts), clock, log, locks, access, secrets, trust })
  return { start: () => watcher.start(), stop: () => watcher.stop() }
}

interface Read {
  readonly name: TriggerName
  readonly reader: StreamReader
  /** Of which record it is. */
  readonly parameters: string
}

class Watcher {
  readonly #parts: StreamReaderParts
  readonly #read = new Map<string, Read>()
  #catalogue = neverSeen
  #isRunning = false
  #unwatch: () => void = () => undefined
  #turn: Promise<void> = Promise.resolve()

  constructor(parts: StreamReaderParts) {
    this.#parts = parts
  }

  start(): void {
    if (this.#isRunning) return
    this.#isRunning = true
    this.#unwatch = watchCatalogue(this.#parts, () => this.#look())
    this.#look()
  }

  async stop(): Promise<void> {
    this.#isRunning = false
    this.#unwatch()
    await this.#turn
    await Promise.all([...this.#read.values()].map(({ reader }) => reader.stop()))
    this.#read.clear()
  }

  #look(): void {
    this.#turn = this.#turn
      .then(() => this.#refresh())
      .catch((thrown: unknown) => {
        // The next look finds what this one didn't.
        this.#parts.log.warn('stream.list_failed', { code: recordOfThrown(thrown).code })
      })
  }

  /** Makes the streams that are read those that there are. */
  async #refresh(): Promise<void> {
    if (!this.#isRunning) return
    const catalogue = await lookAtRegister(this.#parts, catalogueKey)
    if (!isNewer(catalogue, this.#catalogue)) return
    const all = (await listTriggers(this.#parts)).map(({ record }) => record)
    const wanted = all.filter((record) => record.kind === 'redis-stream' && isTriggerOn(record))
    const published = new Set(all.map(triggerKey))
    const keys = new Map(wanted.map((record) => [triggerKey(record), whatCounts(record)]))
    for (const [key, { name, parameters, reader }] of [...this.#read]) {
      if (keys.get(key) === parameters) continue
      this.#read.delete(key)
      await reader.stop()
      if (!published.has(key)) await this.#forgetHead(name)
    }
    for (const record of wanted) this.#begin(record)
    this.#catalogue = catalogue
  }

  /** Kept where the group may hand out again what is decided. */
  async #forgetHead(name: TriggerName): Promise<void> {
    const head = await loadHead(this.#parts, name)
    if (head.version === 0 || head.state.open.length > 0) return
    // Refused, somebody else has forgotten it, or begun anew.
    await writeRegisters(this.#parts, [headForgotten(name, head)])
  }

  #begin(record: TriggerRecord): void {
    const key = triggerKey(record)
    if (!this.#isRunning || this.#read.has(key)) return
    const name = { workflowId: record.workflowId, triggerId: record.triggerId }
    const reader = new StreamReader(this.#parts, name)
    this.#read.set(key, { name, reader, parameters: whatCounts(record) })
    reader.start()
  }
}

/** Another one of these is another connection: the workflow's version says which hosts may be reached. */
const whatCounts = ({ parameters, since, definitionHash }: TriggerRecord): string =>
  JSON.stringify([parameters, since, definitionHash])
