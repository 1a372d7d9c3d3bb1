/** Map: runs its body once per item of a list, several at a time, and hands on what each gave, in order. */

import { z } from 'zod'
import { lazily } from '../../model/lazily.ts'
import { mapItemsMax } from '../../model/limits.ts'
import { shortened, textParameter } from '../../model/summary.ts'
import type { TaskSpec } from '../../model/task-spec.ts'
import { singleOutput } from '../../model/task-spec.ts'

const parameters = lazily(() =>
  z.strictObject({
    items: z.unknown().default('').meta({
      title: 'Items',
      description: 'JSONata for a list; empty for the input itself.',
      widget: 'expression',
      language: 'jsonata',
      placeholder: 'input.orders',
    }),
    limit: z.int().min(1).max(mapItemsMax).default(10).meta({
      title: 'At a time',
      description: 'How many items are worked on at the same time.',
    }),
    batchSize: z.int().min(1).max(mapItemsMax).default(1).meta({
      title: 'Batch size',
      description: 'Above 1 the body gets lists of so many items instead of single ones.',
    }),
    tolerate: z.number().min(0).max(mapItemsMax).default(0).meta({
      title: 'Tolerate',
      description: 'How many items may fail before the map does.',
    }),
    tolerateUnit: z
      .enum(['items', 'percent'])
      .default('items')
      .meta({
        title: 'Counted in',
        choices: { items: { title: 'Items' }, percent: { title: 'Percent of all items' } },
      }),
    key: z.string().max(4_096).default('').meta({
      title: 'Key of an item',
      description:
        'JSONata over `item` (and `index`) for a text or number to know it by; empty for its number.',
      widget: 'code',
      language: 'jsonata',
      expressions: false,
      placeholder: 'item.id',
      group: 'Keys',
    }),
    onDuplicate: z
      .enum(['fail', 'first', 'last'])
      .default('fail')
      .meta({
        title: 'Of items with the same key',
        group: 'Keys',
        choices: {
          fail: { title: 'None: the map fails', hint: 'Before anything is worked on.' },
          first: { title: 'Only the first is worked on' },
          last: { title: 'Only the last is worked on' },
        },
      }),
    onAgain: z
      .enum(['all', 'rest'])
      .default('all')
      .meta({
        title: 'When the run goes on from here',
        group: 'Keys',
        choices: {
          all: { title: 'All items are worked on anew' },
          rest: {
            title: 'Only what wasn’t done',
            hint: 'Items with the same key and the same content keep what they gave.',
          },
        },
      }),
    gives: z
      .enum(['list', 'object'])
      .default('list')
      .meta({
        title: 'Hands on, with keys',
        group: 'Keys',
        choices: {
          list: { title: 'A list in the order of the items' },
          object: { title: 'An object by key', hint: 'What failed has its error there.' },
        },
      }),
  }),
)

/** The resolved parameters of a map; `items` is its expression's value. */
export type MapParameters = z.infer<ReturnType<typeof parameters>>

export const mapSpec = {
  kind: 'map',
  title: 'Map',
  description: 'Runs the steps inside it once per item of a list, several at a time, and keeps their order.',
  icon: 'list-tree',
  category: 'flow',
  keywords: ['map', 'for each', 'foreach', 'items', 'list', 'batch', 'fan out', 'parallel'],
  get parameters() {
    return parameters()
  },
  defaults: { items: '', limit: 10 },
  hasInput: true,
  outputs: () => singleOutput,
  sideEffect: 'pure',
  execution: 'runner',
  summary: (raw) => shortened(`each of ${textParameter(raw, 'items', 'the input')}`),
} satisfies TaskSpec<MapParameters>
