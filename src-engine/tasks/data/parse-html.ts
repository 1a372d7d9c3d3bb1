/** Takes values out of a page. Nothing of it runs, and nothing is fetched. */

import type { parseDocument as ParseDocument } from 'htmlparser2'
import { SagasmithError } from '../../model/errors.ts'
import type { JsonObject } from '../../model/json.ts'
import type { TaskRun } from '../task.ts'
import { completed } from '../task.ts'
import { checkLength } from './plain-data.ts'
import type { ParseHtmlParameters } from './spec.ts'

type Page = ReturnType<typeof ParseDocument>
type Inner = Page['children'][number]
type Place = Page | Inner
type Element = Extract<Inner, { readonly attribs: object }>

export const parseHtmlRun: TaskRun<ParseHtmlParameters> = {
  async execute({ html, each, fields, maxItems }, context) {
    checkLength(html)
    // Loaded with the first page.
    const [{ parseDocument, DomUtils }, { selectAll, selectOne }] = await Promise.all([
      import('htmlparser2'),
      import('css-select'),
    ])
    const page = parseDocument(html)
    const read = (field: Field, within: Place): string | null => {
      const found = field.selector === '' ? within : selectOne<Place, Element>(field.selector, within)
      if (found === null) return null
      if (field.attribute === 'html') return DomUtils.getInnerHTML(found).trim()
      if (field.attribute === null) return DomUtils.innerText(found).replace(/\s+/g, ' ').trim()
      return 'attribs' in found ? (found.attribs[field.attribute] ?? null) : null
    }
    const wanted = Object.entries(fields).map(([name, text]) => ({ name, field: fieldOf(text) }))
    const itemOf = (within: Place): JsonObject =>
      Object.fromEntries(wanted.map(({ name, field }) => [name, read(field, within)]))
    try {
      if (each.trim() === '') return completed(itemOf(page))
      const found = selectAll<Place, Element>(each, page)
      if (found.length > maxItems) throw tooMany(found.length, maxItems)
      context.log({ level: 'info', stream: 'task', text: `Found ${found.length}` })
      return completed({ items: found.map(itemOf), count: found.length })
    } catch (thrown) {
      throw selectorError(thrown)
    }
  },
}

interface Field {
  readonly selector: string
  /** Null for the text; `html` for what is inside. */
  readonly attribute: string | null
}

/** `a.title@href`: a selector, and an attribute behind the last `@` that is none of the selector's. */
function fieldOf(text: string): Field {
  const [, selector = text, attribute = null] = /^(.*)@([\w:-]+)\s*$/s.exec(text) ?? []
  return { selector: selector.trim(), attribute: attribute?.toLowerCase() ?? null }
}

function selectorError(thrown: unknown): unknown {
  if (thrown instanceof SagasmithError || !(thrown instanceof Error)) return thrown
  return new SagasmithError('task_input_invalid', {
    message: `A selector can’t be read: ${thrown.message}.`,
    hint: 'Write CSS selectors, such as table.orders td:nth-child(2).',
    details: { field: 'fields' },
    cause: thrown,
  })
}

function tooMany(count: number, maxItems: number): SagasmithError {
  return new SagasmithError('task_output_too_large', {
    message: `The page has ${count} of these; this step takes up to ${maxItems}.`,
    hint: 'Narrow the selector, or raise the limit in the node’s settings.',
    details: { count, maxItems },
  })
}
