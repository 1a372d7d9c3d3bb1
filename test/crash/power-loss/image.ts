/** What a disk may hold after the power went: everything synced, and any part of what was not. */
import type { RandomSource } from '../../support/random-source.ts'
import type { DiskStep } from './trace.ts'

/** What becomes of writes that were not synced: gone, all there, or some sectors of some of them. */
export type Fate = 'dropped' | 'kept' | 'torn'

/** A disk writes so much at once, or not. */
const sectorBytes = 512

type Rename = Extract<DiskStep, { readonly kind: 'rename' }>
type DiskWrite = Extract<DiskStep, { readonly kind: 'write' }>

/** The files of the store as a loss of power may leave them; nothing else of the directory is needed. */
export type Image = ReadonlyMap<string, Buffer>

class FileState {
  #bytes = Buffer.alloc(0)
  #size = 0

  apply(step: DiskStep): void {
    if (step.kind === 'write') this.write(step.at ?? this.#size, step.bytes)
    if (step.kind === 'truncate') this.#resize(step.size)
  }

  write(at: number, bytes: Buffer): void {
    if (at + bytes.length > this.#size) this.#resize(at + bytes.length)
    bytes.copy(this.#bytes, at)
  }

  get bytes(): Buffer {
    return Buffer.from(this.#bytes.subarray(0, this.#size))
  }

  copy(): FileState {
    const copy = new FileState()
    copy.write(0, this.bytes)
    return copy
  }

  #resize(size: number): void {
    if (size > this.#bytes.length) {
      const grown = Buffer.alloc(Math.max(size, 2 * this.#bytes.length))
      this.#bytes.copy(grown, 0, 0, this.#size)
      this.#bytes = grown
    } else if (size < this.#size) this.#bytes.fill(0, size, this.#size)
    this.#size = size
  }
}

/** A disk that is written to step by step and may lose its power after each. */
export class Disk {
  readonly #durable = new Map<string, FileState>()
  readonly #pending = new Map<string, DiskStep[]>()
  /** Names given in folders that weren't synced since. */
  #renames: readonly Rename[] = []

  apply(step: DiskStep): void {
    if (step.kind === 'rename') {
      this.#renames = [...this.#renames, step]
      return
    }
    if (step.kind === 'sync') this.#syncFolder(step.file)
    const pending = this.#pending.get(step.file) ?? []
    this.#pending.set(step.file, pending)
    if (step.kind !== 'sync') {
      pending.push(step)
      return
    }
    const state = this.#durable.get(step.file) ?? new FileState()
    for (const one of pending) state.apply(one)
    this.#durable.set(step.file, state)
    this.#pending.set(step.file, [])
  }

  #syncFolder(folder: string): void {
    for (const { file, to } of this.#renames.filter((rename) => rename.folder === folder)) {
      move(this.#durable, file, to)
      move(this.#pending, file, to)
    }
    this.#renames = this.#renames.filter((rename) => rename.folder !== folder)
  }

  /** Whether anything could be lost now. */
  get isRestless(): boolean {
    return [...this.#pending.values()].some((steps) => steps.length > 0)
  }

  lose(fate: Fate, random: RandomSource): Image {
    const image = new Map<string, Buffer>()
    for (const [file, pending] of this.#pending) {
      const state = this.#durable.get(file)?.copy() ?? new FileState()
      for (const step of pending) {
        if (fate === 'kept' || (fate === 'torn' && step.kind === 'truncate' && random.chance(0.5)))
          state.apply(step)
        else if (fate === 'torn' && step.kind === 'write') tear(state, step, random)
      }
      image.set(file, state.bytes)
    }
    for (const { file, to } of this.#renames) {
      if (fate === 'kept' || (fate === 'torn' && random.chance(0.5))) move(image, file, to)
    }
    return image
  }
}

function move<Value>(files: Map<string, Value>, from: string, to: string): void {
  const moved = files.get(from)
  if (moved === undefined) return
  files.set(to, moved)
  files.delete(from)
}

/** Half of the writes reach the disk whole, some not at all, the rest by sectors. */
function tear(state: FileState, write: DiskWrite, random: RandomSource): void {
  const { bytes } = write
  const at = write.at ?? 0
  if (random.chance(0.5)) {
    state.write(at, bytes)
    return
  }
  if (random.chance(0.5)) return
  for (let from = 0; from < bytes.length; ) {
    const to = Math.min(bytes.length, from + sectorBytes - ((at + from) % sectorBytes))
    if (random.chance(0.5)) state.write(at + from, bytes.subarray(from, to))
    from = to
  }
}
