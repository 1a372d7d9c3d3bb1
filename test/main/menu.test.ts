import { Menu } from 'electron'
import { expect, test } from 'vitest'
import { applyMenuState, menuCommandIds, menuTemplate } from '../../src-main/menu.ts'

function build(platform: NodeJS.Platform, isPackaged = true) {
  const sent: string[] = []
  const template = menuTemplate({
    platform,
    isPackaged,
    sendCommand: (id) => void sent.push(id),
    showAbout: () => void sent.push('about shown'),
  })
  return {
    menu: Menu.buildFromTemplate(template),
    sent,
    labels: template.map(({ label, role }) => label ?? role),
  }
}

test('every command has an item that sends its id', () => {
  const { menu, sent } = build('linux')
  for (const id of menuCommandIds) menu.getMenuItemById(id)?.click()
  expect(sent).toEqual(menuCommandIds)
})

test('no two commands share an id', () => {
  expect(new Set(menuCommandIds).size).toBe(menuCommandIds.length)
  expect(menuCommandIds).toEqual(
    expect.arrayContaining([
      ...['file.open', 'edit.undo', 'run.start', 'run.cancel', 'run.pause', 'run.resume', 'run.skip'],
      ...['run.retry', 'run.retryFrom', 'run.rerun', 'view.pools', 'view.deadLetters'],
    ]),
  )
})

test('the keys are shown but left to the designer', () => {
  const item = build('linux').menu.getMenuItemById('file.save')
  expect(item).toMatchObject({ accelerator: 'CmdOrCtrl+S', registerAccelerator: false })
})

test('each system has its own order', () => {
  expect(build('linux').labels).toEqual(['File', 'Edit', 'View', 'Run', 'Help'])
  expect(build('darwin').labels).toEqual(['Sagasmith', 'File', 'Edit', 'View', 'Run', 'windowMenu'])
})

test.for(['linux', 'darwin'] as const)('about and quit are there on %s', (platform) => {
  const { menu, sent } = build(platform)
  menu.getMenuItemById('help.about')?.click()
  expect(sent).toEqual(['about shown'])
  expect(menu.getMenuItemById('app.quit')).toMatchObject({ role: 'quit' })
})

test('developer tools are not offered in a packaged app', () => {
  const roles = (isPackaged: boolean) =>
    build('linux', isPackaged).menu.items.flatMap(
      ({ submenu }) => submenu?.items.map(({ role }) => role) ?? [],
    )
  expect(roles(true)).not.toContain('toggleDevTools')
  expect(roles(false)).toContain('toggleDevTools')
})

test('the designer enables and disables its own commands only', () => {
  const { menu } = build('linux')
  applyMenuState(menu, [
    { id: 'edit.undo', isEnabled: false },
    { id: 'app.quit', isEnabled: false },
    { id: 'nonsense', isEnabled: false },
  ])
  expect(menu.getMenuItemById('edit.undo')?.enabled).toBe(false)
  expect(menu.getMenuItemById('app.quit')?.enabled).toBe(true)
})
