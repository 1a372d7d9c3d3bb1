/** A workflow with passwords in its fields is handed over without them, and finds those of another vault. */

import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expect } from '@playwright/test'
import { barriers } from '../barriers.ts'
import { card, dropFile } from '../designer-driver.ts'
import { handedOver } from '../handed-over.ts'
import { putWorkflow, test } from './serving.ts'

const [token, cookie] = ['canary-4713-token', 'canary-4714-cookie']
const shop = {
  ...{ format: 'sagasmith.workflow', schemaVersion: 1, id: 'wf_shop', title: 'Ask the shop', edges: {} },
  nodes: {
    ask: {
      kind: 'http-request',
      title: 'Ask for orders',
      parameters: { url: 'https://shop.example/orders', headers: { Authorization: `Bearer ${token}` } },
      mocks: { usual: { output: { cookie } } },
    },
  },
  mockSets: { usual: {} },
  layout: { nodes: { ask: { x: 0, y: 0 } } },
}

/** Asks for an export by the palette. */
async function wish(page: Page, title: string): Promise<void> {
  await page.keyboard.press('ControlOrMeta+k')
  await page.keyboard.insertText(title)
  await page.keyboard.press('Enter')
}

/** The stand-in's system has no keyring: there the vault takes a passphrase. */
async function unlock(page: Page): Promise<void> {
  await page.keyboard.press('ControlOrMeta+Alt+k')
  await page.getByTestId('vault-passphrase').fill('four words of nonsense')
  await page.getByTestId('vault-unlock').click()
  await expect(page.getByTestId('vault-notice')).toHaveCount(0)
}

test('secrets in fields are named before an export, left out of it, and matched with the vault where it arrives', async ({
  page,
  app,
  server,
  dataDirectory,
}) => {
  const given = async (button: string): Promise<Buffer> =>
    (await handedOver(page, () => page.getByTestId(button).click())).content
  const path = await putWorkflow(dataDirectory, 'shop.json', shop)
  await page.goto(server.url)
  await page.getByText('Ask the shop').first().click()
  await expect(card(page, 'ask')).toBeVisible()

  // What stands in it is told before anything leaves, without the values, and each leads to its field.
  await wish(page, 'Export as JSON')
  const dialog = page.getByTestId('export-dialog')
  await expect(dialog).toContainText('2 secrets stand in it in plain text')
  const rows = dialog.getByTestId('export-secrets').getByRole('listitem')
  await expect(rows).toHaveText([
    /Ask for orders\s*cookie\s*is left out/,
    /Ask for orders\s*Authorization\s*becomes\s*\{\{ secrets\.ASK_AUTHORIZATION \}\}/,
  ])
  await expect(dialog).not.toContainText('canary')
  expect(await barriers(page)).toEqual([])
  await rows.nth(1).getByRole('button').click()
  await expect(dialog).toHaveCount(0)
  await expect(page.getByTestId('field-parameters.headers')).toBeInViewport()

  // Without them in every form; as it is only when somebody says so.
  await wish(page, 'Export as JSON')
  await expect(page.getByTestId('export-without')).toBeFocused()
  const json = await given('export-without')
  expect(json.toString('utf8')).toContain('{{ secrets.ASK_AUTHORIZATION }}')
  expect(json.toString('utf8')).not.toContain('canary')
  await wish(page, 'Export as picture (PNG)')
  const picture = await given('export-without')
  await wish(page, 'Export as JSON')
  expect((await given('export-as-it-is')).toString('utf8')).toContain(token)
  expect(await readFile(path, 'utf8')).toContain(token)

  // Where it arrives it lacks a secret, and takes one of the vault there.
  if (app !== null) await unlock(page)
  await wish(page, 'Add a secret')
  await page.getByTestId('secret-name').fill('SHOP_LOGIN')
  await page.getByTestId('secret-value').fill('canary-4715-login')
  await page.getByTestId('secret-save').click()
  await expect(page.getByTestId('secret-SHOP_LOGIN')).toBeVisible()
  await page.getByTestId('home-button').click()
  await dropFile(page, { name: 'shop.png', bytes: picture })
  await page.getByTestId('arriving-copy').click()
  await page.getByTestId('toasts').getByRole('button', { name: 'Match …' }).click()
  const match = page.getByTestId('match-secrets')
  await expect(match.getByTestId('missing-ASK_AUTHORIZATION')).toContainText('Ask for orders')
  await expect(match.getByTestId('match-use')).toBeDisabled()
  expect(await barriers(page)).toEqual([])
  await match.getByLabel('Secret for ASK_AUTHORIZATION').selectOption('SHOP_LOGIN')
  await match.getByTestId('match-use').click()
  await card(page, 'ask').click()
  const header = page.getByTestId('field-parameters.headers').getByLabel('Value 1')
  await expect(header).toHaveValue('{{ secrets.SHOP_LOGIN }}')
  await page.getByTestId('undo-button').click()
  await expect(header).toHaveValue('{{ secrets.ASK_AUTHORIZATION }}')

  // Or the missing one is added, right there.
  await wish(page, 'Match its secrets')
  await match.getByRole('button', { name: 'Add ASK_AUTHORIZATION to the vault' }).click()
  await expect(page.getByTestId('secret-name')).toHaveValue('ASK_AUTHORIZATION')
  await page.getByTestId('secret-value').fill('canary-4716-login')
  await page.getByTestId('secret-save').click()
  await expect(match).toContainText('Every secret that this workflow names is in your vault.')
})
