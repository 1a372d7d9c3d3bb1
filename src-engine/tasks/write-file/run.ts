/**
 * Writes a file in one piece: the new content is complete on disk before it takes the old one's place.
 * The temporary file is named after the idempotency key, so that a repetition after a crash reuses it.
 */

import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { copyFile, mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { throwIfAborted } from '../abort.ts'
import { filePlace } from '../file-place.ts'
import type { TaskContext, TaskRun } from '../task.ts'
import { completed } from '../task.ts'
import { fileError, workflowPath } from '../workflow-path.ts'
import { fileBytes } from './content.ts'
import type { WriteFileParameters } from './spec.ts'

export const writeFileRun: TaskRun<WriteFileParameters> = {
  async execute(parameters, context) {
    const named = workflowPath(parameters.path, context.baseDirectory)
    const bytes = fileBytes(parameters)
    try {
      // The place of a link is not replaced, what it points to is.
      const path = await filePlace(parameters.path, context, 'write')
      await mkdir(dirname(path), { recursive: true })
      await replaceFile({ path, bytes, append: parameters.mode === 'append' }, context)
    } catch (thrown) {
      throw fileError(thrown, named)
    }
    context.log({ level: 'info', stream: 'task', text: `Wrote ${bytes.length} bytes to ${named}` })
    return completed({ path: named, bytes: bytes.length })
  },
}

interface Replacement {
  readonly path: string
  readonly bytes: Buffer
  readonly append: boolean
}

async function replaceFile(replacement: Replacement, context: TaskContext): Promise<void> {
  const { path, bytes, append } = replacement
  const temporary = temporaryPath(path, context.idempotencyKey)
  throwIfAborted(context.signal)
  try {
    const existing = await stat(path).catch(() => null)
    if (existing?.isDirectory() === true) throw Object.assign(new Error('is a folder'), { code: 'EISDIR' })
    await rm(temporary, { force: true })
    if (append && existing !== null) await copyFile(path, temporary, constants.COPYFILE_EXCL)
    const file = await open(temporary, append ? 'a' : 'wx', existing?.mode ?? 0o666)
    try {
      await file.writeFile(bytes)
      await file.sync()
    } finally {
      await file.close()
    }
    throwIfAborted(context.signal)
    await rename(temporary, path)
  } finally {
    await rm(temporary, { force: true })
  }
  await syncFolder(dirname(path))
}

function temporaryPath(path: string, idempotencyKey: string): string {
  const key = createHash('sha256').update(idempotencyKey).digest('hex').slice(0, 16)
  return join(dirname(path), `.${basename(path).slice(0, 100)}.${key}.tmp`)
}

/** Makes the new name itself survive a power cut; not every system can, and none needs it to go on. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => null)
  if (handle === null) return
  await handle.sync().catch(() => null)
  await handle.close()
}
