/**
 * The book of one service, in a SQLite file of its own: what it did and undid for each order as entries that
 * add up to nothing, and what it answered to each key. A request's entries and its answer are one transaction.
 */

import Database from 'better-sqlite3'
import type { JsonObject } from '../../src-engine/model/json.ts'

/** What moves on one account, in whole units; the legs of a movement add up to nothing. */
export type Leg = readonly [account: string, amount: number]

export interface Answer {
  readonly status: number
  readonly body: JsonObject
}

/** A request that changes the book. */
export interface Order {
  readonly order: string
  readonly amount: number
  readonly quantity: number
  readonly card: string
  readonly sku: string
}

/** One thing that a service does for an order, and undoes. */
export interface Deal {
  /** Its name in the book, and in the word for what was done. */
  readonly name: string
  readonly doAt: string
  readonly undoAt: string
  readonly legs: (order: Order) => readonly Leg[]
  /** Why the service doesn't do it, in words; null when it does. */
  readonly refusal: (order: Order, book: Pick<Book, 'balanceOf'>) => string | null
}

export interface Movement {
  readonly order: string
  readonly deal: string
  readonly kind: 'done' | 'undone'
  readonly account: string
  readonly amount: number
}

/** What a service says of itself; each counts for a check that something was tried at all. */
export type Told = 'repeated' | 'key-reused' | 'undone-unseen' | 'done-too-late' | `fault-${string}`

export interface Book {
  readonly balanceOf: (account: string) => number
  /** Answers a request under its key: a known key gets the first answer, and nothing is done. */
  readonly answer: (request: BookRequest) => Answer
  readonly tell: (what: Told) => void
  readonly close: () => void
}

export interface BookRequest {
  readonly key: string
  readonly deal: Deal
  readonly wants: 'do' | 'undo'
  readonly order: Order
}

const schema = `
  create table if not exists entry (
    id integer primary key,
    order_id text not null,
    deal text not null,
    kind text not null,
    account text not null,
    amount integer not null
  ) strict;
  create index if not exists entry_account on entry (account, amount);
  create table if not exists deal (
    order_id text not null,
    deal text not null,
    state text not null,
    primary key (order_id, deal)
  ) strict;
  create table if not exists answer (
    key text primary key,
    request text not null,
    status integer not null,
    body text not null
  ) strict;
  create table if not exists told (what text primary key, count integer not null) strict;
`

export interface BookOptions {
  /** A planted fault: each request is taken as a new one, whatever its key. */
  readonly ignoresKeys?: boolean
}

/** Opens a book, or begins one. */
export function openBook(file: string, { ignoresKeys = false }: BookOptions = {}): Book {
  const data = new Database(file)
  data.pragma('journal_mode = wal')
  data.pragma('synchronous = normal')
  data.exec(schema)
  const sum = data.prepare<[string], { total: number | null }>(
    'select sum(amount) as total from entry where account = ?',
  )
  const known = data.prepare<[string], { request: string; status: number; body: string }>(
    'select request, status, body from answer where key = ?',
  )
  const keep = data.prepare('insert into answer (key, request, status, body) values (?, ?, ?, ?)')
  const count = data.prepare(
    'insert into told (what, count) values (?, 1) on conflict (what) do update set count = count + 1',
  )
  const tell = (what: Told): void => void count.run(what)
  const balanceOf = (account: string): number => sum.get(account)?.total ?? 0
  const work = createWork(data, { ignoresKeys, balanceOf, tell })
  const answer = data.transaction((request: BookRequest): Answer => {
    const { key, deal, wants, order } = request
    const text = JSON.stringify([deal.name, wants, order])
    const first = ignoresKeys ? undefined : known.get(key)
    if (first !== undefined && first.request !== text) {
      tell('key-reused')
      return { status: 422, body: { error: 'This key belongs to another request.' } }
    }
    if (first !== undefined) {
      tell('repeated')
      return { status: first.status, body: JSON.parse(first.body) as JsonObject }
    }
    const made = work(request)
    if (!ignoresKeys) keep.run(key, text, made.status, JSON.stringify(made.body))
    return made
  })
  return {
    balanceOf,
    tell,
    answer: (request) => answer.immediate(request),
    close: () => void data.close(),
  }
}

interface WorkParts extends Pick<Book, 'balanceOf' | 'tell'> {
  readonly ignoresKeys: boolean
}

/** What a request does to the book, without regard to its key. */
function createWork(
  data: Database.Database,
  { ignoresKeys, balanceOf, tell }: WorkParts,
): (request: BookRequest) => Answer {
  const state = data.prepare<[string, string], { state: string }>(
    'select state from deal where order_id = ? and deal = ?',
  )
  const move = data.prepare(
    'insert into deal (order_id, deal, state) values (?, ?, ?) on conflict (order_id, deal) do update set state = excluded.state',
  )
  const enter = data.prepare(
    'insert into entry (order_id, deal, kind, account, amount) values (?, ?, ?, ?, ?)',
  )
  const write = ({ deal, order }: BookRequest, kind: Movement['kind']): void => {
    for (const [account, amount] of deal.legs(order))
      enter.run(order.order, deal.name, kind, account, kind === 'done' ? amount : -amount)
    move.run(order.order, deal.name, kind)
  }
  return (request) => {
    const { deal, order, wants } = request
    const before = state.get(order.order, deal.name)?.state ?? null
    const done: Answer = { status: 200, body: { order: order.order, [deal.name]: wants === 'do' } }
    if (wants === 'undo') {
      // Whoever undoes first makes sure that it is never done: the request to do it may still be on its way.
      if (before === null) tell('undone-unseen')
      if (before === 'done' || (ignoresKeys && before === 'undone')) write(request, 'undone')
      else if (before === null) move.run(order.order, deal.name, 'undone')
      return done
    }
    if (before === 'undone' && !ignoresKeys) {
      tell('done-too-late')
      return { status: 409, body: { error: `The order ${order.order} was undone before.` } }
    }
    const refusal = deal.refusal(order, { balanceOf })
    if (refusal !== null) return { status: 409, body: { error: refusal } }
    if (before === 'done' && !ignoresKeys) return done
    write(request, 'done')
    return done
  }
}

/** Everything in the book, for whoever checks it. */
export interface ReadBook {
  readonly movements: readonly Movement[]
  readonly told: Readonly<Record<string, number>>
}

/** Reads a book that nobody writes to any more. */
export function readBook(file: string): ReadBook {
  const data = new Database(file, { readonly: true })
  try {
    const movements = data
      .prepare<[], Movement>('select order_id as "order", deal, kind, account, amount from entry order by id')
      .all()
    const told = data.prepare<[], { what: string; count: number }>('select what, count from told').all()
    return { movements, told: Object.fromEntries(told.map(({ what, count }) => [what, count])) }
  } finally {
    data.close()
  }
}
