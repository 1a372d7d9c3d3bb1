/** A run that failed on a cluster is brought here, replayed, mended, and goes on there. */

import type { Page } from '@playwright/test'
import { expect } from '@playwright/test'
import { barriers } from '../barriers.ts'
import { card, openNode, runState, typeInto } from '../designer-driver.ts'
import { addCluster, openRemoteWorkflow, openTab, remoteWorkflow, test } from './clusters.ts'
import { putWorkflow } from './serving.ts'

const failing = {
  ...remoteWorkflow,
  nodes: {
    first: { kind: 'transform', parameters: { expression: '6 * 7' } },
    second: { kind: 'transform', parameters: { expression: '$error("Broken")' } },
  },
}

type Fixtures = Parameters<Parameters<typeof test>[2]>[0]

/** A run that failed on the cluster is shown. */
async function failThere({
  page,
  server,
  dataDirectory,
  cluster,
}: Pick<Fixtures, 'page' | 'server' | 'dataDirectory' | 'cluster'>): Promise<void> {
  await putWorkflow(dataDirectory, 'remote.json', failing)
  await cluster.startRunner()
  await page.goto(server.url)
  await openTab(page, 'Clusters')
  await addCluster(page, { name: 'plant', address: cluster.address, colour: 'violet', isWritable: true })
  await page.getByRole('button', { name: 'Back to the workflow' }).click()
  await openRemoteWorkflow(page)
  await page.getByTestId('run-menu-button').click()
  await page.getByTestId('run-at-plant').click()
  await page.getByTestId('push-confirm').click()
  await expect(runState(page)).toHaveAttribute('data-status', 'FAILED')
}

async function broughtAndReplayed(page: Page): Promise<void> {
  await page.getByTestId('bring-here').click()
  const band = page.getByTestId('pulled-run')
  await expect(band).toContainText('A copy of a run of plant')
  await expect(band).toHaveAttribute('data-colour', 'violet')
  await expect(card(page, 'second')).toHaveAttribute('data-status', 'FAILED')
  await page.keyboard.press('F4')
  await expect(page.getByTestId('pulled-list')).toContainText('plant')
  // A copy is only read.
  await expect(page.getByTestId('retry-button')).toHaveCount(0)
  expect(await barriers(page)).toEqual([])
  await page.getByTestId('replay-run').click()
  await expect(page.getByTestId('replay-same')).toBeVisible()
  await page.getByTestId('teleport-step').selectOption('second')
  await expect(page.getByTestId('verdict-first')).toContainText('Kept')
  await page.keyboard.press('Escape')
}

async function doneHere(page: Page): Promise<void> {
  await page.getByTestId('run-here').click()
  const plan = page.getByTestId('here-plan')
  await expect(plan).toContainText('On plant the run stays as it is (Failed).')
  await expect(plan).toContainText('Begins anew: Transform.')
  await expect(plan).toContainText('Nothing of it touches the outside.')
  expect(await barriers(page)).toEqual([])
  await page.getByTestId('here-confirm').click()

  await expect(runState(page)).toHaveAttribute('data-status', 'SUCCEEDED')
  await expect(card(page, 'first')).toHaveAttribute('data-status', 'SUCCESS')
  await expect(page.getByTestId('run-site')).toHaveCount(0)
  await expect(page.getByTestId('pulled-run')).toHaveCount(0)
}

async function resumedThere(page: Page): Promise<void> {
  await page.getByTestId('replay-run').click()
  await expect(page.getByTestId('verdict-second')).toContainText('Differs')
  await expect(page.getByTestId('verdict-first')).toContainText('Same')
  await expect(page.getByTestId('diff-second')).toHaveAttribute('data-mark', 'changed')
  await expect(page.getByTestId('replay-end')).toContainText('The run ends as Succeeded; it was Failed.')
  expect(await barriers(page)).toEqual([])
  await page.getByTestId('replay-resume').click()
  await expect(page.getByTestId('resume-plan')).toContainText('Begins anew: Transform.')
  await page.getByTestId('teleport-step').selectOption('first')
  await expect(page.getByTestId('resume-plan')).toContainText('Begins anew: Transform')
  await page.getByTestId('teleport-step').selectOption('')
  expect(await barriers(page)).toEqual([])
  await page.getByTestId('push-confirm').click()

  await expect(page.getByTestId('run-site')).toContainText('This run is done on plant')
  await expect(runState(page)).toHaveAttribute('data-status', 'SUCCEEDED')
  await expect(card(page, 'second')).toHaveAttribute('data-status', 'SUCCESS')
}

test('a failed run of a cluster is brought here, replayed, and once it is mended done here or resumed there', async ({
  page,
  server,
  dataDirectory,
  cluster,
}) => {
  await failThere({ page, server, dataDirectory, cluster })
  await test.step('it is brought here and replayed', () => broughtAndReplayed(page))
  await openNode(page, 'second')
  await typeInto(page, 'parameters.expression', '$nodes.first.output + 1')
  await test.step('the rest of a run that failed on a cluster is done here, once somebody has read what that means', () =>
    doneHere(page))
  await test.step('the copy is there as before: replayed on the mended workflow, it is resumed there', async () => {
    await page.getByTestId('pulled-list').getByRole('button').click()
    await expect(page.getByTestId('pulled-run')).toBeVisible()
    await resumedThere(page)
  })
})
