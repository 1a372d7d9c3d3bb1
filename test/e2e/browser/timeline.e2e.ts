/** The timeline tells phases apart, folds idle time, shows a part of a run, and goes back to a moment. */

import type { Locator } from '@playwright/test'
import { expect } from '@playwright/test'
import { barriers } from '../barriers.ts'
import { card, openNode, runState } from '../designer-driver.ts'
import { putWorkflow, test } from './serving.ts'

const edge = (from: string, to: string) => ({
  from: { node: from, port: 'out' },
  to: { node: to, port: 'in' },
})

const workflow = {
  format: 'sagasmith.workflow',
  schemaVersion: 1,
  id: 'wf_slow',
  title: 'Slow day',
  nodes: {
    ask: {
      kind: 'debug',
      title: 'Ask the shop',
      parameters: { failTimes: 1 },
      retry: { maxAttempts: 3, delayMs: 300, jitter: 0 },
    },
    wait: { kind: 'delay', title: 'Wait a bit', parameters: { amount: 2, unit: 'seconds' } },
    say: { kind: 'log', title: 'Say so', parameters: { message: 'done' } },
  },
  edges: { e1: edge('ask', 'wait'), e2: edge('wait', 'say') },
}

test('a run is looked at row by row, in part, and at any moment', async ({ page, server, dataDirectory }) => {
  await putWorkflow(dataDirectory, 'slow.json', workflow)
  await page.goto(server.url)
  await page.getByText('Slow day').first().click()
  await page.getByTestId('run-button').click()
  await page.getByTestId('timeline-button').click()
  await expect(runState(page)).toHaveAttribute('data-status', 'SUCCEEDED')

  const rows = page.getByTestId('timeline-rows')
  await expect(rows.locator('[data-phase="run"][title*="try 2"]')).toHaveCount(1)
  await expect(rows.locator('[data-phase="backoff"]')).toHaveCount(1)
  const folds = rows.locator('[title*="nothing happened"]')
  await expect(folds.first()).toBeVisible()
  expect(await barriers(page)).toEqual([])

  await page.getByRole('button', { name: 'Fold idle time' }).click()
  await expect(folds).toHaveCount(0)

  const begin = page.getByRole('slider', { name: 'Beginning of what is shown' })
  await begin.focus()
  for (let press = 0; press < 3; press += 1) await page.keyboard.press('ArrowRight')
  await expect(begin).toHaveAttribute('aria-valuenow', '6')
  await page.getByRole('button', { name: 'Show all of it' }).click()
  await expect(begin).toHaveAttribute('aria-valuenow', '0')

  // In the middle of all, the step waits.
  const { width = 0 } = (await page.getByTestId('timeline-overview').boundingBox()) ?? {}
  await page.getByTestId('timeline-overview').click({ position: { x: width / 2, y: 9 } })
  await expect(card(page, 'wait')).toHaveAttribute('data-status', 'WAITING')
  // The line through the rows is a layer of its own: it is moved where the strip has the playhead, and lays out nothing.
  const line = rows.getByTestId('playhead-line')
  const xOf = async (one: Locator): Promise<number> => (await one.boundingBox())?.x ?? Number.NaN
  const head = page.getByTestId('timeline-overview').getByTestId('playhead-head')
  expect(Math.abs((await xOf(line)) - (await xOf(head)))).toBeLessThan(2.5)
  expect(await line.evaluate((element) => getComputedStyle(element).willChange)).toBe('transform')
  // It takes no room: rows stay where they are without it, and it begins where they do.
  const boxOf = async (one: Locator) => (await one.boundingBox()) ?? { y: Number.NaN, height: Number.NaN }
  const track = await boxOf(rows.locator('[class*="track"]').first())
  const box = await boxOf(rows)
  expect([track.y - box.y, (await boxOf(line)).y - box.y]).toEqual([11, 0])
  expect((await boxOf(line)).height).toBe(Math.min(box.height, 3 * 24 + 12))
  expect(await rows.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)).toBeLessThan(
    24,
  )
  expect(await rows.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
  await page.getByTestId('playhead').press('End')
  expect(Math.abs((await xOf(line)) - (await xOf(head)))).toBeLessThan(2.5)
  expect(await rows.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
  await page.getByTestId('playhead').press('Home')
  await expect(page.getByTestId('playhead-event')).toHaveText('Before the run')
  await expect(card(page, 'wait')).not.toHaveAttribute('data-status', 'WAITING')
  await page.getByRole('button', { name: 'Live', exact: true }).click()
  await expect(card(page, 'say')).toHaveAttribute('data-status', 'SUCCESS')

  // What became of a step, with who had it: each move leads to its moment.
  await openNode(page, 'ask', 'Run data')
  const history = page.getByTestId('step-history')
  await history.locator('summary').click()
  await expect(history.getByRole('button')).toHaveText([
    /Queued|Waiting/,
    /Claimed/,
    /Running/,
    /Retry/,
    /Claimed/,
    /Running/,
    /Done/,
  ])
  await expect(history).toContainText(/runner_\w+, try 2/)
  await history.getByRole('button').nth(3).click()
  await expect(card(page, 'ask')).toHaveAttribute('data-status', 'RETRY')
  await expect(history.getByRole('button')).toHaveCount(4)
})
