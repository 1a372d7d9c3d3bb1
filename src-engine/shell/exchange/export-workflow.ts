/** A workflow in the forms that it is exported to. */

import { canonicalDocument } from '../../model/canonical-document.ts'
import { writeCode } from '../../model/code/write-code.ts'
import { drawSvg } from '../../model/picture/draw-svg.ts'
import type { PictureTheme } from '../../model/picture/picture-colors.ts'
import { plainText } from '../../model/picture/plain-text.ts'
import { withPngText } from '../../model/picture/png-document.ts'
import type { WorkflowDocument } from '../../model/workflow.ts'
import { taskSpecsByKind } from '../../tasks/specs.ts'
import { triggerSpecsByKind } from '../../triggers/specs.ts'

export const exportFormats = ['json', 'ts', 'svg', 'png'] as const
export type ExportFormat = (typeof exportFormats)[number]

export interface ExportWish {
  readonly format: ExportFormat
  /** Of pictures. */
  readonly theme: PictureTheme
}

/** Whether a text names a form. */
export const isExportFormat = (text: unknown): text is ExportFormat =>
  exportFormats.some((format) => format === text)

/** The kinds that code can name with types. */
const knownKinds = { tasks: taskSpecsByKind, triggers: triggerSpecsByKind } as const

/** Text, or the bytes of a picture. Throws `picture_too_large`. */
export async function exportedWorkflow(
  document: WorkflowDocument,
  { format, theme }: ExportWish,
): Promise<string | Uint8Array> {
  if (format === 'json') return canonicalDocument(document)
  if (format === 'ts') return writeCode(document, knownKinds)
  const svg = drawSvg(document, { specs: taskSpecsByKind, theme })
  if (format === 'svg') return svg
  // It is large, and only pictures need it.
  const { renderPng } = await import('./render-png.ts')
  return withPngText(await renderPng(svg), plainText(document))
}
