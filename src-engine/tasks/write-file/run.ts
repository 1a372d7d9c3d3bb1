/**
 * Writes a file in one piece: the new content is complete on disk before it takes the old one's place.
 * The temporary file is named after the idempotency key, so that a repetition after a crash reuses it, and so is
 * the place where the old one is kept, by which the repetition knows what was its own doing.
 */

import { constants } from 'node:fs'
import { copyFile, link, lstat, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { SagasmithError } from '../../model/errors.ts'
import type { JsonObject } from '../../model/json.ts'
import { throwIfAborted } from '../abort.ts'
import { filePlace } from '../file-place.ts'
import type { FileChange } from '../files/changes.ts'
import type { KeptPlace } from '../files/kept.ts'
import { errnoOf, openKept, unfinishedPath } from '../files/kept.ts'
import type { TaskContext, TaskRun } from '../task.ts'
import { completed } from '../task.ts'
import { fileError, workflowPath } from '../workflow-path.ts'
import { beginningBytes, fileBytes } from './content.ts'
import type { WriteFileParameters } from './spec.ts'

export const writeFileRun: TaskRun<WriteFileParameters> = {
  async execute(parameters, context) {
    const named = workflowPath(parameters.path, context.baseDirectory)
    const bytes = fileBytes(parameters)
    try {
      // The place of a link is not replaced, what it points to is.
      const path = await filePlace(parameters.path, context, 'write')
      await mkdir(dirname(path), { recursive: true })
      const output = await written({ path, named, bytes, parameters }, context)
      const isLeft = output['skipped'] === true
      const text = isLeft ? `Left ${named} as it was` : `Wrote ${bytes.length} bytes to ${named}`
      context.log({ level: 'info', stream: 'task', text })
      return completed(output)
    } catch (thrown) {
      throw fileError(thrown, named)
    }
  },
}

interface Writing {
  readonly path: string
  readonly named: string
  readonly bytes: Buffer
  readonly parameters: WriteFileParameters
}

async function written(writing: Writing, context: TaskContext): Promise<JsonObject> {
  const { path, named, bytes, parameters } = writing
  const existing = await stat(path).catch(() => null)
  if (existing?.isDirectory() === true) throw Object.assign(new Error('is a folder'), { code: 'EISDIR' })
  throwIfAborted(context.signal)
  const { mode, keep } = parameters
  const isGuarded = existing !== null && (mode === 'fail' || mode === 'skip')
  if (isGuarded && mode === 'skip') return { path: named, bytes: 0, skipped: true, undo: [] }
  const kept = keep || mode === 'fail' ? await openKept(path, context.idempotencyKey, context.clock) : null
  try {
    if (isGuarded) {
      // An attempt before this one may have done it, and have died before it could say so.
      if (kept?.isRepeated !== true || !(await hasContent(path, bytes, parameters))) throw isThere(named)
    } else {
      if (existing !== null && keep) await kept?.keepCopy()
      try {
        await replaceFile(writing, { context, mode: existing?.mode ?? null })
      } catch (thrown) {
        // Nothing was changed, so nobody wants back what was kept.
        if (kept?.isRepeated === false) await rm(kept.path, { force: true })
        throw thrown
      }
    }
    return {
      path: named,
      bytes: bytes.length,
      undo: await changesOf(path, { isNew: existing === null, kept }),
    }
  } finally {
    await kept?.finish()
  }
}

/** What was replaced without being kept can't come back: then nothing is told of, rather than a file removed. */
async function changesOf(
  path: string,
  { isNew, kept }: { readonly isNew: boolean; readonly kept: KeptPlace | null },
): Promise<readonly FileChange[]> {
  const has = kept !== null && (await kept.has())
  if (!isNew && !has && kept?.isRepeated !== true) return []
  const { size, mtimeMs } = await lstat(path)
  const made: FileChange = { kind: 'made', path, bytes: size, changedMs: mtimeMs }
  return has ? [{ kind: 'kept', path, kept: kept.path }, made] : [made]
}

async function hasContent(path: string, bytes: Buffer, parameters: WriteFileParameters): Promise<boolean> {
  return (await readFile(path)).equals(Buffer.concat([beginningBytes(parameters), bytes]))
}

async function replaceFile(
  { path, named, bytes, parameters }: Writing,
  { context, mode }: { readonly context: TaskContext; readonly mode: number | null },
): Promise<void> {
  const temporary = unfinishedPath(path, context.idempotencyKey)
  const appends = parameters.mode === 'append' && mode !== null
  try {
    await rm(temporary, { force: true })
    if (appends) await copyFile(path, temporary, constants.COPYFILE_EXCL)
    const file = await open(temporary, appends ? 'a' : 'wx', mode ?? 0o666)
    try {
      if (!appends) await file.writeFile(beginningBytes(parameters))
      await file.writeFile(bytes)
      await file.sync()
    } finally {
      await file.close()
    }
    throwIfAborted(context.signal)
    await (parameters.mode === 'fail' ? placedAnew(temporary, { path, named }) : rename(temporary, path))
  } finally {
    await rm(temporary, { force: true })
  }
  await syncFolder(dirname(path))
}

/** Other than a rename, a second name never replaces what has come in between. */
async function placedAnew(
  temporary: string,
  { path, named }: { readonly path: string; readonly named: string },
): Promise<void> {
  try {
    await link(temporary, path)
  } catch (thrown) {
    if (errnoOf(thrown) === 'EEXIST') throw isThere(named)
    // Not every disk has second names.
    await rename(temporary, path)
  }
}

const isThere = (path: string): SagasmithError =>
  new SagasmithError('file_exists', { message: `“${path}” is there already.`, details: { path } })

/** Makes the new name itself survive a power cut; not every system can, and none needs it to go on. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => null)
  if (handle === null) return
  await handle.sync().catch(() => null)
  await handle.close()
}
