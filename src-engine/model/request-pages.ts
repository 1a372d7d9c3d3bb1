/** How an HTTP request goes on from one page of an answer to the next, and where it stops. Pure. */

import { z } from 'zod'
import { lazily } from './lazily.ts'
import { taskOutputBytesMax } from './limits.ts'

const answerSeen = 'It sees `body`, `headers` and `status` of the page.'

/** What all ways of going on have in common: where the items are, and how many of them there may be. */
const pageLimits = lazily(() => ({
  items: z
    .string()
    .default('')
    .meta({
      title: 'Items',
      description: `JSONata for the list in a page. Empty: the page itself. ${answerSeen}`,
      language: 'jsonata',
      expressions: false,
      placeholder: 'body.items',
    }),
  maxPages: z.int().min(1).max(10_000).default(100).meta({ title: 'Most pages' }),
  maxItems: z.int().min(1).max(1_000_000).default(10_000).meta({ title: 'Most items' }),
  maxBytes: z.int().min(1).max(taskOutputBytesMax).default(taskOutputBytesMax).meta({
    title: 'Most bytes',
    description: 'Of all pages together.',
  }),
  whenMore: z
    .enum(['fail', 'cut'])
    .default('fail')
    .meta({
      title: 'If there are more',
      choices: {
        fail: { title: 'The step fails' },
        cut: { title: 'Keep what came', hint: 'The output says “isCut”.' },
      },
    }),
}))

const pageParameter = z.string().min(1)

/** Whether and how pages follow each other. */
export const pagesField = lazily(() =>
  z
    .discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('none') }).meta({ title: 'No, one answer' }),
      z
        .strictObject({
          kind: z.literal('cursor'),
          next: z
            .string()
            .min(1)
            .meta({
              title: 'Cursor',
              description: `JSONata for what leads to the next page; nothing or false after the last. ${answerSeen}`,
              language: 'jsonata',
              expressions: false,
              placeholder: 'body.meta.next_cursor',
            }),
          sendAs: z
            .enum(['query', 'body', 'address'])
            .default('query')
            .meta({
              title: 'Send it as',
              choices: {
                query: { title: 'A part of the address' },
                body: { title: 'A field of the JSON body' },
                address: { title: 'The next address itself' },
              },
            }),
          name: pageParameter.default('cursor').meta({
            title: 'Name',
            when: { sendAs: ['query', 'body'] },
          }),
          ...pageLimits(),
        })
        .meta({ title: 'By a cursor' }),
      z
        .strictObject({ kind: z.literal('link'), ...pageLimits() })
        .meta({ title: 'By the Link header (rel="next")' }),
      z
        .strictObject({
          kind: z.literal('number'),
          name: pageParameter.default('page').meta({ title: 'Name', placeholder: 'offset' }),
          start: z.int().min(0).default(1).meta({ title: 'Start at' }),
          step: z.int().min(1).default(1).meta({
            title: 'Add per page',
            description: '1 for page numbers; the size of a page for offsets.',
          }),
          size: z.int().min(0).default(0).meta({
            title: 'Items of a full page',
            description: 'A page with fewer is the last. 0: the first page without any is.',
          }),
          ...pageLimits(),
        })
        .meta({ title: 'By page number or offset' }),
    ])
    .default({ kind: 'none' })
    .meta({
      title: 'Read page after page',
      description: 'The items of all pages become one list. Each address is checked like the first.',
      group: 'Pages',
    }),
)

/** How a request goes from page to page. */
export type RequestPages = Exclude<z.infer<ReturnType<typeof pagesField>>, { readonly kind: 'none' }>
