/** Whether the books of the three services fit each other, and the ends of the runs. */

import type { RunStatus } from '../../src-engine/model/run-status.ts'
import type { Movement, ReadBook } from './book.ts'

/** How a run ended; its id is the number of its order. */
export interface RunEnd {
  readonly runId: string
  readonly status: RunStatus
}

/** What an order that went through has in the books, once each. */
const deals = ['order', 'reservation', 'charge', 'confirmation'] as const

/** How often something was done for an order, and undone. */
interface Count {
  readonly done: number
  readonly undone: number
}

const nothing: Count = { done: 0, undone: 0 }

/** By order and deal. */
type Counts = ReadonlyMap<string, Count>

const keyOf = ({ order, deal }: Pick<Movement, 'order' | 'deal'>): string => `${order} ${deal}`

/** Everything that doesn't balance, in words; empty when all is well. */
export function checkBooks(
  books: Readonly<Record<string, ReadBook>>,
  ends: readonly RunEnd[],
): readonly string[] {
  const found: string[] = []
  const movements = Object.values(books).flatMap((book) => book.movements)
  const counts = countsOf(movements)
  for (const [service, { movements: own, told }] of Object.entries(books)) {
    found.push(...checkSums(service, own, counts))
    if ((told['key-reused'] ?? 0) > 0) found.push(`${service}: a key was used for two requests`)
  }
  const strangers = new Set(movements.map(({ order }) => order))
  for (const end of ends) {
    strangers.delete(end.runId)
    found.push(...checkOrder(end.runId, counts), ...checkEnd(end, counts))
  }
  for (const order of strangers) found.push(`${order} is in the books, but there was no such run`)
  return found
}

/** A movement has two legs. */
function countsOf(movements: readonly Movement[]): Counts {
  const counts = new Map<string, Count>()
  for (const [key, own] of Map.groupBy(movements, keyOf)) {
    const done = own.filter(({ kind }) => kind === 'done').length / 2
    counts.set(key, { done, undone: own.length / 2 - done })
  }
  return counts
}

const countOf = (counts: Counts, order: string, deal: string): Count =>
  counts.get(keyOf({ order, deal })) ?? nothing

const standing = ({ done, undone }: Count): number => done - undone

const sumOf = (movements: readonly Movement[]): number =>
  movements.reduce((total, { amount }) => total + amount, 0)

/** What leaves an account comes to another one; and what stands on it is what its open deals put there. */
function checkSums(service: string, movements: readonly Movement[], counts: Counts): readonly string[] {
  const found: string[] = []
  const total = sumOf(movements)
  if (total !== 0) found.push(`${service}: its accounts add up to ${total}`)
  for (const [account, own] of Map.groupBy(movements, (movement) => movement.account)) {
    const open = own.filter(
      ({ order, deal, kind }) => kind === 'done' && standing(countOf(counts, order, deal)) > 0,
    )
    const [balance, expected] = [sumOf(own), sumOf(open)]
    if (balance !== expected)
      found.push(`${service}: ${account} has ${balance}, its open deals say ${expected}`)
  }
  return found
}

/** Whatever became of its run: nothing twice, and nothing without an order. */
function checkOrder(order: string, counts: Counts): readonly string[] {
  const found: string[] = []
  for (const deal of deals) {
    const { done, undone } = countOf(counts, order, deal)
    if (done > 1) found.push(`${order}: its ${deal} was made ${done} times`)
    if (undone > done) found.push(`${order}: its ${deal} was undone ${undone} times, and made ${done} times`)
  }
  if (standing(countOf(counts, order, 'order')) > 0) return found
  for (const deal of ['reservation', 'charge']) {
    if (standing(countOf(counts, order, deal)) > 0) found.push(`${order}: a ${deal} stands without an order`)
  }
  return found
}

const endings: ReadonlySet<RunStatus> = new Set(['SUCCEEDED', 'COMPENSATED', 'FAILED', 'CANCELLED'])

/** All of it stands, or nothing. */
function checkEnd({ runId, status }: RunEnd, counts: Counts): readonly string[] {
  if (!endings.has(status)) return [`${runId} ended ${status}`]
  const wanted = status === 'SUCCEEDED' ? 1 : 0
  return deals.flatMap((deal) => {
    const left = standing(countOf(counts, runId, deal))
    return left === wanted ? [] : [`${runId} is ${status}: its ${deal} stands ${left} times`]
  })
}
