import { EventEmitter } from 'node:events'
import type { Menu, MenuItemConstructorOptions, Notification, Tray } from 'electron'
import { expect, test } from 'vitest'
import type { DeepLink } from '../../src-engine/protocol/deep-link.ts'
import { createNotices } from '../../src-main/notices.ts'
import { createTray, engineWords } from '../../src-main/tray.ts'

const inbox = { kind: 'page', page: 'inbox' } as const

function notices(state: { isLookedAt: boolean }) {
  const shown: (EventEmitter & { readonly title: string })[] = []
  const told = createNotices({
    isSupported: () => true,
    isLookedAt: () => state.isLookedAt,
    create: ({ title }) => {
      const notice = Object.assign(new EventEmitter(), { title, show: () => void shown.push(notice) })
      return notice as unknown as Notification
    },
  })
  return { told, shown }
}

test('the same news is told once, and not to who looks at the app', () => {
  const state = { isLookedAt: false }
  const { told, shown } = notices(state)
  const show = (id: string) => told.show({ news: [id], title: id, body: '', leadsTo: inbox }, () => undefined)
  for (const id of ['a', 'a', 'b']) show(id)
  expect(shown.map(({ title }) => title)).toEqual(['a', 'b'])
  state.isLookedAt = true
  show('c')
  state.isLookedAt = false
  // It was there to be seen: another window that tells it late is no news.
  show('c')
  expect(shown.map(({ title }) => title)).toEqual(['a', 'b'])
})

test('news that windows tell together and one by one is told once', () => {
  const { told, shown } = notices({ isLookedAt: false })
  const show = (title: string, news: readonly string[]) =>
    told.show({ news, title, body: '', leadsTo: inbox }, () => undefined)
  show('a (+1)', ['a', 'b'])
  for (const one of ['b', 'a']) show(one, [one])
  show('c (+1)', ['c', 'a'])
  expect(shown.map(({ title }) => title)).toEqual(['a (+1)', 'c (+1)'])
})

test('a click leads where the notice says', () => {
  const { told, shown } = notices({ isLookedAt: false })
  const led: DeepLink[] = []
  told.show({ news: ['a'], title: 'A', body: '', leadsTo: inbox }, (link) => void led.push(link))
  shown[0]?.emit('click')
  expect(led).toEqual([inbox])
})

test('the icon is there only while it is wanted, says how the engine is, and opens and ends the app', () => {
  const did: string[] = []
  let menu: readonly MenuItemConstructorOptions[] = []
  const tray = createTray({
    create: () => {
      did.push('made')
      const made = { setToolTip: () => undefined, setContextMenu: () => undefined }
      return Object.assign(new EventEmitter(), made, { destroy: () => did.push('gone') }) as unknown as Tray
    },
    buildMenu: (template) => {
      menu = template
      return {} as Menu
    },
    show: () => void did.push('shown'),
    quit: () => void did.push('quit'),
  })
  tray.tell({ status: 'running' })
  expect(did).toEqual([])
  tray.setShown(true)
  tray.setShown(true)
  const labels = () => menu.map(({ label }) => label).filter((label) => label !== undefined)
  expect(labels()).toEqual(['Open Sagasmith', engineWords.running, 'Quit'])
  tray.tell({ status: 'restarting', delayMs: 1, crashCount: 1 })
  expect(labels()).toContain(engineWords.restarting)
  for (const { click } of menu) click?.({} as never, undefined, {})
  tray.setShown(false)
  expect(did).toEqual(['made', 'shown', 'quit', 'gone'])
})
