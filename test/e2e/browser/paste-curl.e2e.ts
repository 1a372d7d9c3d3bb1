/** A curl command becomes a request by pasting it; its secret goes into the vault, and its pages become one list. */

import { readFile } from 'node:fs/promises'
import type { Server } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from '@playwright/test'
import { expect } from '@playwright/test'
import { barriers } from '../barriers.ts'
import { card, cards, openNode, runState, unfold } from '../designer-driver.ts'
import { putWorkflow, test } from './serving.ts'

const shopWorkflow = {
  ...{ format: 'sagasmith.workflow', schemaVersion: 1, id: 'wf_shop', title: 'Ask the shop', edges: {} },
  nodes: { ask: { kind: 'http-request', parameters: { method: 'GET', url: '' } } },
  capabilities: { hosts: ['127.0.0.1'] },
  layout: { nodes: { ask: { x: 0, y: 0 } } },
}
const token = 'canary-4712-token'
let shop: Server
let port = 0

test.beforeAll(async () => {
  shop = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://x')
    const after = Number(url.searchParams.get('after') ?? 0)
    const isKnown = request.headers.authorization === `Bearer ${token}`
    response.writeHead(isKnown ? 200 : 401, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ items: [after + 1, after + 2], next: after < 4 ? after + 2 : null }))
  })
  await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve))
  port = (shop.address() as AddressInfo).port
})
test.afterAll(() => {
  shop.closeAllConnections()
  shop.close()
})

async function pastedIntoTheField(page: Page, path: string): Promise<void> {
  await openNode(page, 'ask')
  const command = `curl -sS --insecure 'http://127.0.0.1:${port}/orders' -H 'Authorization: Bearer ${token}'`
  const address = page.getByTestId('field-parameters.url').getByRole('textbox')
  await address.focus()
  await address.evaluate((element, text) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', text)
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  }, command)

  const dialog = page.getByTestId('curl-dialog')
  await expect(dialog.getByTestId('curl-request')).toHaveText(`GET http://127.0.0.1:${port}/orders`)
  await expect(dialog.getByTestId('curl-left')).toHaveText(
    '--insecure: certificates are always checked; name a certificate authority of your own instead',
  )
  expect(await barriers(page)).toEqual([])
  await dialog.getByTestId('curl-keep').uncheck()
  await expect(dialog.getByTestId('curl-plain')).toContainText('in plain text')
  await dialog.getByTestId('curl-keep').check()
  await dialog.getByTestId('curl-secret-name').fill('SHOP_TOKEN')
  await dialog.getByTestId('curl-take').click()
  await expect(dialog).toHaveCount(0)
  await expect(address).toHaveValue(`http://127.0.0.1:${port}/orders`)
  await expect(page.locator('body')).not.toContainText(token)

  await unfold(page, 'Pages')
  await page
    .getByTestId('field-parameters.pages')
    .getByRole('combobox')
    .first()
    .selectOption({ label: 'By a cursor' })
  const write = (field: string, text: string) =>
    page.getByTestId(`field-parameters.pages.${field}`).getByRole('textbox').fill(text)
  await write('next', 'body.next')
  await write('name', 'after')
  await write('items', 'body.items')
  // What came from elsewhere reaches further: it is looked at before it runs.
  await page.getByTestId('run-button').click()
  await page.getByTestId('trust-confirm').click()
  await expect(page.getByTestId('trust-dialog')).toHaveCount(0)
  await page.getByTestId('run-button').click()
  await expect(runState(page)).toHaveAttribute('data-status', 'SUCCEEDED')
  await openNode(page, 'ask', 'Run data')
  await expect(page.getByTestId('run-output')).toContainText(/pages\D*3/)

  await page.keyboard.press('ControlOrMeta+s')
  await expect.poll(() => readFile(path, 'utf8')).toContain('{{ secrets.SHOP_TOKEN }}')
  expect(await readFile(path, 'utf8')).not.toContain(token)
}

async function pastedOntoTheCanvas(page: Page): Promise<void> {
  await card(page, 'ask').click()
  await page.evaluate((text) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', text)
    document.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  }, 'curl -X DELETE https://shop.example/orders/1')
  await expect(cards(page)).toHaveCount(2)
  await expect(cards(page).filter({ hasText: 'DELETE shop.example/orders/1' })).toHaveCount(1)
}

test('a curl command is pasted: into a field, and onto the canvas', async ({
  page,
  server,
  dataDirectory,
}) => {
  const path = await putWorkflow(dataDirectory, 'shop.json', shopWorkflow)
  await page.goto(server.url)
  await page.getByText(shopWorkflow.title).first().click()
  await test.step('pasted onto the canvas it is a step of its own, and nothing in it has to be asked about', () =>
    pastedOntoTheCanvas(page))
  await page.getByTestId('undo-button').click()
  await expect(cards(page)).toHaveCount(1)
  await test.step('a curl command is pasted, its token kept in the vault, and all pages are read', () =>
    pastedIntoTheField(page, path))
})
