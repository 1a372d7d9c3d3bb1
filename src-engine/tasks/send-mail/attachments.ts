/** What goes with a mail, read within its limit before anything is sent. */

import { readFile, stat } from 'node:fs/promises'
import { SagasmithError } from '../../model/errors.ts'
import { filePlace } from '../file-place.ts'
import type { TaskContext } from '../task.ts'
import { fileError } from '../workflow-path.ts'
import type { SendMailParameters } from './spec.ts'

export interface ReadAttachment {
  readonly filename: string
  readonly content: Buffer
}

/** Throws `task_output_too_large` and what reading files throws. */
export async function readAttachments(
  { attachments, maxBytes }: Pick<SendMailParameters, 'attachments' | 'maxBytes'>,
  context: TaskContext,
): Promise<readonly ReadAttachment[]> {
  const read: ReadAttachment[] = []
  let left = maxBytes
  for (const attachment of attachments) {
    const content = await contentOf(attachment, left, context)
    left -= content.length
    if (left < 0) throw tooLarge(maxBytes)
    read.push({ filename: attachment.name, content })
  }
  return read
}

async function contentOf(
  { file, content, base64 }: SendMailParameters['attachments'][number],
  left: number,
  context: TaskContext,
): Promise<Buffer> {
  if (file.trim() === '') return Buffer.from(content, base64 ? 'base64' : 'utf8')
  const path = await filePlace(file, context, 'read')
  try {
    const { size } = await stat(path)
    if (size > left) throw tooLarge(left)
    return await readFile(path, { signal: context.signal })
  } catch (thrown) {
    throw fileError(thrown, file)
  }
}

function tooLarge(bytesMax: number): SagasmithError {
  return new SagasmithError('task_output_too_large', {
    message: `The attachments have more than ${bytesMax} bytes.`,
    hint: 'Send a link instead, pack the files, or raise the limit in the node’s settings.',
    details: { bytesMax },
  })
}
