/** What the app hands over to a file: a download of a browser, or what the desktop app writes where a person chooses. */

import { mkdtemp, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ElectronApplication, Page } from '@playwright/test'
import { expect } from '@playwright/test'

interface Window {
  readonly app: ElectronApplication
  /** A folder that is removed with the test. */
  readonly folder: string
}

const windows = new WeakMap<Page, Window>()

/** Says that the page is a window of the desktop app. */
export const isWindowOf = (page: Page, window: Window): unknown => windows.set(page, window)

/** Whether that was said of the page. */
export const isInWindow = (page: Page): boolean => windows.has(page)

/** The file that comes once something is pressed. */
export async function handedOver(
  page: Page,
  press: () => Promise<void>,
): Promise<{ readonly name: string; readonly content: Buffer }> {
  const window = windows.get(page)
  if (window === undefined) {
    const downloading = page.waitForEvent('download')
    await press()
    const download = await downloading
    return { name: download.suggestedFilename(), content: await readFile(await download.path()) }
  }
  const folder = await mkdtemp(join(window.folder, 'handed-over-'))
  await window.app.evaluate(({ dialog }, to) => {
    const usual = dialog.showSaveDialog.bind(dialog)
    dialog.showSaveDialog = (...given: readonly unknown[]) => {
      dialog.showSaveDialog = usual
      const { defaultPath = '' } = given.at(-1) as { readonly defaultPath?: string }
      return Promise.resolve({ canceled: false, filePath: `${to}/${defaultPath.split('/').at(-1)}` })
    }
  }, folder)
  await press()
  const visible = async () => (await readdir(folder)).filter((name) => !name.startsWith('.'))
  // It appears there whole.
  await expect.poll(visible).toHaveLength(1)
  const [name = ''] = await visible()
  return { name, content: await readFile(join(folder, name)) }
}
