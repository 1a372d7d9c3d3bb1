/** A page, and what stands in it by CSS selectors. Nothing of it runs, and nothing is fetched. */

import type { DomHandler as DomHandlerClass, parseDocument as ParseDocument } from 'htmlparser2'
import { SagasmithError } from '../../model/errors.ts'
import { htmlNestingMax } from '../../model/limits.ts'
import { checkLength, invalidData } from './plain-data.ts'

type Page = ReturnType<typeof ParseDocument>
type Inner = Page['children'][number]
/** The page, or anything in it. */
export type HtmlPlace = Page | Inner
/** An element of a page. */
export type HtmlElement = Extract<Inner, { readonly attribs: object }>

/** What is wanted of a place: `a.title@href`. */
interface HtmlField {
  readonly selector: string
  /** Null for the text; `html` for what is inside. */
  readonly attribute: string | null
}

/** A page that was read. Selectors that can't be read throw `task_input_invalid`. */
export interface HtmlPage {
  readonly root: HtmlPlace
  readonly all: (selector: string, within?: HtmlPlace) => readonly HtmlElement[]
  /** Null where nothing is. */
  readonly read: (field: HtmlField, within: HtmlPlace) => string | null
  readonly textOf: (place: HtmlPlace) => string
}

/** Reads a page. Throws `payload_too_large` for one that is too long to be read in one go, `data_invalid` for one too deep. */
export async function openHtmlPage(html: string): Promise<HtmlPage> {
  checkLength(html)
  // Loaded with the first page.
  const [{ DomHandler, DomUtils, Parser }, { selectAll, selectOne }] = await Promise.all([
    import('htmlparser2'),
    import('css-select'),
  ])
  const handler = new (bounded(DomHandler))()
  new Parser(handler).end(html)
  const { root } = handler
  const textOf = (place: HtmlPlace) => DomUtils.innerText(place).replace(/\s+/g, ' ').trim()
  return {
    root,
    textOf,
    all: (selector, within = root) => bySelector(() => selectAll<HtmlPlace, HtmlElement>(selector, within)),
    read: ({ selector, attribute }, within) => {
      const found =
        selector === '' ? within : bySelector(() => selectOne<HtmlPlace, HtmlElement>(selector, within))
      if (found === null) return null
      if (attribute === 'html') return DomUtils.getInnerHTML(found).trim()
      if (attribute === null) return textOf(found)
      return 'attribs' in found ? (found.attribs[attribute] ?? null) : null
    },
  }
}

/** Takes no deeper pages than what walks them can. */
function bounded(Handler: typeof DomHandlerClass): typeof DomHandlerClass {
  return class extends Handler {
    #depth = 0

    override onopentag(name: string, attributes: Record<string, string>): void {
      this.#depth += 1
      if (this.#depth > htmlNestingMax) throw invalidData(`it is nested more than ${htmlNestingMax} deep`)
      super.onopentag(name, attributes)
    }

    override onclosetag(): void {
      this.#depth -= 1
      super.onclosetag()
    }
  }
}

/** What reads the named fields of a place. */
export function htmlFields(
  page: HtmlPage,
  fields: Readonly<Record<string, string>>,
): (within: HtmlPlace) => Record<string, string | null> {
  const wanted = Object.entries(fields).map(([name, text]) => ({ name, field: fieldOf(text) }))
  return (within) => Object.fromEntries(wanted.map(({ name, field }) => [name, page.read(field, within)]))
}

/** `a.title@href`: a selector, and an attribute behind the last `@` that is none of the selector's. */
function fieldOf(text: string): HtmlField {
  const [, selector = text, attribute = null] = /^(.*)@([\w:-]+)\s*$/s.exec(text) ?? []
  return { selector: selector.trim(), attribute: attribute?.toLowerCase() ?? null }
}

function bySelector<T>(select: () => T): T {
  try {
    return select()
  } catch (thrown) {
    if (!(thrown instanceof Error)) throw thrown
    throw new SagasmithError('task_input_invalid', {
      message: `A selector can’t be read: ${thrown.message}.`,
      hint: 'Write CSS selectors, such as table.orders td:nth-child(2).',
      details: { field: 'fields' },
      cause: thrown,
    })
  }
}
