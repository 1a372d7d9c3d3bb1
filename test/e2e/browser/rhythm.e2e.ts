/** What a person sees at a glance: nothing is cut off, scrolled twice, or called by another one's name. */

import type { Page } from '@playwright/test'
import { expect } from '@playwright/test'
import { card, openNode, restingBox, runState } from '../designer-driver.ts'
import { putWorkflow, test } from './serving.ts'

const code = Array.from({ length: 60 }, (_, at) => `const value${at} = input + ${at}`).join('\n')

const workflow = (id: string, title: string) => ({
  ...{ format: 'sagasmith.workflow', schemaVersion: 1, id, title },
  nodes: { work: { kind: 'javascript', parameters: { code: `${code}\nreturn 1` } } },
  edges: {},
  layout: { nodes: { work: { x: 0, y: 0 } } },
})

/** Whether all of a line of text is seen. */
const isWhole = (page: Page, testId: string): Promise<boolean> =>
  page.getByTestId(testId).evaluate((element) => element.scrollWidth <= element.clientWidth)

async function findsWorkflowsAndRuns(page: Page, dataDirectory: string): Promise<void> {
  await expect(page.getByTestId('sample-orders')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Recent workflows' })).toHaveCount(0)
  await putWorkflow(dataDirectory, 'mine.json', workflow('mine', 'Mine'))
  await putWorkflow(dataDirectory, 'other.json', workflow('other', 'Another one'))
  await page.reload()
  const recent = page.getByRole('region', { name: 'Recent workflows' })
  await expect(recent.getByRole('button')).toHaveCount(2)
  const [above, below] = [await recent.boundingBox(), await page.getByTestId('sample-orders').boundingBox()]
  expect((above?.y ?? 0) + (above?.height ?? 0)).toBeLessThan(below?.y ?? 0)

  await recent.getByRole('button', { name: /Mine/ }).click()
  await page.getByTestId('run-button').click()
  await expect(runState(page)).toHaveAttribute('data-status', 'SUCCEEDED')
  await test.step('a long text is scrolled by its editor alone', async () => {
    await openNode(page, 'work', 'Parameters')
    await expect(page.locator('.cm-content').first()).toBeVisible()
    // The field, with the editor in its shadow: only one of them has more than it shows.
    const scrolled = await page.evaluate(() => {
      const field = [...document.querySelectorAll('*')].find(({ shadowRoot }) =>
        shadowRoot?.querySelector('.cm-scroller'),
      )
      const parts = [field, field?.shadowRoot?.querySelector('.cm-scroller')]
      return parts.map((part) => (part?.scrollHeight ?? 0) > (part?.clientHeight ?? 0))
    })
    expect(scrolled).toEqual([false, true])
  })
  await test.step('the moment of the timeline is told to its last letter', async () => {
    await page.getByTestId('timeline-button').click()
    await expect(page.getByTestId('playhead-event')).toContainText('Succeeded')
    expect(await isWhole(page, 'playhead-event')).toBe(true)
  })
  const title = page.getByTestId('document-title')
  await test.step('a run of a workflow that isn’t in front', async () => {
    await page.getByTestId('home-button').click()
    await recent.getByRole('button', { name: /Another one/ }).click()
    await page.getByRole('tab', { name: 'Runs' }).click()
    await page.getByTestId('runs-list').getByRole('button', { name: /Mine/ }).click()
    await expect(title).toHaveValue('Mine')
    await page.getByTestId('tabs').getByRole('button', { name: 'Close Mine' }).click()
    await expect(title).toHaveValue('Another one')
    await page.getByTestId('runs-list').getByRole('button', { name: /Mine/ }).click()
    await expect(page.getByTestId('shown-workflow')).toHaveText('Run of Mine')
    await expect(title).toHaveCount(0)
    await page.getByTestId('run-banner').getByRole('button').click()
    await expect(title).toHaveValue('Another one')
  })
}

async function titlesAreRead(page: Page): Promise<void> {
  await page.getByTestId('home-button').click()
  await page.getByTestId('sample-orders').getByRole('button', { name: 'Open', exact: true }).click()
  const mark = page.locator('[data-zoom]')
  await expect(mark).toHaveAttribute('data-zoom', 'farthest')
  await page.getByTestId('home-button').click()
  await page.getByTestId('new-workflow').click()
  await page.getByTestId('begin-transform').click()
  await expect(card(page, 'transform')).toHaveAttribute('data-selected', 'true')
  await openNode(page, 'transform', 'Run data')
  await card(page, 'transform').click()
  await page.keyboard.press('a')
  await page.keyboard.type('http')
  await page.keyboard.press('Enter')
  await expect(card(page, 'httpRequest')).toHaveAttribute('data-selected', 'true')
  await expect(page.getByTestId('inspector-parameters')).toBeVisible()
  const frame = await page.getByTestId('canvas').boundingBox()
  for (const id of ['transform', 'httpRequest']) {
    await restingBox(card(page, id))
    const box = await card(page, id).boundingBox()
    expect(box?.x).toBeGreaterThanOrEqual(frame?.x ?? Infinity)
    expect((box?.x ?? Infinity) + (box?.width ?? 0)).toBeLessThanOrEqual(
      (frame?.x ?? 0) + (frame?.width ?? 0),
    )
  }
  await test.step('a mistake is said once, and what to do about it to the end', async () => {
    const said = 'are never closed.'
    await page.getByRole('textbox', { name: 'Address' }).fill('https://example.com/{{ input.')
    const field = page.getByTestId('inspector-parameters')
    await expect(field.getByRole('alert')).toContainText(said)
    expect((await field.innerText()).split(said)).toHaveLength(2)
    await page.getByTestId('problems-button').click()
    const hint = page.getByTestId('problems').getByText('Close the expression with')
    expect(await hint.evaluate((one) => one.scrollWidth <= one.clientWidth)).toBe(true)
  })
}

async function tilesAreAlike(page: Page): Promise<void> {
  await page.getByTestId('home-button').click()
  await page.getByTestId('new-workflow').click()
  await page.getByTestId('problems-button').click()
  await expect(page.getByTestId('bottom-panel')).toBeVisible()
  const tiles = page.getByTestId('empty-canvas').getByRole('listitem')
  await expect(tiles).toHaveCount(6)
  const heights = await tiles.evaluateAll((found) => found.map((one) => one.firstElementChild?.clientHeight))
  expect(new Set(heights).size).toBe(1)
}

test('who comes back finds what is theirs, reads the titles, and sees tiles that are alike', async ({
  page,
  server,
  dataDirectory,
}) => {
  await page.setViewportSize({ width: 1280, height: 720 })
  await page.goto(server.url)
  await test.step('who comes back finds their workflows before the samples, and runs under their own names', () =>
    findsWorkflowsAndRuns(page, dataDirectory))
  await page.getByLabel('Close the bottom panel').click()
  await test.step('titles are read at a small window’s first look; what is added doesn’t push away what it comes from', () =>
    titlesAreRead(page))
  await page.getByLabel('Close the bottom panel').click()
  await test.step('the tiles of an empty canvas are one as high as the other, however little room there is', () =>
    tilesAreAlike(page))
})
