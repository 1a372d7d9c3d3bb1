/** Several workflows in one window: by mouse and by keyboard, each with its own undo steps, back after a reload. */

import type { Page } from '@playwright/test'
import { expect } from '@playwright/test'
import { card, middleOf, pane, restingBox, runState } from '../designer-driver.ts'
import { putWorkflow, test } from './serving.ts'

const workflow = (id: string, title: string) => ({
  ...{ format: 'sagasmith.workflow', schemaVersion: 1, id, title },
  nodes: { [id]: { kind: 'noop', parameters: {} }, last: { kind: 'noop', parameters: {} } },
  edges: {},
  layout: { nodes: { [id]: { x: 0, y: 0 }, last: { x: 400, y: 200 } } },
})

const tabs = (page: Page) => page.getByTestId('tabs').locator('li')
const names = (page: Page) => tabs(page).locator('button:first-child').allTextContents()
const tab = (page: Page, name: string) => page.getByTestId('tabs').getByRole('button', { name, exact: true })
const title = (page: Page) => page.getByTestId('document-title')

async function openFile(page: Page, name: string): Promise<void> {
  await page.keyboard.press('ControlOrMeta+o')
  const dialog = page.getByTestId('open-dialog')
  // Enter opens what is listed first; it closed the dialog.
  await expect(dialog.locator('[aria-current]').first()).toBeFocused()
  await dialog.getByRole('button', { name }).click()
}

test('two workflows side by side, and both as they were after a reload', async ({
  page,
  server,
  dataDirectory,
}) => {
  await putWorkflow(dataDirectory, 'one.json', workflow('one', 'One'))
  await putWorkflow(dataDirectory, 'two.json', workflow('two', 'Two'))
  await page.goto(server.url)
  await openFile(page, 'one.json')
  await expect(card(page, 'one')).toBeVisible()
  await page.getByTestId('run-button').click()
  await expect(runState(page)).toHaveAttribute('data-status', 'SUCCEEDED')
  await openFile(page, 'two.json')
  await expect(card(page, 'two')).toBeVisible()
  await expect.poll(() => names(page)).toEqual(['One', 'Two'])
  await expect(tab(page, 'Two')).toHaveAttribute('aria-current', 'page')

  // An edit, a selection and a look from elsewhere: none of it is the other one's.
  await title(page).fill('Two, edited')
  await card(page, 'two').click()
  await page.keyboard.press('ControlOrMeta+0')
  const zoomed = await restingBox(card(page, 'last'))
  await expect(tab(page, 'Two, edited, edited')).toBeVisible()
  await page.keyboard.press('Control+Tab')
  await expect(title(page)).toHaveValue('One')
  await expect(page.getByTestId('undo-button')).toBeDisabled()
  // The run that was looked at is there again.
  await expect(runState(page)).toHaveAttribute('data-status', 'SUCCEEDED')
  await page.keyboard.press('Alt+PageUp')
  await expect(title(page)).toHaveValue('Two, edited')
  await expect(page.getByTestId('inspector').locator('header code')).toHaveText('two')
  await expect.poll(() => card(page, 'last').boundingBox()).toEqual(zoomed)

  await page.reload()
  await expect(title(page)).toHaveValue('Two, edited')
  await expect.poll(() => names(page)).toEqual(['One', 'Two, edited'])
  await expect(page.getByTestId('inspector').locator('header code')).toHaveText('two')
  await expect.poll(() => card(page, 'last').boundingBox()).toEqual(zoomed)
  await page.getByTestId('undo-button').click()
  await expect(title(page)).toHaveValue('Two')
  await expect(page.getByTestId('dirty-state')).toHaveText('Saved')

  // Dragged past its neighbour.
  const [from, to] = [await middleOf(tab(page, 'Two')), await middleOf(tab(page, 'One'))]
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move(to.x - 10, to.y, { steps: 6 })
  await page.mouse.up()
  await expect.poll(() => names(page)).toEqual(['Two', 'One'])

  // Closed with edits: nothing is asked, nothing is lost.
  await title(page).fill('Two, again')
  await pane(page).click({ position: { x: 20, y: 20 } })
  // What was done before a save can be undone after a reload too.
  await page.keyboard.press('ControlOrMeta+s')
  await expect(page.getByTestId('dirty-state')).toHaveText('Saved')
  await page.reload()
  await expect(title(page)).toHaveValue('Two, again')
  await page.getByTestId('undo-button').click()
  await expect(title(page)).toHaveValue('Two')
  await page.getByTestId('redo-button').click()
  await expect(page.getByTestId('dirty-state')).toHaveText('Saved')
  await title(page).fill('Two, at last')
  await pane(page).click({ position: { x: 20, y: 20 } })
  await page.keyboard.press('Control+w')
  await expect(title(page)).toHaveValue('One')
  await expect.poll(() => names(page)).toEqual(['One'])
  await page.keyboard.press('Alt+Shift+T')
  await expect(title(page)).toHaveValue('Two, at last')
  await tab(page, 'Two, at last, edited').click({ button: 'middle' })
  await page.getByRole('button', { name: 'Close One' }).click()
  await expect(page.getByTestId('start-page')).toBeVisible()
  await expect(page.getByTestId('tabs')).toHaveCount(0)
})
