/** Reading texts whose parsers take long on some of them: what is asked, and how it is answered wherever that happens. */

import type { JsonValue } from '../../model/json.ts'
import type { HtmlRowsWanted } from '../read-rows/html-batch.ts'
import { htmlBatch } from '../read-rows/html-batch.ts'
import type { HtmlWanted } from './html-items.ts'
import { htmlItems } from './html-items.ts'
import { parsedXml } from './xml.ts'
import { parsedYaml } from './yaml.ts'

/** A text, and what is wanted of it. */
export type TextRequest =
  | { readonly kind: 'yaml'; readonly text: string; readonly linesBefore: number }
  | { readonly kind: 'xml'; readonly text: string; readonly lists: readonly string[] }
  | { readonly kind: 'html'; readonly text: string; readonly wanted: HtmlWanted }
  | { readonly kind: 'html-rows'; readonly text: string; readonly wanted: HtmlRowsWanted }

/** Reads it here and now, however long that takes. Throws what each of the readers throws. */
export async function readHere(request: TextRequest): Promise<JsonValue> {
  switch (request.kind) {
    case 'yaml':
      return parsedYaml(request.text, request.linesBefore)
    case 'xml':
      return parsedXml(request.text, request.lists)
    case 'html':
      return htmlItems(request.text, request.wanted)
    default:
      return htmlBatch(request.text, request.wanted)
  }
}
