/** A run that is paused and resumed, a map with its body, and the pages of the engine. */

import { expect } from '@playwright/test'
import { card, openNode, runState } from '../designer-driver.ts'
import { putWorkflow, test } from './serving.ts'

const format = { format: 'sagasmith.workflow', schemaVersion: 1 }
const link = (from: string, to: string) => ({
  from: { node: from, port: 'out' },
  to: { node: to, port: 'in' },
})

const resting = {
  ...format,
  id: 'wf_resting',
  title: 'Rest a while',
  nodes: {
    begin: { kind: 'noop', parameters: {} },
    rest: { kind: 'delay', parameters: { amount: 600 } },
    end: { kind: 'noop', parameters: {} },
  },
  edges: { first: link('begin', 'rest'), second: link('rest', 'end') },
  layout: { nodes: { begin: { x: 0, y: 0 }, rest: { x: 320, y: 0 }, end: { x: 640, y: 0 } } },
}

const mapping = {
  ...format,
  id: 'wf_mapping',
  title: 'Each of five',
  nodes: {
    each: { kind: 'map', parameters: { items: '[1,2,3,4,5]', limit: 2 } },
    inner: { kind: 'noop', parent: 'each', parameters: {} },
    after: { kind: 'noop', parameters: {} },
  },
  edges: { first: link('each', 'after') },
  layout: { nodes: { each: { x: 0, y: 0 }, inner: { x: 32, y: 88 }, after: { x: 480, y: 0 } } },
}

test('a run is paused, resumed, and a step of it skipped', async ({ page, server, dataDirectory }) => {
  await putWorkflow(dataDirectory, 'resting.json', resting)
  await page.goto(server.url)
  await page.getByText('Rest a while').first().click()
  await page.getByTestId('run-button').click()
  await expect(card(page, 'rest')).toHaveAttribute('data-status', 'WAITING')

  await page.getByTestId('pause-button').click()
  await expect(runState(page)).toHaveAttribute('data-status', 'PAUSED')
  await expect(page.getByTestId('run-wait')).toContainText('The run is paused')
  await expect(card(page, 'rest')).toContainText('Paused')

  await page.keyboard.press('Shift+F6')
  await expect(page.getByTestId('pause-button')).toBeEnabled()
  await expect(page.getByTestId('run-wait')).toHaveCount(0)
  await expect(card(page, 'rest')).toContainText('Waiting')

  await openNode(page, 'rest', 'Run data')
  await page.getByTestId('step-skip').click()
  await expect(runState(page)).toHaveAttribute('data-status', 'SUCCEEDED')
  await expect(card(page, 'rest')).toContainText('Skipped')
  await expect(page.getByTestId('step-skip')).toHaveCount(0)
})

test('a map counts its turns, and the pages of the engine tell who works and what is set', async ({
  page,
  server,
  dataDirectory,
}) => {
  await putWorkflow(dataDirectory, 'mapping.json', mapping)
  await page.goto(server.url)
  await page.getByText('Each of five').first().click()
  await test.step('a map is drawn around its body and counts its turns', async () => {
    // Both move while the workflow is fitted into the window.
    const isAround = async (): Promise<boolean> => {
      const [frame, inner] = [await card(page, 'each').boundingBox(), await card(page, 'inner').boundingBox()]
      if (frame === null || inner === null) return false
      const isWithin = inner.x > frame.x && inner.x + inner.width < frame.x + frame.width
      return isWithin && inner.y + inner.height < frame.y + frame.height
    }
    await expect.poll(isAround).toBe(true)

    await page.getByTestId('run-button').click()
    await expect(runState(page)).toHaveAttribute('data-status', 'SUCCEEDED')
    await expect(card(page, 'inner').getByTestId('turns')).toHaveText('5 of 5')
    await expect(card(page, 'after')).toHaveAttribute('data-status', 'SUCCESS')
  })

  await test.step('the pages of the engine tell who works and what is set', async () => {
    await page.getByTestId('engine-button').click()
    const rows = page.getByTestId('runners-table').locator('tbody tr')
    await expect(rows).toHaveCount(1)
    await expect(rows.first()).toContainText('Working')

    await page.getByRole('tab', { name: 'Settings' }).click()
    await expect(page.getByTestId('setting-claim_ttl')).toContainText('300 s')
    await page.getByTestId('settings-search').fill('claim ttl')
    await expect(page.getByTestId('setting-data')).toHaveCount(0)
    await expect(page.getByTestId('setting-claim_ttl')).toBeVisible()
    await page.getByTestId('settings-search').fill('')
    await page.getByLabel('Only those set by you').check()
    await expect(page.getByTestId('setting-data')).toContainText('command line')
    await expect(page.getByTestId('setting-claim_ttl')).toHaveCount(0)

    await page.getByLabel('Back to the workflow').click()
    await expect(page.getByTestId('engine-page')).toHaveCount(0)
  })
})
