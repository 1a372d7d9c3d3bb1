/** Who decided what: every decision is in one list, with who and why, and leads to where it was made. */

import { expect } from '@playwright/test'
import { shipping } from '../approval-workflow.ts'
import { barriers } from '../barriers.ts'
import { card, runState } from '../designer-driver.ts'
import { putWorkflow, test } from './serving.ts'

test('decisions are listed with who and why, narrowed, and lead to their step', async ({
  page,
  server,
  dataDirectory,
}) => {
  await putWorkflow(dataDirectory, 'shipping.json', shipping)
  await page.goto(server.url)
  await page.getByTestId('engine-button').click()
  await page.getByRole('tab', { name: 'Audit' }).click()
  await expect(page.getByTestId('audit-page')).toContainText('Nobody has decided anything yet.')
  await page.getByRole('button', { name: 'Back to the workflow' }).click()

  await page.getByText(shipping.title).first().click()
  await page.getByTestId('run-button').click()
  await expect(card(page, 'ask')).toHaveAttribute('data-status', 'APPROVAL_REQUIRED')
  await page.getByTestId('pause-button').click()
  await page.getByTestId('resume-button').click()
  await page.getByTestId('approve-ask').click()
  await page.getByTestId('approval-person').fill('Anna')
  await page.getByTestId('approval-comment').fill('Too heavy')
  await page.getByTestId('approval-reject').click()
  await expect(runState(page)).toHaveAttribute('data-status', 'SUCCEEDED')

  await page.getByTestId('engine-button').click()
  await page.getByRole('tab', { name: 'Audit' }).click()
  const rows = page.getByTestId('audit-row')
  await expect(rows).toHaveCount(3)
  await expect(rows.first()).toContainText('Anna')
  await expect(rows.first()).toContainText('Rejected')
  await expect(rows.first()).toContainText('Too heavy')
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme)
    expect(await barriers(page)).toEqual([])
  }
  await page.getByTestId('audit-about').selectOption('rollback')
  await expect(page.getByTestId('audit-page')).toContainText('Nobody decided anything of that kind.')
  await page.getByTestId('audit-about').selectOption('')
  await page.getByTestId('audit-by').fill('Anna')
  await page.keyboard.press('Enter')
  await expect(rows).toHaveCount(1)
  await rows.getByRole('button').click()
  await expect(page.getByTestId('engine-page')).toHaveCount(0)
  await expect(page.getByTestId('run-decided')).toContainText('Rejected by Anna')
})
