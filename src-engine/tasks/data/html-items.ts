/** What a page has: named texts and attributes of it, or of each place in it. */

import { SagasmithError } from '../../model/errors.ts'
import type { JsonValue } from '../../model/json.ts'
import { htmlFields, openHtmlPage } from './html-page.ts'

/** What is taken out of a page. */
export interface HtmlWanted {
  /** CSS selector of what is an item; blank for the page itself. */
  readonly each: string
  readonly fields: Readonly<Record<string, string>>
  readonly maxItems: number
}

/** An object of the fields, or `{ items, count }`. Throws `task_output_too_large` when there are more items. */
export async function htmlItems(html: string, { each, fields, maxItems }: HtmlWanted): Promise<JsonValue> {
  const page = await openHtmlPage(html)
  const itemOf = htmlFields(page, fields)
  if (each.trim() === '') return itemOf(page.root)
  const found = page.all(each)
  if (found.length > maxItems) throw tooMany(found.length, maxItems)
  return { items: found.map(itemOf), count: found.length }
}

function tooMany(count: number, maxItems: number): SagasmithError {
  return new SagasmithError('task_output_too_large', {
    message: `The page has ${count} of these; this step takes up to ${maxItems}.`,
    hint: 'Narrow the selector, or raise the limit in the node’s settings.',
    details: { count, maxItems },
  })
}
