/** The open workflow in other forms: as a file, on the clipboard; and files that carry one, taken in. */

import { canonicalDocument } from '../../src-engine/model/canonical-document.ts'
import type { PictureTheme } from '../../src-engine/model/picture/picture-colors.ts'
import type { WorkflowDocument } from '../../src-engine/model/workflow.ts'
import { taskSpecsByKind } from '../../src-engine/tasks/specs.ts'
import { triggerSpecsByKind } from '../../src-engine/triggers/specs.ts'
import { codeWords } from '../text/code-words.ts'
import { fill } from '../text/messages.ts'
import { bytesOf } from './base64.ts'
import { asJson } from './blank-document.ts'
import type { Designer } from './designer.ts'
import { attempt } from './designer.ts'
import { fileNameOf } from './files.ts'
import { shownDocument } from './selectors.ts'

export type ExportForm = 'json' | 'ts' | 'svg' | 'png'

/** Hands the workflow over as a file of that form. */
export async function exportAs(designer: Designer, form: ExportForm): Promise<void> {
  await attempt(designer, async () => {
    const document = shownDocument(designer)
    const name = fileNameOf(document.title).replace(/\.json$/, `.${form}`)
    const content = form === 'png' ? await pngOf(designer, document) : await textAs(document, form)
    designer.exchange.download(name, content)
    designer.view.getState().announce(fill(codeWords.exported, { name }))
  })
}

/** Puts the workflow's text on the clipboard. */
export async function copyAs(designer: Designer, form: 'json' | 'ts'): Promise<void> {
  await attempt(designer, async () => {
    await navigator.clipboard.writeText(await textAs(shownDocument(designer), form))
    designer.view.getState().toast({ tone: 'good', message: codeWords.copied, hint: null })
  })
}

/** What writes the other forms is loaded by those who want them. */
async function textAs(document: WorkflowDocument, form: Exclude<ExportForm, 'png'>): Promise<string> {
  if (form === 'json') return canonicalDocument(document)
  if (form === 'svg') {
    const { drawSvg } = await import('../../src-engine/model/picture/draw-svg.ts')
    return drawSvg(document, { specs: taskSpecsByKind, theme: themeNow() })
  }
  const { writeCode } = await import('../../src-engine/model/code/write-code.ts')
  return writeCode(document, { tasks: taskSpecsByKind, triggers: triggerSpecsByKind })
}

/** The engine draws it: here its fonts can't be put into a picture. */
async function pngOf({ connection }: Designer, document: WorkflowDocument): Promise<Uint8Array> {
  const picture = { document: asJson(document), theme: themeNow() }
  const { base64 } = await connection.call('pictures.png', picture)
  return bytesOf(base64)
}

/** As the person looks at it now. */
const themeNow = (): PictureTheme =>
  globalThis.document.documentElement.dataset['theme'] === 'dark' ? 'dark' : 'light'
