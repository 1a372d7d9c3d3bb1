/** A document's text with nothing in it but ASCII: no picture format, and no program on its way, changes it. */

import { canonicalDocument } from '../canonical-document.ts'
import type { WorkflowDocument } from '../workflow.ts'

/** The canonical text; other characters, which stand only inside of JSON's texts, are escaped there. */
export function plainText(document: WorkflowDocument): string {
  return canonicalDocument(document).replaceAll(
    /[^\n\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
