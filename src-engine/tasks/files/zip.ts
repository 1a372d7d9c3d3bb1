/** Packs files into an archive, which is complete before it takes its place. */

import { createWriteStream } from 'node:fs'
import { link, lstat, mkdir, rename, rm } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { SagasmithError } from '../../model/errors.ts'
import { withinDeadline } from '../deadline.ts'
import { filePlace } from '../file-place.ts'
import type { TaskContext, TaskRun } from '../task.ts'
import { completed } from '../task.ts'
import { fileError } from '../workflow-path.ts'
import type { FileChange } from './changes.ts'
import { errnoOf, exists, openKept, unfinishedPath } from './kept.ts'
import type { FoundFile } from './list.ts'
import { foundFiles } from './list.ts'
import type { ZipFilesParameters } from './spec.ts'

export const zipFilesRun: TaskRun<ZipFilesParameters> = {
  async execute(parameters, context) {
    const from = await filePlace(parameters.from, context, 'read')
    const to = await filePlace(parameters.to, context, 'write')
    const { timeoutMs } = parameters
    const output = await withinDeadline({ timeoutMs }, context, async (signal) => {
      try {
        const files = await packedFiles(from, to, { parameters, signal })
        return await packed(files, to, { parameters, context, signal })
      } catch (thrown) {
        throw fileError(thrown, parameters.from)
      }
    })
    context.log({ level: 'info', stream: 'task', text: `${output.files} files → ${to}` })
    return completed(output)
  },
}

type Packed = Pick<FoundFile, 'path' | 'name' | 'bytes'>

async function packedFiles(
  from: string,
  to: string,
  { parameters, signal }: { readonly parameters: ZipFilesParameters; readonly signal: AbortSignal },
): Promise<readonly Packed[]> {
  const { pattern, maxFiles, maxBytes } = parameters
  const source = await lstat(from)
  const found: readonly Packed[] = source.isFile()
    ? [{ path: from, name: basename(from), bytes: source.size }]
    : await foundFiles(from, { pattern, kinds: 'files', hidden: false, maxEntries: maxFiles, signal })
  // Links would bring in what lies elsewhere; an archive within its own folder is not packed into itself.
  const files = found.filter((file) => file.path !== to && (!('kind' in file) || file.kind === 'file'))
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  if (bytes <= maxBytes) return files.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  throw new SagasmithError('task_output_too_large', {
    message: `“${parameters.from}” has ${bytes} bytes; this step packs up to ${maxBytes}.`,
    hint: 'Pack fewer files, or raise the limit in the node’s settings.',
    details: { bytes, maxBytes },
  })
}

async function packed(
  files: readonly Packed[],
  to: string,
  call: {
    readonly parameters: ZipFilesParameters
    readonly context: TaskContext
    readonly signal: AbortSignal
  },
) {
  const { parameters, context, signal } = call
  await mkdir(dirname(to), { recursive: true })
  const unfinished = unfinishedPath(to, context.idempotencyKey)
  const kept = await openKept(to, context.idempotencyKey, context.clock)
  try {
    await rm(unfinished, { force: true })
    const isThere = await exists(to)
    if (isThere && parameters.existing === 'fail' && !kept.isRepeated) throw isThereAlready(to)
    await written(files, unfinished, signal)
    if (isThere && parameters.keep && parameters.existing === 'replace') await kept.keepCopy()
    await placed(unfinished, to, isThere)
    const { size: bytes, mtimeMs } = await lstat(to)
    const made: FileChange = { kind: 'made', path: to, bytes, changedMs: mtimeMs }
    const was: readonly FileChange[] = (await kept.has()) ? [{ kind: 'kept', path: to, kept: kept.path }] : []
    return { path: to, files: files.length, bytes, undo: [...was, made] }
  } finally {
    await rm(unfinished, { force: true })
    await kept.finish()
  }
}

async function written(files: readonly Packed[], path: string, signal: AbortSignal): Promise<void> {
  // Loaded with the first archive.
  const { ZipFile } = await import('yazl')
  const archive = new ZipFile()
  const failed = new Promise<never>((_resolve, reject) => archive.once('error', reject))
  for (const file of files) archive.addFile(file.path, file.name)
  archive.end()
  const output = createWriteStream(path, { flags: 'wx', flush: true })
  await Promise.race([pipeline(archive.outputStream, output, { signal }), failed])
}

async function placed(staged: string, to: string, replaces: boolean): Promise<void> {
  if (replaces) return rename(staged, to)
  await link(staged, to).catch(async (thrown: unknown) => {
    if (errnoOf(thrown) === 'EEXIST') throw isThereAlready(to)
    await rename(staged, to)
  })
}

function isThereAlready(to: string): SagasmithError {
  return new SagasmithError('file_exists', { message: `“${to}” is there already.`, details: { path: to } })
}
