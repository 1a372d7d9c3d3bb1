/** The workflow in a file's bytes: JSON, generated TypeScript, or a picture; told by what the bytes are. */

import { readCode } from '../code/read-code.ts'
import { defineFunction } from '../code/workflow-definition.ts'
import { SagasmithError } from '../errors.ts'
import { documentBytesMax } from '../limits.ts'
import type { ReadDocument } from '../read-document.ts'
import { readDocument } from '../read-document.ts'
import type { Result } from '../result.ts'
import { err } from '../result.ts'
import { isPng, pngText } from './png-document.ts'
import { isSvg, svgText } from './svg-document.ts'

export type WorkflowFileForm = 'json' | 'ts' | 'svg' | 'png'

export interface FoundWorkflow {
  readonly form: WorkflowFileForm
  readonly read: Result<ReadDocument>
}

/**
 * Finds the workflow. `decode` makes UTF-8 bytes text; the model has no decoder of its own. Refusals are those of
 * each form, beside `picture_unreadable` and `picture_too_large`.
 */
export function workflowInFile(bytes: Uint8Array, decode: (bytes: Uint8Array) => string): FoundWorkflow {
  try {
    if (isPng(bytes)) return { form: 'png', read: readDocument(pngText(bytes)) }
    if (isOtherPicture(bytes)) return { form: 'png', read: err(otherPicture()) }
    const text = decode(bytes)
    if (isSvg(text)) return { form: 'svg', read: readDocument(svgText(text)) }
    if (bytes.length > documentBytesMax) return { form: 'json', read: err(tooLarge(bytes.length)) }
    if (/^\ufeff?\s*[[{]/.test(text)) return { form: 'json', read: readDocument(text) }
    // What a module lacks is told to who writes one.
    if (!isModule(text)) return { form: 'json', read: err(noWorkflow(text)) }
    return { form: 'ts', read: readCode(text) }
  } catch (thrown) {
    if (!(thrown instanceof SagasmithError)) throw thrown
    return { form: isPng(bytes) ? 'png' : 'svg', read: err(thrown) }
  }
}

const beginnings = [
  // JPEG, GIF, WebP and its relatives, PDF.
  [0xff, 0xd8, 0xff],
  [0x47, 0x49, 0x46, 0x38],
  [0x52, 0x49, 0x46, 0x46],
  [0x25, 0x50, 0x44, 0x46],
] as const

const isOtherPicture = (bytes: Uint8Array): boolean =>
  beginnings.some((beginning) => beginning.every((byte, index) => bytes[index] === byte))

const otherPicture = (): SagasmithError =>
  new SagasmithError('picture_unreadable', {
    message: 'Pictures of this kind carry no workflow: only PNG and SVG do.',
  })

/** Also one that makes its workflow in a way of its own, which is told its place and what to do. */
const isModule = (text: string): boolean =>
  text.includes(defineFunction) || /^\s*export\s+default\b/m.test(text)

const noWorkflow = (text: string): SagasmithError =>
  new SagasmithError('document_invalid', {
    message: /\S/.test(text) ? 'There is no workflow in this text.' : 'There is nothing in it.',
    hint: 'A workflow is JSON that Sagasmith saved, code that calls `defineWorkflow`, or a picture that was exported here.',
  })

const tooLarge = (bytes: number): SagasmithError =>
  new SagasmithError('document_too_large', { details: { bytes, limit: documentBytesMax } })
