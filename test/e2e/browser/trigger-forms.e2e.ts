/** Forms that are more than fields: several conditions together, and a webhook that is tried out. */

import type { Page } from '@playwright/test'
import { expect } from '@playwright/test'
import { barriers } from '../barriers.ts'
import { documentOf, expectNoProblems, typeInto } from '../designer-driver.ts'
import { runCli, test } from './serving.ts'

async function severalConditions(page: Page, dataDirectory: string): Promise<void> {
  await page.getByTestId('new-workflow').click()
  await page.getByTestId('begin-transform').click()
  await page.getByTestId('edge-add').click()
  await page.getByTestId('trigger-kind-composite').click()
  const form = page.getByTestId('conditions')
  await form.getByTestId('add-condition').selectOption('new:event')
  await form.getByTestId('add-condition').selectOption('new:cron')
  await expect(form.getByTestId('condition-event')).toBeVisible()
  await expect(form.getByTestId('condition-cron')).toBeVisible()
  await form.getByTestId('mode-any').check({ force: true })
  await expect(form).toContainText('or')
  await form.getByTestId('mode-all').check({ force: true })
  await expect(form).toContainText('and')
  expect(await barriers(page)).toEqual([])

  await form.getByTestId('condition-event').getByTitle('Show its form').click()
  await typeInto(page, 'triggers.event.parameters.name', 'order.paid')
  await expect(page.getByTestId('trigger-card-event').getByTestId('trigger-part')).toContainText(
    'starts nothing by itself',
  )
  await expectNoProblems(page)
  const { triggers } = JSON.parse(await documentOf(page)) as { readonly triggers: Record<string, unknown> }
  expect(triggers['composite']).toEqual({
    ...{ kind: 'composite', parameters: { mode: 'all', conditions: ['event', 'cron'] } },
  })

  await page.getByTestId('edge-publish').click()
  const card = page.getByTestId('trigger-card-composite')
  await expect(card).toHaveAttribute('data-standing', 'acts')
  const emitted = ['event', 'emit', 'order.paid', '--payload', '{}', '--id', 'o7', '--data', dataDirectory]
  expect((await runCli(emitted)).code).toBe(0)
  await expect(card.getByTestId('trigger-waits')).toHaveText('waits for cron')
  await card.locator('[data-stop]').click()
  await expect(form.getByTestId('condition-event')).toContainText('has come')
  await expect(form.getByTestId('condition-cron')).toContainText('is waited for')
  await expect(page.getByTestId('trigger-waiting')).toContainText('event')
  expect(await barriers(page)).toEqual([])
  await page.getByTestId('trigger-clear').click()
  await expect(page.getByTestId('trigger-waiting')).toHaveCount(0)
}

async function tryWebhook(page: Page): Promise<void> {
  await page.getByTestId('new-workflow').click()
  await page.getByTestId('begin-transform').click()
  await page.getByTestId('palette-trigger-webhook').click()
  // Without a path it is not what can be published.
  await expect(page.getByTestId('publish-here')).toBeDisabled()
  await typeInto(page, 'triggers.webhook.parameters.path', 'orders')
  await page.getByTestId('field-triggers.webhook.parameters.auth').getByRole('combobox').selectOption({
    label: 'None: whoever knows the address',
  })
  await expectNoProblems(page)
  await expect(page.getByTestId('publish-here')).toBeEnabled()
  await expect(page.getByTestId('trigger-card-webhook').getByTestId('trigger-unsigned')).toBeVisible()
  await page.getByTestId('test-open').click()
  const address = page.getByTestId('test-url')
  await expect(address).toContainText('/orders')
  const call = await fetch((await address.textContent()) ?? '', {
    ...{ method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"order":7}' },
  })
  expect(call.status).toBe(202)
  const capture = page.getByTestId('capture')
  await expect(capture).toContainText('would start a run')
  await capture.getByRole('button').first().click()
  await expect(capture).toContainText('order')
  expect(await barriers(page)).toEqual([])
  await page.getByTestId('captures-clear').click()
  await expect(capture).toHaveCount(0)
  await page.getByRole('tab', { name: 'Runs' }).click()
  await expect(page.locator('[data-testid^="run-row-"]')).toHaveCount(0)
}

test('forms of triggers: several conditions together, and a webhook that is tried out', async ({
  page,
  server,
  dataDirectory,
}) => {
  await page.goto(server.url)
  await test.step('several conditions: added with their own forms, half met they wait in sight, and can be cleared', () =>
    severalConditions(page, dataDirectory))
  await page.getByTestId('home-button').click()
  await test.step('a webhook is tried out before it is published: what came is shown, and nothing starts', () =>
    tryWebhook(page))
})
