/** Triggers of a workflow in the inspector: added, switched off, previewed while they are written. */

import type { Locator, Page } from '@playwright/test'
import { expect } from '@playwright/test'
import { barriers } from '../barriers.ts'
import { documentOf, expectNoProblems, typeInto } from '../designer-driver.ts'
import { test } from './serving.ts'

interface Exported {
  readonly triggers?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

test('a schedule says in words when it starts, while it is written', async ({ page, server }) => {
  const trigger = await newSchedule(page, server.url)
  const words = trigger.getByTestId('schedule-words')
  await expect(words).toHaveText('every day at 09:00 in UTC')
  await expect(trigger.getByTestId('schedule-preview').locator('tr')).toHaveCount(10)

  await typeInto(page, 'triggers.cron.parameters.timeZone', 'Europe/Lisbon')
  await typeInto(page, 'triggers.cron.parameters.expression', '0 9 * * MON-FRI')
  await expect(words).toHaveText('every weekday at 09:00 in Lisbon')
  await expectNoProblems(page)
  expect(await barriers(page)).toEqual([])

  await typeInto(page, 'triggers.cron.parameters.expression', '0 99 * * *')
  await expect(trigger).toContainText('“99” is not among 0 to 23')
  await expect(words).toHaveCount(0)
  await typeInto(page, 'triggers.cron.parameters.expression', '30 9 * * MON-FRI')
  await expect(words).toHaveText('every weekday at 09:30 in Lisbon')

  await trigger.getByTestId('trigger-title').fill('Morning')
  await trigger.getByRole('checkbox', { name: 'On: Morning' }).uncheck()
  expect((JSON.parse(await documentOf(page)) as Exported).triggers).toEqual({
    cron: {
      kind: 'cron',
      title: 'Morning',
      enabled: false,
      parameters: { expression: '30 9 * * MON-FRI', timeZone: 'Europe/Lisbon' },
    },
  })
  await trigger.getByRole('button', { name: 'Remove Morning' }).click()
  await expect(trigger).toHaveCount(0)
  expect((JSON.parse(await documentOf(page)) as Exported).triggers).toBeUndefined()
})

test('the month of schedules has a page, which says how schedules come to be on it', async ({
  page,
  server,
}) => {
  await page.goto(server.url)
  await page.keyboard.press('F7')
  await page.getByRole('tab', { name: 'Schedules' }).click()
  const month = page.getByTestId('schedules-page')
  await expect(month).toContainText('No schedule is on.')
  const title = await month.getByTestId('schedules-month').textContent()
  await month.getByRole('button', { name: 'The month after' }).click()
  await expect(month.getByTestId('schedules-month')).not.toHaveText(title ?? '')
  await month.getByRole('button', { name: 'The month before' }).click()
  await expect(month.getByTestId('schedules-month')).toHaveText(title ?? '')
  expect(await barriers(page)).toEqual([])
})

test('published, a schedule is on the month’s page and starts runs', async ({ page, server }) => {
  await newSchedule(page, server.url)
  await typeInto(page, 'triggers.cron.parameters.expression', '* * * * * *')
  await expectNoProblems(page)
  await page.getByTestId('publish-here').click()
  await expect(page.getByText('Its trigger acts from now on.')).toBeVisible()
  await page.keyboard.press('F7')
  await page.getByRole('tab', { name: 'Schedules' }).click()
  await expect(page.getByTestId('schedules-page')).not.toContainText('No schedule is on.')
  expect(await barriers(page)).toEqual([])
  await page.getByRole('button', { name: 'Back to the workflow' }).click()
  await page.getByRole('tab', { name: 'Runs' }).click()
  await expect
    .poll(() => page.locator('[data-testid^="run-row-"][data-status="SUCCEEDED"]').count(), {
      timeout: 60_000,
    })
    .toBeGreaterThan(1)
})

/** A new workflow with a schedule, whose form is open. */
async function newSchedule(page: Page, url: string): Promise<Locator> {
  await page.goto(url)
  await page.getByTestId('new-workflow').click()
  await page.getByTestId('begin-transform').click()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await page.getByTestId('add-trigger').selectOption('cron')
  const trigger = page.getByTestId('trigger')
  await trigger.getByRole('button', { name: /^On a schedule/ }).click()
  return trigger
}
