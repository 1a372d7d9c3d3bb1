/** A question that is told by mail: set up in its form, and what became of the mail seen where it is decided. */

import { expect } from '@playwright/test'
import { shipping } from '../approval-workflow.ts'
import { barriers } from '../barriers.ts'
import { card, expectNoProblems, openNode, runState, typeInto, unfold } from '../designer-driver.ts'
import { putWorkflow, test } from './serving.ts'

test('a mail is set up in the form; one that can’t be sent is told, and holds nobody up', async ({
  page,
  server,
  dataDirectory,
}) => {
  await putWorkflow(dataDirectory, 'shipping.json', shipping)
  await page.goto(server.url)
  await page.getByText(shipping.title).first().click()
  await openNode(page, 'ask')
  await unfold(page, 'Mail')
  await expect(page.getByTestId('field-parameters.host')).toHaveCount(0)
  await page.getByRole('switch', { name: 'Send a mail, too' }).check()
  await typeInto(page, 'parameters.mailTo', 'ada@example.com')
  await typeInto(page, 'parameters.mailFrom', 'Shop <shop@example.com>')
  // Nobody approved an address of this machine.
  await typeInto(page, 'parameters.host', '127.0.0.1')
  await expect(page.getByTestId('field-parameters.mailUrgentTo')).toHaveCount(0)
  await expectNoProblems(page)
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme)
    expect(await barriers(page)).toEqual([])
  }
  await unfold(page, 'Time')
  await page.getByRole('switch', { name: 'Ask more urgently' }).check()
  await expect(page.getByTestId('field-parameters.mailUrgentTo')).toBeVisible()

  await page.getByTestId('run-button').click()
  await expect(card(page, 'ask')).toHaveAttribute('data-status', 'APPROVAL_REQUIRED')
  await page.getByTestId('inbox-button').click()
  const mail = page.getByTestId('inbox-detail').getByTestId('approval-mail')
  await expect(mail).toHaveText(
    /^Not sent to ada@example\.com: “127\.0\.0\.1” is not on the public internet\./,
  )
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme)
    expect(await barriers(page)).toEqual([])
  }
  await page.getByTestId('approval-approve').click()
  await page.getByRole('button', { name: 'Back to the workflow' }).click()
  await expect(runState(page)).toHaveAttribute('data-status', 'SUCCEEDED')
})
