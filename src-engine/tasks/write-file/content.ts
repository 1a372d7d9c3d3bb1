/** What to write, as bytes. */

import { SagasmithError } from '../../model/errors.ts'
import { bytesOfText } from '../file-text.ts'
import { plainText } from '../json-text.ts'
import type { WriteFileParameters } from './spec.ts'

/** The bytes of the content in its format. Throws `task_input_invalid` when they don't go together. */
export function fileBytes(parameters: WriteFileParameters): Buffer {
  const { content, format, encoding } = parameters
  return format === 'base64' ? base64Bytes(content) : bytesOfText(textOf(parameters, content), encoding)
}

/** What a file that is begun anew has before its content. */
export function beginningBytes({ format, encoding, byteOrderMark }: WriteFileParameters): Buffer {
  const isMarked = byteOrderMark && format !== 'base64' && encoding !== 'latin1'
  return isMarked ? bytesOfText('\uFEFF', encoding) : Buffer.alloc(0)
}

function textOf({ format }: WriteFileParameters, content: unknown): string {
  if (format === 'json' || (format === 'auto' && typeof content !== 'string')) {
    return `${JSON.stringify(content, null, 2)}\n`
  }
  return format === 'jsonl' ? jsonLines(content) : plainText(content)
}

function jsonLines(content: unknown): string {
  const items: readonly unknown[] = Array.isArray(content) ? content : [content]
  return items.map((item) => `${JSON.stringify(item)}\n`).join('')
}

function base64Bytes(content: unknown): Buffer {
  const text = typeof content === 'string' ? content.replace(/\s/g, '') : null
  if (text === null || !/^[A-Za-z0-9+/_-]*={0,2}$/.test(text)) {
    throw new SagasmithError('task_input_invalid', {
      message: 'The content is not Base64 text.',
      hint: 'Hand on a Base64 text, or choose another format.',
      details: { field: 'content' },
    })
  }
  return Buffer.from(text, 'base64')
}
