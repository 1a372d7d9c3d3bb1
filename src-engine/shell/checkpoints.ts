/** What documents were at certain moments: at each save, and whenever a person gave it a name. One file each. */

import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { SagasmithError } from '../model/errors.ts'
import type { JsonObject } from '../model/json.ts'
import { canonicalJson } from '../model/json.ts'
import { namedCheckpointsMax, savedCheckpointsMax } from '../model/limits.ts'
import type { Clock } from '../model/ports.ts'
import type { InputOf } from '../protocol/api.ts'
import type { CheckpointEntry } from '../protocol/documents.ts'
import { fileError, isSystemError, writeFileAtomically } from './atomic-file.ts'
import { createTurns } from './in-turn.ts'

export interface Checkpoints {
  /** Without a name it is one of a save: one that equals the newest is not kept again, and gives null. */
  readonly save: (input: InputOf<'checkpoints.save'>) => Promise<CheckpointEntry | null>
  /** Newest first. */
  readonly list: (workflowId: string) => Promise<readonly CheckpointEntry[]>
  /** Throws `file_not_found`. */
  readonly read: (workflowId: string, id: string) => Promise<JsonObject>
  readonly remove: (workflowId: string, id: string) => Promise<void>
}

/** The first line of a file has what a list tells; no title or name makes it longer. */
const headBytesMax = 8_192

interface Head extends CheckpointEntry {
  readonly digest: string
}

/** Checkpoints in a folder, which is made when there is something to keep. */
export function createCheckpoints(folder: string, clock: Clock): Checkpoints {
  // A workflow's id may have any characters: its digest is a file's name everywhere.
  const folderOf = (workflowId: string): string => join(folder, digestOf(workflowId).slice(0, 32))
  const pathOf = (workflowId: string, id: string): string => join(folderOf(workflowId), `${id}.json`)
  const heads = async (workflowId: string): Promise<readonly Head[]> => {
    const names = await namesIn(folderOf(workflowId))
    const read = await Promise.all(names.map((name) => headOf(join(folderOf(workflowId), name))))
    return read.flatMap((head) => head ?? []).sort((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1))
  }
  // Who looks after a save was asked for finds it.
  const inTurn = createTurns()
  const save = async ({ workflowId, name, title, document }: InputOf<'checkpoints.save'>) => {
    const known = await heads(workflowId)
    const text = JSON.stringify(document)
    const digest = digestOf(canonicalJson(document))
    if (name === null && known[0]?.digest === digest) return null
    const alike = known.filter((one) => (one.name === null) === (name === null))
    if (name !== null && alike.length >= namedCheckpointsMax) throw tooMany()
    const id = randomUUID()
    const entry: CheckpointEntry = { id, name, title, at: clock.now() }
    await mkdir(folderOf(workflowId), { recursive: true })
    await writeFileAtomically(pathOf(workflowId, id), `${JSON.stringify({ ...entry, digest })}\n${text}`, {
      exclusive: true,
      mode: 0o600,
    })
    const old = name === null ? alike.slice(savedCheckpointsMax - 1) : []
    await Promise.all(old.map((one) => rm(pathOf(workflowId, one.id), { force: true })))
    return entry
  }
  return {
    save: (input) =>
      inTurn(() => save(input)).catch((cause: unknown) => {
        throw fileError(folder, cause)
      }),
    list: async (workflowId) =>
      (await inTurn(() => heads(workflowId))).map(({ id, name, title, at }) => ({ id, name, title, at })),
    read: (workflowId, id) => documentIn(pathOf(workflowId, id)),
    remove: (workflowId, id) => rm(pathOf(workflowId, id), { force: true }),
  }
}

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex')

const tooMany = (): SagasmithError =>
  new SagasmithError('bad_request', {
    message: `This workflow has ${namedCheckpointsMax} named checkpoints already.`,
    hint: 'Remove one that is not needed any more, then try again.',
  })

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return (await readdir(folder)).filter((name) => name.endsWith('.json') && !name.startsWith('.'))
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return []
    throw fileError(folder, error)
  }
}

/** Null for a file that is no checkpoint, or was removed meanwhile: the others are listed all the same. */
async function headOf(path: string): Promise<Head | null> {
  try {
    const file = await open(path, 'r')
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytesMax), 0, headBytesMax, 0)
      const [line = ''] = buffer.toString('utf8', 0, bytesRead).split('\n', 1)
      // Written whole by this file; anything else in the folder is no checkpoint.
      const head = JSON.parse(line) as Head
      return typeof head.id === 'string' && typeof head.at === 'number' ? head : null
    } finally {
      await file.close()
    }
  } catch {
    return null
  }
}

async function documentIn(path: string): Promise<JsonObject> {
  try {
    const text = await readFile(path, 'utf8')
    return JSON.parse(text.slice(text.indexOf('\n') + 1)) as JsonObject
  } catch (cause) {
    throw fileError(path, cause)
  }
}
