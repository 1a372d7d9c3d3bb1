/** Takes values out of a page. Nothing of it runs, and nothing is fetched. */

import { isJsonObject } from '../../model/json.ts'
import type { TaskRun } from '../task.ts'
import { completed } from '../task.ts'
import { checkLength } from './plain-data.ts'
import type { ParseHtmlParameters } from './spec.ts'
import type { TextReader } from './text-reader.ts'

/** The step with what reads its page. */
export function createParseHtmlRun({ read }: TextReader): TaskRun<ParseHtmlParameters> {
  return {
    async execute({ html: text, each, fields, maxItems }, context) {
      checkLength(text)
      const found = await read({ kind: 'html', text, wanted: { each, fields, maxItems } }, context)
      if (each.trim() !== '' && isJsonObject(found))
        context.log({ level: 'info', stream: 'task', text: `Found ${JSON.stringify(found['count'])}` })
      return completed(found)
    },
  }
}
