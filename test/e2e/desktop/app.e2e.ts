/** The whole desktop app: a workflow drawn by hand, then edited, run and saved from the native menu. */

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ElectronApplication, Page } from '@playwright/test'
import { expect, test } from '@playwright/test'
import {
  drawBranching,
  expectBranchingDone,
  expectBranchingWasSeen,
  fillBranching,
  nodesOfBranching,
} from '../branching-workflow.ts'
import { cards, edges, openNode, pressUntilDone, recordStates, runState } from '../designer-driver.ts'
import { launch, makeFolder, projectRoot } from './launch.ts'

let app: ElectronApplication
let page: Page
let folder: { readonly path: string; readonly remove: () => Promise<void> }
const complaints: string[] = []

/** Starts the app on the folder of this spec. */
async function start(): Promise<void> {
  app = await launch({ appFolder: projectRoot, userData: folder.path })
  page = await app.firstWindow()
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
}

test.beforeAll(async () => {
  folder = await makeFolder()
  await start()
  await expect(page.getByTestId('start-page')).toBeVisible()
})

test.afterAll(async () => {
  await app.close()
  await folder.remove()
})

/** Chooses a command from the native menu. */
const choose = (id: string): Promise<void> =>
  app.evaluate(({ Menu }, command) => Menu.getApplicationMenu()?.getMenuItemById(command)?.click(), id)

/** What the menu offers, as the page last told it. */
const isOffered = (id: string): Promise<boolean | undefined> =>
  app.evaluate(({ Menu }, command) => Menu.getApplicationMenu()?.getMenuItemById(command)?.enabled, id)

/** Answers every save dialog with a file of the spec's folder. */
const answerSaveDialog = (path: string): Promise<void> =>
  app.evaluate(({ dialog }, filePath) => {
    dialog.showSaveDialog = () => Promise.resolve({ canceled: false, filePath })
  }, path)

/** The open document, saved as a file: keys are sorted, so equal means identical. */
async function savedAs(name: string): Promise<string> {
  const path = join(folder.path, name)
  await answerSaveDialog(path)
  await choose('file.saveAs')
  await expect(page.getByTestId('dirty-state')).toHaveText('Saved')
  await expect(page.getByTestId('dirty-state')).toHaveAttribute('title', path)
  return readFile(path, 'utf8')
}

test('five nodes are drawn, and run and watched from the native menu', async () => {
  test.slow()
  await choose('file.new')
  await expect(page.getByTestId('canvas')).toBeVisible()
  await drawBranching(page)
  await fillBranching(page)
  await recordStates(page)
  await choose('run.start')
  await expect(runState(page)).toHaveAttribute('data-status', 'SUCCEEDED')
  await expectBranchingDone(page)
  await expectBranchingWasSeen(page)
  await openNode(page, 'log', 'Run data')
  await expect(page.getByTestId('attempt-log')).toContainText('The total is 42.')
})

test('everything is undone to the empty document and redone from the native menu', async () => {
  const built = await savedAs('built.json')
  await choose('edit.undo')
  await expect(page.getByTestId('dirty-state')).toHaveText('Edited')
  const undone = 1 + (await pressUntilDone(page, 'undo-button'))
  await expect(cards(page)).toHaveCount(0)
  await expect.poll(() => isOffered('edit.undo')).toBe(false)
  const { nodes, edges: wires, layout } = JSON.parse(await savedAs('empty.json')) as Record<string, object>
  expect([nodes, wires, layout]).toEqual([{}, {}, undefined])
  await choose('edit.redo')
  await expect(cards(page)).toHaveCount(1)
  expect(1 + (await pressUntilDone(page, 'redo-button'))).toBe(undone)
  await expect.poll(() => isOffered('edit.redo')).toBe(false)
  expect(await savedAs('built-again.json')).toBe(built)
})

test('after a restart the file and the finished run are there again', async () => {
  const runId = (await runState(page).getAttribute('data-run-id')) ?? ''
  expect(runId).not.toBe('')
  await app.close()
  await start()
  await expect(cards(page)).toHaveCount(nodesOfBranching.length)
  await expect(edges(page)).toHaveCount(5)
  await expect(page.getByTestId('dirty-state')).toHaveText('Saved')
  await page.getByRole('tab', { name: 'Runs' }).click()
  await page.getByTestId(`run-row-${runId}`).click()
  await expect(runState(page)).toHaveAttribute('data-status', 'SUCCEEDED')
  await expectBranchingDone(page)
})

test('the run becomes a test beside the file that a person chose, wherever that is', async () => {
  await page.keyboard.press('ControlOrMeta+k')
  await page.keyboard.type('Keep this run as a test')
  await page.keyboard.press('Enter')
  await page.getByTestId('test-name').fill('five nodes')
  await page.keyboard.press('Enter')
  await expect(page.getByTestId('test-five nodes')).toHaveAttribute('data-tone', 'good')
})

test('the page kept to its content policy all the time', () => {
  expect(complaints).toEqual([])
})
