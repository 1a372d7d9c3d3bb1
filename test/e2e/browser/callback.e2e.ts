/** A step that waits for a web call shows its address, as a text and as a code to scan, and goes on once it is called. */

import { expect } from '@playwright/test'
import { decodeQR } from 'qr/decode.js'
import { bitsOfPath } from '../../support/qr-bits.ts'
import { card, openNode, runState } from '../designer-driver.ts'
import { putWorkflow, test } from './serving.ts'

const calling = {
  format: 'sagasmith.workflow',
  schemaVersion: 1,
  id: 'wf_calling',
  title: 'Wait for the bank',
  nodes: {
    tell: { kind: 'transform', parameters: { expression: '{ "pay": run.callbacks.paid }' } },
    paid: {
      kind: 'wait-webhook',
      parameters: {
        calls: 2,
        check: 'condition',
        condition: 'input.body.paid = true',
        answerBody: 'Thanks, noted.',
      },
    },
  },
  edges: { first: { from: { node: 'tell', port: 'out' }, to: { node: 'paid', port: 'in' } } },
  layout: { nodes: { tell: { x: 0, y: 0 }, paid: { x: 320, y: 0 } } },
}

test('the address is shown, scanned and called', async ({ page, server, dataDirectory }) => {
  await putWorkflow(dataDirectory, 'calling.json', calling)
  await page.goto(server.url)
  await page.getByText('Wait for the bank').first().click()
  await page.getByTestId('run-button').click()
  await expect(card(page, 'paid')).toHaveAttribute('data-status', 'WAITING')
  await openNode(page, 'paid', 'Run data')
  await expect(page.getByTestId('callback')).toContainText('0 of 2 calls came.')
  const url = (await page.getByTestId('callback-url').textContent()) ?? ''
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callbacks\//)

  await page.getByTestId('callback').getByText('As a code to scan').click()
  const path = (await page.getByTestId('qr-code').locator('path').getAttribute('d')) ?? ''
  expect(decodeQR(bitsOfPath(path))).toBe(url)
  // What the step before handed on is the same address.
  await openNode(page, 'tell', 'Run data')
  await expect(page.getByTestId('run-output')).toContainText(url.slice(0, 120))

  const call = (body: object) =>
    fetch(url, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    })
  expect((await call({ paid: false })).status).toBe(422)
  const answer = await call({ paid: true, by: 'Ada' })
  expect([answer.status, await answer.text()]).toEqual([200, 'Thanks, noted.'])
  await openNode(page, 'paid', 'Run data')
  await expect(page.getByTestId('callback')).toContainText('1 of 2 calls came.')
  expect((await call({ paid: true, by: 'Bob' })).status).toBe(200)

  await expect(runState(page)).toHaveAttribute('data-status', 'SUCCEEDED')
  await expect(page.getByTestId('callback')).toHaveCount(0)
  await expect(page.getByTestId('run-output')).toContainText('Output[2]')
  expect((await call({ paid: true, by: 'Eve' })).status).toBe(410)
})
