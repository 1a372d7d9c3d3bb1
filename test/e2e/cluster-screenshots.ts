/**
 * Takes the pictures of a cluster: a run on it, what is pushed, and what a copy of a run is replayed as. By hand,
 * after a build: `node test/e2e/cluster-screenshots.ts`.
 */

import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Page } from '@playwright/test'
import { chromium, expect } from '@playwright/test'
import { startRedisCluster } from '../support/redis-servers.ts'
import { addCluster, openTab } from './browser/clusters.ts'
import { cliPath, putWorkflow, startServer } from './browser/serving.ts'
import { chromiumOptions } from './chromium.ts'
import { card, openNode, runState, typeInto } from './designer-driver.ts'

const target = resolve(import.meta.dirname, '../../docs/images')

const from = (node: string, port: string, to: string) => {
  return { from: { node, port }, to: { node: to, port: 'in' } }
}

/** It fails at the customs: its expression asks for what the step before doesn't give. */
const parcel = {
  format: 'sagasmith.workflow',
  schemaVersion: 1,
  id: 'wf_parcel',
  title: 'Send a parcel abroad',
  nodes: {
    weigh: { kind: 'transform', title: 'Weigh', parameters: { expression: '{ "grams": 1830 }' } },
    heavy: { kind: 'if', title: 'Heavier than 2 kg?', parameters: { condition: 'input.grams > 2000' } },
    split: { kind: 'log', title: 'Split it', parameters: { message: 'Two parcels' } },
    price: { kind: 'transform', title: 'Postage', parameters: { expression: '{ "cents": 1480 }' } },
    customs: {
      kind: 'transform',
      title: 'Customs form',
      parameters: { expression: "$nodes.price.output.value ? 'CN22' : $error('The parcel has no value.')" },
    },
    hand: { kind: 'log', title: 'Hand it over', parameters: { message: 'Sent' } },
  },
  edges: {
    a: from('weigh', 'out', 'heavy'),
    b: from('heavy', 'true', 'split'),
    c: from('heavy', 'false', 'price'),
    d: from('price', 'out', 'customs'),
    e: from('customs', 'out', 'hand'),
  },
  layout: {
    nodes: {
      weigh: { x: 0, y: 60 },
      heavy: { x: 260, y: 60 },
      split: { x: 540, y: -40 },
      price: { x: 540, y: 130 },
      customs: { x: 800, y: 130 },
      hand: { x: 1060, y: 130 },
    },
  },
}

const dataDirectory = await mkdtemp(join(tmpdir(), 'sagasmith-screenshots-'))
const runnerData = await mkdtemp(join(tmpdir(), 'sagasmith-screenshots-runner-'))
const redis = await startRedisCluster()
const address = `redis://${redis.servers.map(({ host, port }) => `${host}:${port}`).join(',')}`
const line = [cliPath, 'runner', '--store', address, '--data', runnerData, '--json']
const runner = spawn(process.execPath, line)
const server = await startServer(dataDirectory)
const browser = await chromium.launch(chromiumOptions)
try {
  await new Promise<void>((settle) => runner.stdout.once('data', () => settle()))
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, colorScheme: 'light' })
  await page.goto(server.url)
  await takeAll(page)
} finally {
  await browser.close()
  await server.stop()
  runner.kill('SIGKILL')
  await redis.stop()
  for (const folder of [dataDirectory, runnerData]) {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

async function takeAll(page: Page): Promise<void> {
  await putWorkflow(dataDirectory, 'parcel.json', parcel)
  await openTab(page, 'Clusters')
  await addCluster(page, { name: 'plant', address, colour: 'violet', isWritable: true })
  await addCluster(page, { name: 'production', address, colour: 'red', isWritable: true })
  await addCluster(page, { name: 'archive', address, colour: 'grey' })
  await page.getByRole('button', { name: 'Back to the workflow' }).click()
  await page.getByText(parcel.title).first().click()
  await expect(card(page, 'weigh')).toBeVisible()
  await page.getByTestId('run-menu-button').click()
  await take(page, 'run-here')
  await page.getByTestId('run-at-plant').click()
  await page.getByTestId('push-confirm').click()
  await expect(runState(page)).toHaveAttribute('data-status', 'FAILED')
  await take(page, 'cluster')

  await page.getByTestId('bring-here').click()
  await expect(page.getByTestId('pulled-run')).toBeVisible()
  await openNode(page, 'customs')
  await typeInto(page, 'parameters.expression', '$nodes.price.output.cents > 1000 ? "CN23" : "CN22"')
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.getByTestId('replay-run').click()
  await expect(page.getByTestId('verdict-customs')).toContainText('Differs')
  await take(page, 'replay')
  await page.keyboard.press('Escape')
  await page.emulateMedia({ colorScheme: 'light' })

  await card(page, 'split').click()
  await page.keyboard.press('Delete')
  await page.keyboard.press('ControlOrMeta+Alt+p')
  await page.getByTestId('push-cluster').selectOption('production')
  await expect(page.getByTestId('diff-split')).toHaveAttribute('data-mark', 'removed')
  await page.getByTestId('diff-customs').click()
  await take(page, 'push')
}

async function take(page: Page, name: string): Promise<void> {
  // What moves comes to rest: a picture shows no half-way.
  await page.evaluate(async () => {
    await Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => null)))
  })
  const path = join(target, `${name}.png`)
  await page.screenshot({ path, animations: 'disabled' })
  process.stdout.write(`docs/images/${name}.png\n`)
}
