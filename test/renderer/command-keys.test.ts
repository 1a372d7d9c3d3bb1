import { expect, test } from 'vitest'
import { acceleratorOf, keysOf } from '../../src-engine/protocol/command-keys.ts'
import { menuCommandIds } from '../../src-main/menu.ts'
import { appCommands } from '../../src-renderer/commands/registry.ts'

test('the native menu sends commands that the designer has', () => {
  const ids = appCommands.map(({ id }) => id)
  expect(menuCommandIds.filter((id) => !ids.includes(id))).toEqual([])
})

test('no chord belongs to two commands', () => {
  const chords = appCommands.flatMap(({ keys }) => keys)
  expect(chords.length).toBeGreaterThan(30)
  expect(chords.filter((chord, index) => chords.indexOf(chord) !== index)).toEqual([])
})

test('a menu shows the designer’s chord unless it would take a key from typing', () => {
  expect(acceleratorOf('edit.redo')).toBe('CmdOrCtrl+Shift+Z')
  expect(acceleratorOf('run.cancel')).toBe('Shift+F5')
  expect(keysOf('edit.tidy')).toEqual(['T'])
  expect(acceleratorOf('edit.tidy')).toBeNull()
  expect(acceleratorOf('edit.delete')).toBeNull()
  expect(acceleratorOf('view.zoomToFit')).toBeNull()
})
