/** Copies and moves: complete before they are seen, and known again by a repetition. */

import { constants } from 'node:fs'
import { cp, link, lstat, mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { SagasmithError } from '../../model/errors.ts'
import type { JsonObject } from '../../model/json.ts'
import { withinDeadline } from '../deadline.ts'
import { filePlace, isWithin } from '../file-place.ts'
import type { TaskContext, TaskRun } from '../task.ts'
import { completed } from '../task.ts'
import { fileError } from '../workflow-path.ts'
import type { FileChange } from './changes.ts'
import type { KeptPlace } from './kept.ts'
import { errnoOf, exists, openKept, unfinishedPath } from './kept.ts'
import type { CopyFileParameters } from './spec.ts'

export const copyFileRun: TaskRun<CopyFileParameters> = {
  async execute(parameters, context) {
    const { mode, timeoutMs } = parameters
    const from = await filePlace(parameters.from, context, mode === 'move' ? 'write' : 'read')
    const to = await filePlace(parameters.to, context, 'write')
    if (isWithin(to, from)) throw intoItself(parameters)
    const output = await withinDeadline({ timeoutMs }, context, async (signal) => {
      try {
        return await transferred({ from, to, parameters, context, signal })
      } catch (thrown) {
        throw fileError(thrown, parameters.from)
      }
    })
    const words = output['skipped'] === true ? 'left as it was' : mode === 'move' ? 'moved' : 'copied'
    context.log({ level: 'info', stream: 'task', text: `${from} → ${to}: ${words}` })
    return completed(output)
  },
}

interface Transfer {
  readonly from: string
  readonly to: string
  readonly parameters: CopyFileParameters
  readonly context: TaskContext
  readonly signal: AbortSignal
}

async function transferred(transfer: Transfer): Promise<JsonObject> {
  const { from, to, parameters, context } = transfer
  const { mode, existing, keep } = parameters
  await mkdir(dirname(to), { recursive: true })
  const kept = await openKept(to, context.idempotencyKey, context.clock)
  try {
    if (kept.isRepeated && mode === 'move' && !(await exists(from)) && (await exists(to))) {
      return await outputOf(transfer, kept, false)
    }
    const isThere = await exists(to)
    if (isThere && existing === 'skip') return await outputOf(transfer, kept, true)
    if (isThere && existing === 'fail') {
      if (await isOwn(kept, transfer)) return await outputOf(transfer, kept, false)
      throw isThereAlready(to)
    }
    await lstat(from)
    await put(transfer, { kept, isThere, keeps: keep })
    return await outputOf(transfer, kept, false)
  } finally {
    await kept.finish()
  }
}

/** A copy that an earlier attempt had finished before it could say so. */
async function isOwn(kept: KeptPlace, { from, to, parameters }: Transfer): Promise<boolean> {
  if (!kept.isRepeated || parameters.mode === 'move') return false
  const [source, target] = await Promise.all([lstat(from), lstat(to)])
  return source.isFile() && target.isFile() && source.size === target.size
}

async function put(
  { from, to, parameters, context, signal }: Transfer,
  { kept, isThere, keeps }: { readonly kept: KeptPlace; readonly isThere: boolean; readonly keeps: boolean },
): Promise<void> {
  const { mode, existing } = parameters
  const unfinished = unfinishedPath(to, context.idempotencyKey)
  const source = await lstat(from)
  const isFile = source.isFile() && (!isThere || (await lstat(to)).isFile())
  try {
    signal.throwIfAborted()
    const staged = mode === 'move' && (await isSameDisk(from, to)) ? from : unfinished
    if (staged === unfinished) await copyTo(from, unfinished, signal)
    if (isThere && keeps) await (isFile ? kept.keepCopy() : kept.keepMoved())
    else if (isThere && !isFile) await rm(to, { recursive: true, force: true })
    signal.throwIfAborted()
    await placed(staged, to, existing === 'replace' || !isFile)
    if (mode === 'move' && staged === unfinished) await rm(from, { recursive: true, force: true })
  } finally {
    await rm(unfinished, { recursive: true, force: true })
  }
}

/** Takes its place at once; without `replaces` only where nothing has come in between. */
async function placed(staged: string, to: string, replaces: boolean): Promise<void> {
  if (replaces) return rename(staged, to)
  try {
    // Other than a rename, a second name never replaces.
    await link(staged, to)
  } catch (thrown) {
    if (errnoOf(thrown) === 'EEXIST') throw isThereAlready(to)
    return rename(staged, to)
  }
  await rm(staged)
}

async function isSameDisk(from: string, to: string): Promise<boolean> {
  const [source, folder] = await Promise.all([lstat(from), lstat(dirname(to))])
  return source.dev === folder.dev
}

async function copyTo(from: string, to: string, signal: AbortSignal): Promise<void> {
  await rm(to, { recursive: true, force: true })
  await cp(from, to, {
    recursive: true,
    errorOnExist: true,
    force: false,
    mode: constants.COPYFILE_FICLONE,
    preserveTimestamps: true,
    verbatimSymlinks: true,
    filter: () => !signal.aborted,
  })
  signal.throwIfAborted()
  const file = await open(to, 'r').catch(() => null)
  // A folder can't always be synced, and none needs it to go on.
  await file?.sync().catch(() => null)
  await file?.close()
}

async function outputOf({ from, to, parameters }: Transfer, kept: KeptPlace, skipped: boolean) {
  const { size, mtimeMs } = await lstat(to)
  const came: FileChange =
    parameters.mode === 'move'
      ? { kind: 'moved', from, to }
      : { kind: 'made', path: to, bytes: size, changedMs: mtimeMs }
  const was: readonly FileChange[] = (await kept.has()) ? [{ kind: 'kept', path: to, kept: kept.path }] : []
  return { from, to, bytes: size, skipped, undo: skipped ? [] : [...was, came] }
}

function isThereAlready(to: string): SagasmithError {
  return new SagasmithError('file_exists', { message: `“${to}” is there already.`, details: { path: to } })
}

function intoItself({ from, to }: CopyFileParameters): SagasmithError {
  return new SagasmithError('task_input_invalid', {
    message: `“${to}” is inside of “${from}”, or the same.`,
    hint: 'Choose another place for it.',
    details: { field: 'to', from, to },
  })
}
