/** Where a file is to go that leaves the app: the dialog is offered a name that every system takes, and its own kind. */

import type { BrowserWindow, SaveDialogOptions } from 'electron'
import { expect, test } from 'vitest'
import { askWhereToHandOver, askWhereToSave } from '../../src-main/ipc/dialogs.ts'

const window = {} as BrowserWindow

function scene(answer: { readonly canceled: boolean; readonly filePath: string }) {
  const asked: SaveDialogOptions[] = []
  const dialog = {
    showSaveDialog: (_: BrowserWindow, options: SaveDialogOptions) => {
      asked.push(options)
      return Promise.resolve(answer)
    },
    showOpenDialog: () => Promise.reject(new Error('nobody opens anything')),
  }
  // The dialog is called with the window that asks, which Electron lets one leave out.
  return { asked, deps: { dialog: dialog as never, startFolder: '/home/ada' } }
}

test('what is handed over keeps its ending, and the dialog shows files of that kind', async () => {
  const { asked, deps } = scene({ canceled: false, filePath: '/home/ada/x.png' })
  expect(await askWhereToHandOver(deps, { window, name: 'Ask the shop.png' })).toBe('/home/ada/x.png')
  expect(asked[0]).toMatchObject({
    defaultPath: '/home/ada/Ask the shop.png',
    filters: [{ name: 'PNG', extensions: ['png'] }],
    properties: ['createDirectory', 'showOverwriteConfirmation'],
  })
})

test.for<[string, string]>([
  ['../../etc/passwd.ts', '/home/ada/passwd.ts'],
  ['.bashrc', '/home/ada/workflow'],
  ['a:b*c?.svg', '/home/ada/a-b-c-.svg'],
  ['', '/home/ada/workflow'],
])('%j is offered as %s', async ([name, offered]) => {
  const { asked, deps } = scene({ canceled: false, filePath: '/x' })
  await askWhereToHandOver(deps, { window, name })
  expect(asked[0]?.defaultPath).toBe(offered)
})

test('a workflow is offered the ending of workflows', async () => {
  const { asked, deps } = scene({ canceled: false, filePath: '/x.json' })
  await askWhereToSave(deps, { window, suggestedName: 'Orders' })
  expect(asked[0]?.defaultPath).toBe('/home/ada/Orders.json')
})

test('who changes their mind has chosen nothing', async () => {
  const { deps } = scene({ canceled: true, filePath: '' })
  expect(await askWhereToHandOver(deps, { window, name: 'a.png' })).toBe(null)
})
