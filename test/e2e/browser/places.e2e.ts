/** Buttons keep their places while a run begins, is paused and ends: nobody presses what came to stand under the pointer. */

import type { Page } from '@playwright/test'
import { expect } from '@playwright/test'
import { barriers } from '../barriers.ts'
import { restingBox, runState } from '../designer-driver.ts'
import { putWorkflow, test } from './serving.ts'

const slow = {
  ...{
    format: 'sagasmith.workflow',
    schemaVersion: 1,
    id: 'slow',
    title: 'A workflow with a rather long title',
  },
  nodes: {
    wait: { kind: 'wait-signal', parameters: { name: 'go' } },
    stop: { kind: 'stop', parameters: { status: 'failed', message: 'That was it.' } },
  },
  edges: { e: { from: { node: 'wait', port: 'out' }, to: { node: 'stop', port: 'in' } } },
  layout: { nodes: { wait: { x: 0, y: 0 }, stop: { x: 320, y: 0 } } },
}

/** Where each button of the bar stands, by its name. */
const places = (page: Page): Promise<Readonly<Record<string, readonly number[]>>> =>
  page
    .getByRole('banner')
    .getByRole('button')
    .evaluateAll((buttons) =>
      Object.fromEntries(
        buttons
          .filter((button) => button.checkVisibility())
          .map((button) => {
            const { x, y, width, height } = button.getBoundingClientRect()
            // Pause and Resume share a place.
            const name = (button.dataset['testid'] ?? button.ariaLabel ?? '').replace('resume', 'pause')
            return [name, [x, y, width, height].map(Math.round)]
          }),
      ),
    )

for (const width of [1000, 1280, 1600]) {
  test(`in a window of ${width} pixels nothing in the bar moves`, async ({ page, server, dataDirectory }) => {
    await page.setViewportSize({ width, height: 800 })
    await putWorkflow(dataDirectory, 'slow.json', slow)
    await page.goto(server.url)
    await page.getByRole('button', { name: /slow\.json/ }).click()
    await expect(page.getByTestId('run-button')).toBeEnabled()
    await restingBox(page.getByTestId('run-button'))
    const before = await places(page)
    expect(Object.keys(before)).toContain('undo-button')
    await page.getByTestId('run-button').click()
    await expect(page.getByTestId('pause-button')).toBeEnabled()
    const during = await places(page)
    expect(during).toMatchObject(before)
    // Each of them can be pressed where it is seen.
    expect(Object.keys(during)).toEqual(
      expect.arrayContaining(['retry-button', 'cancel-button', 'rerun-button']),
    )
    for (const [x = 0, , wide = 0] of Object.values(during)) {
      expect(x).toBeGreaterThan(0)
      expect(x + wide).toBeLessThanOrEqual(width)
    }
    await expect(page.getByTestId('retry-button')).toBeDisabled()
    await page.getByTestId('pause-button').click()
    await expect(page.getByTestId('resume-button')).toBeVisible()
    expect(await places(page)).toEqual(during)
    await page.getByTestId('resume-button').click()
    await page.getByTestId('cancel-button').click()
    await expect(runState(page)).toHaveAttribute('data-status', 'CANCELLED')
    await expect(page.getByTestId('cancel-button')).toBeDisabled()
    expect(await places(page)).toEqual(during)
    expect(await barriers(page)).toEqual([])
    await page.getByRole('button', { name: 'Stop showing this run' }).click()
    expect(await places(page)).toEqual(before)
  })
}
