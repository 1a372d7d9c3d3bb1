/** Orders that are taken in steps with effects, for specs about undoing them. */

import type { Page } from '@playwright/test'
import { expect } from '@playwright/test'
import { card } from './designer-driver.ts'

type Step = Readonly<Record<string, unknown>>

const writing = (title: string, path: string, content: string): Step => ({
  kind: 'write-file',
  title,
  parameters: { path, content },
})

/** The steps, as nothing undoes them. */
export const steps = {
  reserve: writing('Reserve', 'stock.txt', 'one'),
  charge: writing('Charge', 'bill.txt', 'paid'),
  mail: { kind: 'shell-command', title: 'Send the mail', parameters: { program: 'true' } },
  refund: writing('Refund', 'refund.txt', 'refunded'),
  /** Never does. */
  ship: { kind: 'debug', title: 'Ship', parameters: { failTimes: 9, failMessage: 'No carrier' } },
} as const

/** Undoes a step by a task that is tried once. */
const undoBy = (parameters: object, kind = 'write-file'): Step => ({
  task: { kind, parameters },
  retry: { maxAttempts: 1 },
})

/** Undoing that goes well, and undoing that never does. */
export const givesBack = undoBy({ path: 'undone.txt', content: 'undone' })
export const bankIsClosed = undoBy({ failTimes: 9, failMessage: 'The bank is closed' }, 'debug')
export const notCalledBack = { impossible: 'A mail can’t be called back' } as const

/** Names of the edges of a row, from the first. */
const edgeNames = ['one', 'two', 'three', 'four'] as const

/** A workflow of steps in a row, each leading to the next, and of steps that stand aside. */
export function orderOf(parts: {
  readonly row: Readonly<Record<string, Step>>
  readonly aside?: Readonly<Record<string, Step>>
}): { readonly title: string } & Step {
  const { row, aside = {} } = parts
  const ids = Object.keys(row)
  const edges = ids.slice(1).map((id, index) => {
    const ends = { from: { node: ids[index], port: 'out' }, to: { node: id, port: 'in' } }
    return [edgeNames[index] ?? `edge-${index}`, ends]
  })
  const places = [
    ...ids.map((id, index) => [id, { x: index * 300, y: 0 }]),
    ...Object.keys(aside).map((id, index) => [id, { x: 460 + index * 300, y: 240 }]),
  ]
  return {
    format: 'sagasmith.workflow',
    schemaVersion: 1,
    id: 'wf_order',
    title: 'Take the order',
    nodes: { ...row, ...aside },
    edges: Object.fromEntries(edges) as object,
    layout: { nodes: Object.fromEntries(places) as object },
  }
}

/** An order that can’t be shipped: two steps of it can be undone, one can’t. */
export const failingOrder = (refund: Step = givesBack) =>
  orderOf({
    row: {
      reserve: { ...steps.reserve, compensation: givesBack },
      charge: { ...steps.charge, compensation: refund },
      mail: { ...steps.mail, compensation: notCalledBack },
      ship: steps.ship,
    },
  })

/** Opens the order from the start page. */
export async function openOrder(page: Page, url: string, shows = 'ship'): Promise<void> {
  await page.goto(url)
  await page.getByText('Take the order').first().click()
  await expect(card(page, shows)).toBeVisible()
}
