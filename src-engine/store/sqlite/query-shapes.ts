/** The form of what loads and lists, for each kind of record. */

import type { ListQueries, LoadQueries, Page } from '../store.ts'

export type Loaders = {
  readonly [Kind in keyof LoadQueries]: (input: LoadQueries[Kind]['input']) => LoadQueries[Kind]['output']
}

export type Listers = {
  readonly [Kind in keyof ListQueries]: (
    filter: ListQueries[Kind]['filter'],
    page: Page,
  ) => readonly ListQueries[Kind]['item'][]
}
