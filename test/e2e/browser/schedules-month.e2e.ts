/** A month of real schedules: what starts on which day, what meets, what waits, what clocks and short months do. */

import type { Page } from '@playwright/test'
import { expect } from '@playwright/test'
import { barriers } from '../barriers.ts'
import { runAndWait } from '../designer-driver.ts'
import { putWorkflow, test } from './serving.ts'

test.use({ timezoneId: 'Europe/Berlin' })

const schedule = (title: string, expression: string, changes: object = {}) => ({
  ...{ kind: 'cron', title, parameters: { expression, timeZone: 'Europe/Berlin', ...changes } },
})

/** Its runs take two seconds, and are wanted each second for a while on the first of each month. */
const workflow = {
  ...{ format: 'sagasmith.workflow', schemaVersion: 1, id: 'wf_month', title: 'A month of work' },
  nodes: { wait: { kind: 'delay', parameters: { amount: 2, unit: 'seconds' } } },
  edges: {},
  triggers: {
    night: schedule('Night', '30 2 * * *'),
    copy: schedule('Copy', '30 2 1-31 * *'),
    last: schedule('Last days', '0 12 31 * *'),
    burst: schedule('Burst', '0-9 0 9 1 * *', { overlap: 'queue' }),
    dense: schedule('Dense', '0-9 0 9 2 * *', { overlap: 'skip' }),
  },
}

test('the calendar of a month with overlaps, waits, skips, changing clocks and a day that is missing', async ({
  page,
  server,
  dataDirectory,
}) => {
  await putWorkflow(dataDirectory, 'month.json', workflow)
  await page.goto(server.url)
  await page.getByText(workflow.title).first().click()
  await page.getByTestId('edge-publish').click()
  await expect(page.getByTestId('trigger-publication')).toHaveCount(0)
  // How long a run takes is known once one has ended.
  await runAndWait(page, 'SUCCEEDED')
  await page.getByTestId('trigger-card-night').locator('[data-stop]').click()
  await page.getByTestId('schedule-month').click()
  await expect(page.getByTestId('schedules-table')).toContainText('every day at 02:30 in Berlin')

  const year = await goTo(page, 'March')
  const day = (date: string) => page.getByTestId(`day-${year}-${date}`)
  await expect(day('03-01')).toContainText('12 starts')
  await expect(day('03-01')).toContainText(/\d+ wait, up to /)
  await expect(day('03-02')).toContainText('skipped: the run before goes on')
  await expect(day('03-10')).toContainText('2 starts')
  await expect(day('03-10')).toContainText('2 at once')
  await expect(day('03-31')).toContainText('3 starts')
  const change = day(`03-${lastSunday(year, 3)}`)
  await expect(change).toContainText('clocks go forward')
  await expect(change).toContainText(/moved: .*Copy, .*Night/)
  expect(await barriers(page)).toEqual([])

  await page.getByRole('button', { name: 'The month after' }).click()
  await expect(page.getByTestId('schedules-month')).toHaveText(`April ${year}`)
  await expect(day('04-30')).toContainText(/not this month: .*Last days/)
})

/** Turns pages until a month to come is shown; gives its year. */
async function goTo(page: Page, month: string): Promise<number> {
  const title = page.getByTestId('schedules-month')
  for (let pages = 0; pages < 13; pages += 1) {
    const [name, year] = ((await title.textContent()) ?? '').split(' ')
    if (name === month && pages > 0) return Number(year)
    await page.getByRole('button', { name: 'The month after' }).click()
    await expect(title).not.toHaveText(`${name} ${year}`)
  }
  throw new Error(`There was no ${month} among the next months.`)
}

/** 29 for March 2026. */
function lastSunday(year: number, month: number): string {
  const last = new Date(Date.UTC(year, month, 0))
  return String(last.getUTCDate() - last.getUTCDay()).padStart(2, '0')
}
