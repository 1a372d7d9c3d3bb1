/** Pictures of workflows. */

import { parseDocument } from '../../model/read-document.ts'
import type { PictureApi } from '../../protocol/pictures.ts'
import type { Handlers } from './contract.ts'

/** Handlers of `pictures.*`. */
export const pictureHandlers = (): Handlers<keyof PictureApi> => ({
  'pictures.png': async ({ document, theme }) => {
    const parsed = parseDocument(document)
    if (!parsed.ok) throw parsed.error
    // Most engines are never asked for one.
    const { exportedWorkflow } = await import('../exchange/export-workflow.ts')
    const png = await exportedWorkflow(parsed.value.document, { format: 'png', theme })
    return { base64: Buffer.from(png).toString('base64') }
  },
})
