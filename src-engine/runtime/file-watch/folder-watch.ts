/**
 * One watched folder: looks at it, and starts a run for each file that changed. What is known of the folder
 * moves in the checkpoint that starts the run, so that no crash loses or repeats a file, and of several
 * processes that watch it one is first.
 */

import { isAbsolute, join, resolve } from 'node:path'
import { SagasmithError } from '../../model/errors.ts'
import type { JsonObject } from '../../model/json.ts'
import type { Clock } from '../../model/ports.ts'
import type { Millis } from '../../model/time.ts'
import type { TriggerName, TriggerRecord } from '../../model/trigger.ts'
import { isTriggerOn } from '../../model/trigger.ts'
import type {
  FileChange,
  FileStamp,
  FolderFiles,
  UnsettledFiles,
} from '../../triggers/file-watch/folder-changes.ts'
import { folderChanges } from '../../triggers/file-watch/folder-changes.ts'
import type { FileWatchParameters } from '../../triggers/file-watch/spec.ts'
import { fire, skipFiring } from '../triggers/fire.ts'
import type { FireParts, ToFire } from '../triggers/start-firing.ts'
import type { StoredTrigger } from '../triggers/trigger-registers.ts'
import { loadTrigger, writeRegisters } from '../triggers/trigger-registers.ts'
import type { WantedStart } from '../triggers/wanted-start.ts'
import { wantedStart } from '../triggers/wanted-start.ts'
import type { DefinitionTrust } from '../trust/definition-trust.ts'
import type { FolderAccess } from './folder-access.ts'
import { refuseUntrusted } from './folder-trust.ts'
import type { WatchedFiles } from './watched-files.ts'
import { bucketed, bucketOf, bucketWrite, headWrite, knownFiles, loadWatchedFiles } from './watched-files.ts'

export interface FolderWatchParts extends FireParts {
  readonly clock: Clock
  readonly scan: FolderAccess['scan']
  readonly real: FolderAccess['real']
  /** Of a runner that doesn't trust every definition; else null. */
  readonly trust: DefinitionTrust | null
}

export type FolderLookResult =
  /** When to look again at the latest, by the clock that never jumps; null for the usual time. */
  | { readonly kind: 'looked'; readonly nextAt: Millis | null }
  /** The trigger is off or gone. */
  | { readonly kind: 'off' }

/** A folder that is looked at again and again; what hasn't settled is kept in mind between the looks. */
export class FolderWatch {
  readonly #parts: FolderWatchParts
  readonly #name: TriggerName
  #known: WatchedFiles | null = null
  #unsettled: UnsettledFiles = new Map()

  constructor(parts: FolderWatchParts, name: TriggerName) {
    this.#parts = parts
    this.#name = name
  }

  /** Looks once. Throws what keeps the folder from being read. */
  async look(): Promise<FolderLookResult> {
    const trigger = await loadTrigger(this.#parts, this.#name)
    if (trigger === null || !isTriggerOn(trigger.record)) return { kind: 'off' }
    const parameters = parametersOf(trigger.record)
    const { scan, clock } = this.#parts
    const folder = folderOf(trigger.record)
    await refuseUntrusted(this.#parts, trigger.record, folder)
    const known = await this.#load()
    const seen = await scan({ folder, pattern: parameters.pattern, recursive: parameters.recursive })
    const now = clock.monotonic()
    if (known.since !== trigger.record.since) {
      await this.#begin(trigger.record, known, parameters.initialScan ? new Map() : seen)
      return { kind: 'looked', nextAt: now }
    }
    const { settled, unsettled, nextAt } = folderChanges({
      known: knownFiles(known),
      seen,
      unsettled: this.#unsettled,
      now,
      settleMs: parameters.settleMs,
    })
    this.#unsettled = unsettled
    for (const change of settled) {
      if (!(await this.#account({ trigger, parameters, folder, change }))) {
        this.#known = null
        return { kind: 'looked', nextAt: now }
      }
    }
    return { kind: 'looked', nextAt }
  }

  /** What the change is to start; null where it doesn't count. */
  async #wantedOf(given: ChangeToAccount): Promise<WantedStart | null> {
    const { parameters, change } = given
    if (!parameters.on.includes(change.change)) return null
    const now = this.#parts.clock.now()
    const said = { id: change.path, name: change.change, payload: payloadOf(given), at: now }
    return wantedStart(this.#parts, parameters, said)
  }

  async #load(): Promise<WatchedFiles> {
    this.#known ??= await loadWatchedFiles(this.#parts, this.#name)
    return this.#known
  }

  /** What is there now is where it begins; whatever was known of another beginning is of no use. */
  async #begin({ since }: TriggerRecord, known: WatchedFiles, files: FolderFiles): Promise<void> {
    const fresh = bucketed(files)
    const buckets = new Set([...known.buckets.keys(), ...fresh.keys()])
    const writes = [...buckets].map((bucket) =>
      bucketWrite(this.#name, known, { bucket, files: fresh.get(bucket) ?? new Map<string, FileStamp>() }),
    )
    await writeRegisters(this.#parts, [headWrite(this.#name, known, since), ...writes])
    // Whoever was first has begun it.
    this.#known = null
    this.#unsettled = new Map()
  }

  /** Moves what is known by one file, with its run if it is to have one; false when somebody else moved it. */
  async #account(given: ChangeToAccount): Promise<boolean> {
    const { trigger, change } = given
    const known = await this.#load()
    const bucket = bucketOf(change.path)
    const files = new Map(known.buckets.get(bucket)?.files)
    if (change.stamp === null) files.delete(change.path)
    else files.set(change.path, change.stamp)
    const write = bucketWrite(this.#name, known, { bucket, files })
    const wanted = await this.#wantedOf(given)
    if (wanted !== null) {
      const toFire: ToFire = {
        trigger,
        occurrence: {
          id: `${bucket}.${write.version}`,
          at: this.#parts.clock.now(),
          sources: [{ kind: 'file', path: change.path, change: change.change }],
          slots: null,
          words: wordsOf(change),
          depth: 1,
        },
        move: null,
        guards: [],
        also: [write],
      }
      const request = `file:${this.#name.workflowId}/${this.#name.triggerId}:${trigger.record.since}.${bucket}.${write.version}`
      const fired =
        wanted.kind === 'input'
          ? await fire(this.#parts, { ...toFire, input: wanted.input, request })
          : await skipFiring(this.#parts, toFire, wanted)
      if (fired.kind === 'lost' || fired.kind === 'known') return false
    } else if (!(await writeRegisters(this.#parts, [write]))) return false
    const buckets = new Map(known.buckets).set(bucket, { version: write.version + 1, files })
    this.#known = { ...known, buckets }
    return true
  }
}

interface ChangeToAccount {
  readonly trigger: StoredTrigger
  readonly parameters: FileWatchParameters
  readonly folder: string
  readonly change: FileChange
}

/** They went through the spec's schema when the trigger was published. */
const parametersOf = ({ parameters }: TriggerRecord): FileWatchParameters =>
  parameters as unknown as FileWatchParameters

/** Null for one that is meant from the workflow's folder when nobody knows that. */
export function watchedFolder(record: TriggerRecord): string | null {
  const { folder } = parametersOf(record)
  if (isAbsolute(folder)) return folder
  return record.baseDirectory === null ? null : resolve(record.baseDirectory, folder)
}

/** Throws `bad_request` for one that isn't known. */
function folderOf(record: TriggerRecord): string {
  const found = watchedFolder(record)
  if (found !== null) return found
  const { folder } = parametersOf(record)
  throw new SagasmithError('bad_request', {
    message: `“${folder}” is meant from the folder of the workflow, and that isn’t known.`,
    hint: 'Name the folder from the root, or publish the workflow from its file.',
    details: { folder },
  })
}

const changeWords = { add: 'appeared', change: 'changed', remove: 'went' } as const

const wordsOf = ({ path, change }: FileChange): string => `The file “${path}” ${changeWords[change]}.`

/** What the run gets where nothing else is said. */
function payloadOf({ folder, change: { path, change, stamp } }: ChangeToAccount): JsonObject {
  const [size = null, modifiedAt = null] = stamp === null ? [] : stamp.split(':').map(Number)
  return {
    path: join(folder, path),
    folder,
    relativePath: path,
    name: path.slice(path.lastIndexOf('/') + 1),
    change,
    size,
    modifiedAt: modifiedAt === null ? null : Math.floor(modifiedAt),
  }
}
