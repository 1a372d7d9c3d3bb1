/** Pictures are workflows: let go of over the window, wherever, they open as what they were made of. */

import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expect } from '@playwright/test'
import { card, dragTask, dropFile, edges, middleOf, pane } from '../designer-driver.ts'
import type { Server } from './serving.ts'
import { runCli, test } from './serving.ts'

const orders = {
  ...{ format: 'sagasmith.workflow', schemaVersion: 1, id: 'wf_orders', title: 'Orders of the day' },
  nodes: {
    take: { kind: 'log', title: 'Take them', parameters: { message: 'A “ß” & <b>' } },
    sum: { kind: 'transform', title: 'Sum them up', parameters: { expression: '$sum(input.total)' } },
  },
  edges: { e: { from: { node: 'take', port: 'out' }, to: { node: 'sum', port: 'in' } } },
  notes: { n: { text: 'By **noon**.' } },
  layout: { nodes: { take: { x: 0, y: 0 }, sum: { x: 320, y: 0 } }, notes: { n: { x: 0, y: 160 } } },
}

interface Shop {
  readonly page: Page
  readonly server: Server
  readonly dataDirectory: string
}

async function opensItself(form: 'svg' | 'png', { page, server, dataDirectory }: Shop): Promise<void> {
  const path = join(dataDirectory, 'orders.json')
  await writeFile(path, JSON.stringify(orders))
  const made = await runCli(['export', path, '--to', form, '--out', join(dataDirectory, `made.${form}`)])
  expect(made).toMatchObject({ code: 0 })
  const picture = { name: `orders.${form}`, bytes: await readFile(join(dataDirectory, `made.${form}`)) }
  const isItself = async (): Promise<void> => {
    await expect(page.getByTestId('document-title')).toHaveValue('Orders of the day')
    await expect(card(page, 'take')).toContainText('A “ß” & <b>')
    await expect(card(page, 'sum')).toContainText('Sum them up')
    await expect(page.getByTestId('note-n').locator('b')).toHaveText('noon')
    await expect(edges(page)).toHaveCount(1)
  }

  // On the start page.
  await page.goto(server.url)
  await expect(page.getByTestId('sample-orders')).toBeVisible()
  await dropFile(page, picture)
  await isItself()
  await page.getByRole('button', { name: 'Close Orders of the day' }).click()

  // On the canvas of another workflow, which stays open beside it.
  await page.getByTestId('new-workflow').click()
  await dragTask(page, 'log', { x: 600, y: 400 })
  await dropFile(page, picture, await middleOf(pane(page)))
  await isItself()
  await expect(page.getByTestId('tabs').getByRole('button', { name: /^Close / })).toHaveCount(2)
}

async function opensNothing(page: Page): Promise<void> {
  await page.getByTestId('new-workflow').click()
  await expect(page.getByTestId('empty-canvas')).toBeVisible()
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"><rect width="4" height="4"/></svg>'
  await dropFile(page, { name: 'cat.svg', bytes: Buffer.from(svg) })
  await expect(page.getByTestId('toasts')).toContainText('There is no workflow in the picture.')
  await expect(page.getByTestId('toasts')).toContainText('Choose a picture that Sagasmith exported.')
  // It stays above a dialog that is opened meanwhile, and within reach.
  await page.keyboard.press('?')
  const told = page.getByRole('dialog').getByTestId('toasts').getByRole('alert')
  await told.filter({ hasText: 'There is no workflow' }).getByRole('button', { name: 'Dismiss' }).click()
  await expect(told.filter({ hasText: 'There is no workflow' })).toHaveCount(0)
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page.getByTestId('empty-canvas')).toBeVisible()
}

test('a picture (png) that is dropped on the start page, and on another workflow, opens its own', ({
  page,
  server,
  dataDirectory,
}) => opensItself('png', { page, server, dataDirectory }))

test('a picture (svg) that is dropped opens its own; one without a workflow opens nothing and says so', async ({
  page,
  server,
  dataDirectory,
}) => {
  await test.step('a picture (svg) that is dropped on the start page, and on another workflow, opens its own', () =>
    opensItself('svg', { page, server, dataDirectory }))
  await page.getByTestId('home-button').click()
  await test.step('a picture without a workflow opens nothing and says so', () => opensNothing(page))
})
