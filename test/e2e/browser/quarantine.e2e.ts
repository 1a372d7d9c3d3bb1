/** Results that the output policy holds back: why, and what a person decides about them. */

import type { Page } from '@playwright/test'
import { expect } from '@playwright/test'
import { barriers } from '../barriers.ts'
import { card } from '../designer-driver.ts'
import { putWorkflow, test } from './serving.ts'

/** Its result looks like a key of a cloud. */
const leaking = {
  format: 'sagasmith.workflow',
  schemaVersion: 1,
  id: 'wf_leaking',
  title: 'Read the settings',
  nodes: {
    read: { kind: 'transform', parameters: { expression: "{ 'key': 'AKIA' & 'QWERTYUIOPASDFGH' }" } },
  },
  edges: {},
  settings: { rollbackOn: [] },
  layout: { nodes: { read: { x: 0, y: 0 } } },
}

async function holdOne(page: Page): Promise<void> {
  await page.getByTestId('run-button').click()
  await expect(card(page, 'read')).toHaveAttribute('data-status', 'OUTPUT_QUARANTINED')
  await expect(card(page, 'read')).toContainText('rule “secret”')
  await expect(card(page, 'read').getByTestId('node-why')).toContainText('looks like a secret')
  await openPage(page)
}

async function openPage(page: Page): Promise<void> {
  await page.getByTestId('engine-button').click()
  await page.getByRole('tab', { name: 'Quarantine' }).click()
}

test('without the output policy the page says that nothing is judged', async ({ page, server }) => {
  await page.goto(server.url)
  await openPage(page)
  await expect(page.getByTestId('quarantine-empty')).toContainText('No result is held back')
})

test('results that are held back: one is looked at and released, one discarded for good', async ({
  page,
  serve,
  dataDirectory,
}) => {
  await putWorkflow(dataDirectory, 'leaking.json', leaking)
  const server = await serve({ SAGASMITH_OUTPUT_POLICY_ENABLED: 'true' })
  await page.goto(server.url)
  await page.getByText(leaking.title).first().click()

  await test.step('a result that is held back is looked at, and released', async () => {
    await holdOne(page)
    await expect(page.getByTestId('quarantine-row')).toHaveCount(1)
    await expect(page.getByTestId('quarantine-reason')).toContainText('looks like a secret')
    // What was found is never quoted, and what is held is only shown to who asks.
    await expect(page.getByTestId('quarantine-findings')).toContainText('$.key')
    await expect(page.getByTestId('quarantine-detail')).not.toContainText('AKIAQWERTY')
    expect(await barriers(page)).toEqual([])
    await page.getByTestId('quarantine-look').click()
    await expect(page.getByTestId('quarantine-content')).toContainText('AKIAQWERTYUIOPASDFGH')
    await page.getByTestId('quarantine-release').click()
    await page.getByTestId('reason-text').fill('A test key')
    await page.getByTestId('reason-send').click()
    await expect(page.getByTestId('quarantine-empty')).toBeVisible()
    await page.getByRole('button', { name: 'Back to the workflow' }).click()
    await expect(card(page, 'read')).toHaveAttribute('data-status', 'SUCCESS')
  })

  await test.step('a result that is held back is discarded for good', async () => {
    await holdOne(page)
    await page.getByTestId('quarantine-discard').click()
    await expect(page.getByTestId('reason-dialog')).toContainText('can’t be undone')
    await page.getByTestId('reason-send').click()
    await expect(page.getByTestId('quarantine-empty')).toBeVisible()
  })
})
