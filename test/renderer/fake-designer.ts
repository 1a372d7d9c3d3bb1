/**
 * A designer on a machine of memory: its engine keeps drafts and files in maps, its page keeps texts in one,
 * and its timers run when they are told to. Closing it and making another on the same machine is a restart.
 */

import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { createStore } from 'zustand/vanilla'
import type { JsonObject } from '../../src-engine/model/json.ts'
import { withChanges } from '../../src-engine/model/json-changes.ts'
import type { InputOf, OutputOf } from '../../src-engine/protocol/api.ts'
import type { DraftEntry } from '../../src-engine/protocol/documents.ts'
import type { SpecsByKind } from '../../src-renderer/rules/connection.ts'
import type { Designer } from '../../src-renderer/state/designer.ts'
import { createDesigner } from '../../src-renderer/state/designer.ts'
import type { Services } from '../../src-renderer/state/services.ts'

interface UndoLines {
  readonly id: string
  readonly after: number
  readonly lines: readonly string[]
}

type Answer = (input: never) => unknown

export interface Machine {
  readonly drafts: Map<string, DraftEntry>
  readonly files: Map<string, { readonly document: JsonObject; readonly etag: string }>
  readonly memory: Map<string, string>
  /** Lines of undo steps; null for a damaged one. */
  readonly undo: Map<string, (string | null)[]>
  /** False: every call fails, as it does while the engine is away. */
  isUp: boolean
  /** More methods, or others. */
  readonly methods: Record<string, Answer>
  ids: number
}

export const newMachine = (): Machine => ({
  ...{ drafts: new Map(), files: new Map(), memory: new Map(), undo: new Map() },
  ...{ isUp: true, methods: {}, ids: 0 },
})

/** Puts a file on the machine's disk. */
export function putFile(machine: Machine, path: string, document: object): void {
  const text = JSON.stringify(document)
  machine.files.set(path, { document: JSON.parse(text), etag: `e${text.length}-${machine.files.size}` })
}

export interface FakeDesigner {
  readonly designer: Designer
  /** Runs what waits for a timer, and all that follows from it. */
  readonly pass: () => Promise<void>
}

/** A page on that machine. */
export function openPage(machine: Machine, specs: SpecsByKind = new Map()): FakeDesigner {
  const timers = new Set<() => void>()
  const state = createStore(() => ({ status: 'open' }))
  const connection = { state, call: (method: string, input: never) => answer(machine, method, input) }
  const services = {
    connection,
    desktop: null,
    specs,
    ambient: {
      now: () => 0,
      newId: () => `id${++machine.ids}`,
      after: (_ms: number, call: () => void) => {
        timers.add(call)
        return () => void timers.delete(call)
      },
      onFrame: () => undefined,
      digest: async (text: string) => bytesToHex(sha256(utf8ToBytes(text))),
      prefersStillness: () => true,
    },
    memory: {
      read: (key: string) => machine.memory.get(key) ?? null,
      write: (key: string, text: string) => void machine.memory.set(key, text),
    },
  }
  const pass = async (): Promise<void> => {
    const due = [...timers]
    timers.clear()
    for (const call of due) call()
    await settled()
  }
  return { designer: createDesigner(services as unknown as Services), pass }
}

/** Until everything that was under way has been answered. */
export const settled = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))

async function answer(machine: Machine, method: string, input: never): Promise<unknown> {
  if (!machine.isUp) throw new Error('The engine is away.')
  const found = machine.methods[method] ?? usual(machine)[method]
  if (found === undefined) throw new Error(`Nobody answers ${method}.`)
  // Through text and back, as on a real line.
  const given = await found(JSON.parse(JSON.stringify(input)) as never)
  return given === undefined ? given : JSON.parse(JSON.stringify(given))
}

type DraftChange = InputOf<'drafts.change'>

/** Of what is kept, whoever wrote it. */
const revisionOf = ({ document }: DraftEntry): string =>
  bytesToHex(sha256(utf8ToBytes(JSON.stringify(document))))

function keepIn(drafts: Machine['drafts'], draft: DraftEntry): OutputOf<'drafts.save'> {
  const kept = { ...draft, savedAt: 1 }
  drafts.set(draft.id, kept)
  return { savedAt: 1, revision: revisionOf(kept) }
}

const usual = ({ drafts, files, undo }: Machine): Record<string, Answer> => ({
  'drafts.list': () => [...drafts.values()],
  'drafts.save': (draft: DraftEntry) => keepIn(drafts, draft),
  'drafts.change': ({ revision, changes, ...draft }: DraftChange) => {
    const kept = drafts.get(draft.id)
    if (kept === undefined || revisionOf(kept) !== revision) return null
    return keepIn(drafts, { ...draft, savedAt: 1, document: withChanges(kept.document, changes) })
  },
  'drafts.remove': ({ id }: { readonly id: string }) => void drafts.delete(id),
  'undo.read': ({ id }: { readonly id: string }) => ({ lines: undo.get(id) ?? [] }),
  'undo.append': ({ id, after, lines }: UndoLines) => {
    const there = after === 0 ? [] : (undo.get(id) ?? [])
    if (there.length === after) undo.set(id, [...there, ...lines])
    return { held: undo.get(id)?.length ?? 0 }
  },
  'library.read': ({ path }: { readonly path: string }) => {
    const file = files.get(path)
    if (file === undefined) throw new Error(`${path} is gone.`)
    return { path, ...file }
  },
  'library.save': ({ path, document }: { readonly path: string; readonly document: JsonObject }) => {
    const etag = `${files.get(path)?.etag ?? 'e'}+`
    files.set(path, { document, etag })
    return { path, etag }
  },
})
