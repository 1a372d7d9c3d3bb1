import { Menu } from 'electron'
import { expect, test } from 'vitest'
import type { RecentFile } from '../../src-engine/protocol/desktop-api.ts'
import { applyMenuState, menuCommandIds, menuTemplate } from '../../src-main/menu.ts'

function build(platform: NodeJS.Platform, isPackaged = true, recent: readonly RecentFile[] = []) {
  const sent: string[] = []
  const deps = {
    platform,
    isPackaged,
    sendCommand: (id: string) => void sent.push(id),
    showAbout: () => void sent.push('about shown'),
    newWindow: () => void sent.push('window opened'),
    openRecent: (path: string) => void sent.push(`opened ${path}`),
    clearRecent: () => void sent.push('cleared'),
  }
  const template = menuTemplate(deps, recent)
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

test('the File menu opens windows and what was open lately, ten of them, and forgets them', () => {
  const recent = Array.from({ length: 12 }, (_, index) => ({ path: `/plans/a&b/${index}.json`, openedAt: 1 }))
  const { menu, sent } = build('linux', true, recent)
  expect(menu.getMenuItemById('recent.0')?.label).toBe('0.json — /plans/a&&b')
  for (const id of ['window.new', 'recent.9', 'recent.10', 'recent.clear']) menu.getMenuItemById(id)?.click()
  expect(sent).toEqual(['window opened', 'opened /plans/a&b/9.json', 'cleared'])
  expect(build('linux').menu.getMenuItemById('recent')?.enabled).toBe(false)
})
