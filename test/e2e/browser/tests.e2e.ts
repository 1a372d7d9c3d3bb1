/** A run becomes a test of its workflow, which fails once the workflow does something else. */

import { expect } from '@playwright/test'
import { barriers } from '../barriers.ts'
import { card, openNode, runAndWait, typeInto } from '../designer-driver.ts'
import { putWorkflow, test } from './serving.ts'

const sums = {
  ...{ format: 'sagasmith.workflow', schemaVersion: 1, id: 'sums', title: 'Sums' },
  nodes: {
    sum: { kind: 'transform', title: 'Sum up', parameters: { expression: '$sum([1, 2, 3])' } },
    note: {
      kind: 'write-file',
      title: 'Note it',
      parameters: { path: './note.txt', content: '{{ input }}' },
    },
  },
  edges: { e: { from: { node: 'sum', port: 'out' }, to: { node: 'note', port: 'in' } } },
  layout: { nodes: { sum: { x: 0, y: 0 }, note: { x: 320, y: 0 } } },
}

test('a run is kept as a test, an edit fails it, and is meant from then on', async ({
  page,
  server,
  dataDirectory,
}) => {
  await putWorkflow(dataDirectory, 'sums.json', sums)
  await page.goto(server.url)
  await page.keyboard.press('ControlOrMeta+o')
  await page.getByTestId('open-dialog').getByRole('button', { name: 'sums.json' }).click()
  await expect(card(page, 'sum')).toBeVisible()
  await page.getByTestId('problems-button').click()
  await page.getByRole('tab', { name: 'Tests' }).click()
  await expect(page.getByTestId('tests-none')).toContainText('No tests yet.')
  await expect(page.getByTestId('keep-test')).toBeDisabled()

  await runAndWait(page, 'SUCCEEDED')
  await page.getByTestId('keep-test').click()
  await page.getByTestId('test-name').fill('one to three')
  await page.keyboard.press('Enter')
  const row = page.getByTestId('test-one to three')
  await expect(row).toHaveAttribute('data-tone', 'good')
  await expect(page.getByTestId('tests-summary')).toHaveText('1 passed')

  await openNode(page, 'sum')
  await typeInto(page, 'parameters.expression', '$max([1, 2, 3])')
  await expect(row).toHaveAttribute('data-tone', 'neutral')
  await page.keyboard.press('ControlOrMeta+Alt+t')
  await expect(row).toHaveAttribute('data-tone', 'bad')
  await expect(page.getByTestId('tests-summary')).toHaveText('0 passed1 failed')
  await expect(row).toContainText('Sum up gave')
  await expect(row.getByRole('definition').first()).toHaveText('3')
  await row.getByRole('button', { name: 'Sum up' }).click()
  await expect(page.getByTestId('inspector').locator('header code')).toHaveText('sum')
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme)
    expect(await barriers(page)).toEqual([])
  }

  await page.getByTestId('update-test').click()
  await expect(row).toHaveAttribute('data-tone', 'good')
  // It lies beside the file: after a reload it is there, and says nothing before it is played.
  await page.reload()
  await page.getByRole('tab', { name: 'Tests' }).click()
  await expect(row).toHaveAttribute('data-tone', 'neutral')
  await page.getByTestId('play-tests').click()
  await expect(row).toHaveAttribute('data-tone', 'good')
  await row.getByRole('button', { name: 'Remove “one to three”' }).click()
  await expect(page.getByTestId('tests-none')).toContainText('No tests yet.')
})
