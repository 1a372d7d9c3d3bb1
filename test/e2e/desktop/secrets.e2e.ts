/** The vault in the desktop app: its key is the system's, or a passphrase where the system protects nothing. */

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { launch, makeFolder, projectRoot } from './launch.ts'

const value = 'canary-4711-value'

test('without a keyring the app refuses to pretend, and takes a passphrase instead', async () => {
  const folder = await makeFolder()
  // Electron's own word for a Linux without a keyring.
  const args = ['--password-store=basic']
  const app = await launch({ appFolder: projectRoot, userData: folder.path, args })
  try {
    const page = await app.firstWindow()
    await expect(page.getByTestId('start-page')).toBeVisible()
    await page.keyboard.press('ControlOrMeta+Alt+k')
    const notice = page.getByTestId('vault-notice')
    await expect(notice).toContainText('Nothing on this system can protect the key of the vault.')
    await expect(page.getByTestId('secret-add')).toBeDisabled()
    // What is refused is said at its field, which has the keyboard for another try.
    await page.getByTestId('vault-passphrase').fill('short')
    await page.getByTestId('vault-unlock').click()
    await expect(page.getByTestId('vault-notice').getByRole('alert')).toContainText('8 characters')
    await expect(page.getByTestId('vault-passphrase')).toBeFocused()
    await expect(page.getByTestId('toasts')).toBeEmpty()
    await page.getByTestId('vault-passphrase').fill('four words of nonsense')
    await page.getByTestId('vault-unlock').click()
    await expect(notice).toHaveCount(0)

    await page.getByTestId('secret-add').click()
    await page.getByTestId('secret-name').fill('SHOP_TOKEN')
    await page.getByTestId('secret-value').fill(value)
    await page.getByTestId('secret-save').click()
    await expect(page.getByTestId('secret-SHOP_TOKEN')).toBeVisible()
    const kept = await readFile(join(folder.path, 'engine', 'vault.json'), 'utf8')
    expect(kept).toContain('"provider": "passphrase"')
    expect(kept).not.toContain(value)
  } finally {
    await app.close()
    await folder.remove()
  }
})
