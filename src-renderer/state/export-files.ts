/** The open workflow in other forms: as a file, on the clipboard; and files that carry one, taken in. */

import { canonicalDocument } from '../../src-engine/model/canonical-document.ts'
import type { PictureTheme } from '../../src-engine/model/picture/picture-colors.ts'
import type { WithoutSecrets } from '../../src-engine/model/plain-secrets.ts'
import { withoutSecrets } from '../../src-engine/model/plain-secrets.ts'
import type { WorkflowDocument } from '../../src-engine/model/workflow.ts'
import { taskSpecsByKind } from '../../src-engine/tasks/specs.ts'
import { triggerSpecsByKind } from '../../src-engine/triggers/specs.ts'
import { codeWords } from '../text/code-words.ts'
import { fill } from '../text/messages.ts'
import { bytesOf } from './base64.ts'
import { asJson } from './blank-document.ts'
import type { Designer } from './designer.ts'
import { attempt } from './designer.ts'
import type { ExportForm, ExportWish } from './export-wish.ts'
import { fileNameOf } from './files.ts'
import { shownDocument } from './selectors.ts'

/** The workflow that an export is about, as others may have it, and what stands in it in plain text. */
export function exportMaterial(designer: Designer): WithoutSecrets {
  return withoutSecrets(shownDocument(designer), designer.specs)
}

/** Hands the workflow over, or asks first what is to become of the secrets in it. */
export async function exportAs(designer: Designer, wish: ExportWish): Promise<void> {
  if (exportMaterial(designer).found.length > 0) designer.view.getState().askExport(wish)
  else await handOver(designer, wish, shownDocument(designer))
}

/** Hands it over as the person said. */
export async function exportAnswered(
  designer: Designer,
  wish: ExportWish,
  answer: 'as-it-is' | 'without-secrets',
): Promise<void> {
  designer.view.getState().askExport(null)
  const { document } = exportMaterial(designer)
  await handOver(designer, wish, answer === 'as-it-is' ? shownDocument(designer) : document)
}

async function handOver(designer: Designer, wish: ExportWish, document: WorkflowDocument): Promise<void> {
  const { view } = designer
  await attempt(designer, async () => {
    if (wish.to === 'clipboard') {
      await navigator.clipboard.writeText(await textAs(document, wish.form))
      view.getState().toast({ tone: 'good', message: codeWords.copied, hint: null })
      return
    }
    const { form } = wish
    const name = fileNameOf(document.title).replace(/\.json$/, `.${form}`)
    const content = form === 'png' ? await pngOf(designer, document) : await textAs(document, form)
    if (await designer.exchange.download(name, content))
      view.getState().announce(fill(codeWords.exported, { name }))
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
