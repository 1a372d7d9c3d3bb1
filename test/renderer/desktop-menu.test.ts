import { expect, test } from 'vitest'
import { requestSchemas } from '../../src-main/ipc/channels.ts'
import { menuCommandIds } from '../../src-main/menu.ts'
import { appCommands } from '../../src-renderer/commands/registry.ts'

test('the app takes in what every command of the designer may do, at once', () => {
  const states = appCommands.map(({ id }) => ({ id, isEnabled: true }))
  expect(requestSchemas.setMenuState.safeParse([states]).success).toBe(true)
})

test('every item of the native menu is a command of the designer', () => {
  const known = new Set(appCommands.map(({ id }) => id))
  expect(menuCommandIds.filter((id) => !known.has(id))).toEqual([])
})
