/** Takes values out of a page. Nothing of it runs, and nothing is fetched. */

import { SagasmithError } from '../../model/errors.ts'
import type { TaskRun } from '../task.ts'
import { completed } from '../task.ts'
import { htmlFields, openHtmlPage } from './html-page.ts'
import type { ParseHtmlParameters } from './spec.ts'

export const parseHtmlRun: TaskRun<ParseHtmlParameters> = {
  async execute({ html, each, fields, maxItems }, context) {
    const page = await openHtmlPage(html)
    const itemOf = htmlFields(page, fields)
    if (each.trim() === '') return completed(itemOf(page.root))
    const found = page.all(each)
    if (found.length > maxItems) throw tooMany(found.length, maxItems)
    context.log({ level: 'info', stream: 'task', text: `Found ${found.length}` })
    return completed({ items: found.map(itemOf), count: found.length })
  },
}

function tooMany(count: number, maxItems: number): SagasmithError {
  return new SagasmithError('task_output_too_large', {
    message: `The page has ${count} of these; this step takes up to ${maxItems}.`,
    hint: 'Narrow the selector, or raise the limit in the node’s settings.',
    details: { count, maxItems },
  })
}
