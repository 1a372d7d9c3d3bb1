/** What became of runs of a live cluster: taken back, by whom each step was done, which runs started which, and links to it. */

import type { Page } from '@playwright/test'
import { expect } from '@playwright/test'
import { barriers } from '../barriers.ts'
import { card, openNode, runState } from '../designer-driver.ts'
import { failingOrder } from '../order-saga.ts'
import { goesBackInOrder, recordedRewind, recordRewind } from '../rewind-recorder.ts'
import { lookAtCluster, openListed, pushAndRun, test } from './clusters.ts'
import { putWorkflow } from './serving.ts'

const head = { format: 'sagasmith.workflow', schemaVersion: 1, edges: {} }
const invoice = { ...head, id: 'wf_invoice', title: 'Write the invoice', nodes: { write: { kind: 'noop' } } }
const day = {
  ...head,
  id: 'wf_day',
  title: 'All of the day',
  nodes: {
    first: { kind: 'sub-workflow', parameters: { workflow: './invoice.json' } },
    second: { kind: 'sub-workflow', parameters: { workflow: './invoice.json' } },
  },
  layout: { nodes: { first: { x: 0, y: 0 }, second: { x: 0, y: 160 } } },
}

/** A command of the palette. */
async function command(page: Page, title: string): Promise<void> {
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByPlaceholder('What shall happen?').fill(title)
  await page.keyboard.press('Enter')
}

test('a run of a cluster is taken back, says who did what, is linked to at a moment, and has a family', async ({
  page,
  context,
  browser,
  server,
  dataDirectory,
  cluster,
}) => {
  await putWorkflow(dataDirectory, 'order.json', failingOrder())
  await putWorkflow(dataDirectory, 'invoice.json', invoice)
  await putWorkflow(dataDirectory, 'day.json', day)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await cluster.startRunner()
  await lookAtCluster(page, { server, cluster, dataDirectory })
  await openListed(page, 'Take the order', 'ship')

  await test.step('it goes back edge by edge, and its end card says what stays', async () => {
    await recordRewind(page)
    await pushAndRun(page)
    await expect(runState(page)).toHaveAttribute('data-status', 'COMPENSATED')
    const end = page.getByTestId('rewind-card')
    await expect(end.getByRole('heading').first()).toHaveText('2 of 3 effects were undone; 1 stays.')
    const seen = await recordedRewind(page, ['undone', 'active', 'done', 'back', 'still'])
    expect(seen.filter((one) => one.startsWith('canvas'))).toEqual(['canvas going back', 'canvas still'])
    goesBackInOrder(seen)
    await expect(end.getByTestId('rewound-charge')).toContainText(/undone \d\d:\d\d:\d\d/)
    await expect(page.getByTestId('rewind-left')).toContainText('A mail can’t be called back')
    await expect(card(page, 'mail').getByTestId('left-pin')).toBeVisible()
  })

  await test.step('each move of a step says which runner had it, and leads to its moment', async () => {
    await openNode(page, 'charge', 'Run data')
    const history = page.getByTestId('step-history')
    await history.locator('summary').click()
    const running = history.getByRole('listitem').filter({ hasText: 'Running' })
    await expect(running).toContainText(/runner_\w+/)
    await running.getByRole('button').click()
    await expect(card(page, 'charge')).toHaveAttribute('data-status', 'RUNNING')
    await expect(card(page, 'mail')).not.toHaveAttribute('data-status', 'SUCCESS')
  })

  await test.step('a link to that moment leads somebody else to it, whose page is about their computer', async () => {
    const moment = (await page.getByTestId('playhead-event').textContent()) ?? ''
    await command(page, 'Copy a link to this run')
    await expect(page.getByTestId('toasts')).toContainText('Link copied.')
    const link = await page.evaluate(() => navigator.clipboard.readText())
    expect(decodeURIComponent(link)).toMatch(
      /#to=sagasmith:\/\/run\/run_[\w-]+\?node=charge&at=\d+&cluster=plant$/,
    )
    const elsewhere = await browser.newContext()
    const fresh = await elsewhere.newPage()
    // They have the right to open the page: its token stands before what the link says.
    await fresh.goto(`${server.url}&${link.split('#')[1]}`)
    await expect(fresh.getByTestId('cluster-band')).toHaveCount(0)
    await expect(fresh.getByTestId('run-site')).toContainText('This run is done on plant')
    await expect(fresh.getByTestId('playhead-event')).toHaveText(moment)
    await expect(card(fresh, 'charge')).toHaveAttribute('data-status', 'RUNNING')
    await expect(fresh.getByTestId('inspector').locator('header code')).toHaveText('charge')
    expect(await barriers(fresh)).toEqual([])
    await elsewhere.close()

    // Who follows it where a document was open keeps the run in front of it.
    const again = await context.newPage()
    await again.goto(`${server.url}&${link.split('#')[1]}`)
    await expect(again.getByTestId('cluster-band')).toContainText('plant')
    await expect(again.getByTestId('playhead-event')).toHaveText(moment)
    await again.close()
  })

  await test.step('runs that started each other are one tree', async () => {
    await openListed(page, day.title, 'first')
    await pushAndRun(page)
    await expect(runState(page)).toHaveAttribute('data-status', 'SUCCEEDED')
    await page.keyboard.press('Shift+F9')
    const runs = page.getByTestId('family').locator('[aria-current]')
    await expect(runs).toHaveText([/All of the day/, /Write the invoice/, /Write the invoice/])
    await runs.nth(0).focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect(card(page, 'write')).toHaveAttribute('data-status', 'SUCCESS')
    await expect(page.getByTestId('run-origin')).toContainText('A step of another run')
    // The workflow that is open is seen again as it was.
    await page.getByRole('button', { name: 'Stop showing this run' }).click()
    await expect(card(page, 'first')).toBeInViewport()
    await expect(card(page, 'second')).toBeInViewport()
  })
})
