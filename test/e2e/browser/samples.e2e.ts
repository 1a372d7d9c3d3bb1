/** The samples of the start page, each by its one button, and whether everybody can use what they see. */

import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expect } from '@playwright/test'
import { barriersInBothThemes } from '../barriers.ts'
import { card, openNode, runState } from '../designer-driver.ts'
import { test } from './serving.ts'

interface Sample {
  readonly name: string
  readonly status: string
  /** What it writes, relative to its copy in the workspace, with a word that must be in it. */
  readonly report: { readonly path: string; readonly holds: string } | null
}

const samples: readonly Sample[] = [
  { name: 'orders', status: 'SUCCEEDED', report: { path: 'out/orders-report.json', holds: 'total' } },
  { name: 'log-summary', status: 'SUCCEEDED', report: { path: 'out/log-summary.md', holds: '#' } },
  { name: 'inbox', status: 'SUCCEEDED', report: { path: 'out/ledger.jsonl', holds: 'takings' } },
  { name: 'order-saga', status: 'COMPENSATED', report: null },
]

/** Opens a sample and runs it by the button on its card. */
async function openAndRun(page: Page, { name, status }: Sample): Promise<void> {
  await page.getByTestId(`sample-${name}`).getByRole('button', { name: 'Open and run' }).click()
  await expect(runState(page)).toHaveAttribute('data-status', status)
}

/** What a sample that was run has written, or says of its failure. */
async function expectItsEnd(page: Page, { name, report }: Sample, workspace: string): Promise<void> {
  if (report !== null) {
    const text = await readFile(join(workspace, 'samples', name, report.path), 'utf8')
    expect(text).toContain(report.holds)
    return
  }
  await expect(page.getByTestId('run-error')).toContainText(/\w+/)
  await expect(card(page, 'ship')).toHaveAttribute('data-status', 'FAILED')
  await expect(card(page, 'charge_card')).toHaveAttribute('data-status', 'SUCCESS')
}

test('each opens and runs at once, but one that needs services of its own, which says so', async ({
  page,
  server,
  dataDirectory,
}) => {
  await page.goto(server.url)
  for (const sample of samples) {
    await test.step(`${sample.name} is ${sample.status}`, async () => {
      await openAndRun(page, sample)
      await expectItsEnd(page, sample, join(dataDirectory, 'workflows'))
      await page.getByTestId('home-button').click()
    })
  }
  const sample = page.getByTestId('sample-three-services')
  await expect(sample).toContainText('Needs services of its own.')
  await expect(sample.getByRole('button', { name: 'Open and run' })).toHaveCount(0)
  await sample.getByRole('button', { name: 'Open', exact: true }).click()
  await expect(page.getByTestId('document-title')).toHaveValue('An order through three services')
  await expect(runState(page)).toHaveCount(0)
})

async function nothingInTheWay(page: Page): Promise<void> {
  await expect(page.getByTestId('sample-orders')).toBeVisible()
  expect(await barriersInBothThemes(page)).toEqual([])

  await openAndRun(page, { name: 'order-saga', status: 'COMPENSATED', report: null })
  expect(await barriersInBothThemes(page)).toEqual([])

  await openNode(page, 'ship')
  await expect(page.getByTestId('field-parameters.failMessage')).toBeVisible()
  expect(await barriersInBothThemes(page)).toEqual([])
  await openNode(page, 'ship', 'Run data')
  await expect(page.getByTestId('run-error-card')).toBeVisible()
  await page.getByTestId('timeline-button').click()
  await expect(page.getByTestId('playhead')).toBeVisible()
  await page.getByRole('tab', { name: 'Runs' }).click()
  await expect(page.getByTestId('runs-list')).toBeVisible()
  await page.locator('[data-run]').first().focus()
  await page.keyboard.press('Space')
  await expect(page.getByTestId('bulk-bar')).toBeVisible()
  expect(await barriersInBothThemes(page)).toEqual([])

  await page.getByTestId('letters-button').click()
  await page.getByTestId('letter-edit').click()
  await expect(page.getByTestId('input-dialog').locator('.cm-content')).toBeVisible()
  expect(await barriersInBothThemes(page)).toEqual([])
  await page.keyboard.press('Escape')
  for (const [tab, table] of [
    ['Dead letters', 'letter-list'],
    ['Pools', 'pools-table'],
    ['Runners', 'runners-table'],
    ['Settings', 'settings-table'],
  ] as const) {
    await page.getByRole('tab', { name: tab }).click()
    await expect(page.getByTestId(table)).toBeVisible()
    expect(await barriersInBothThemes(page)).toEqual([])
  }
}

async function watchesByItself(page: Page, dataDirectory: string): Promise<void> {
  await page.getByTestId('sample-inbox').getByRole('button', { name: 'Open', exact: true }).click()
  await page.getByTestId('edge-publish').click()
  const trigger = page.getByTestId('trigger-card-new_sheet')
  await expect(trigger).toHaveAttribute('data-standing', 'acts')
  const folder = join(dataDirectory, 'workflows/samples/inbox')
  // What is there at the first look after publishing doesn't count: one sheet more until one does.
  let count = 0
  await expect(async () => {
    await writeFile(join(folder, `data/inbox/harvest-${(count += 1)}.csv`), 'pieces,price\n4,2.5\n')
    await expect(trigger.getByTestId('trigger-last')).toContainText('started', { timeout: 10_000 })
  }).toPass()
  await expect
    .poll(() => readFile(join(folder, 'out/ledger.jsonl'), 'utf8').catch(() => ''))
    .toContain(`harvest-${count}.csv","rows":1,"takings":10}`)
}

test('everybody can use what they see of them, and the inbox goes on by itself', async ({
  page,
  server,
  dataDirectory,
}) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto(server.url)
  await test.step('nothing keeps people from using it, in the dark and in the light', () =>
    nothingInTheWay(page))
  await page.getByRole('button', { name: 'Back to the workflow' }).click()
  await page.getByTestId('home-button').click()
  await test.step('the inbox watches by itself once it is published: the next sheet starts a run', () =>
    watchesByItself(page, dataDirectory))
})
