import { describe, expect, test } from 'vitest'
import { taskSpecs } from '../../src-engine/tasks/specs.ts'
import { neighbour } from '../../src-renderer/canvas/neighbour.ts'
import { searchKinds } from '../../src-renderer/canvas/search-kinds.ts'
import { commandForKey } from '../../src-renderer/commands/dispatch-key.ts'
import { chordWords, matches } from '../../src-renderer/commands/keys.ts'
import { appCommands } from '../../src-renderer/commands/registry.ts'

const press = (
  key: string,
  held: Partial<Record<'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey', boolean>> = {},
) => ({
  key,
  code: /^\d$/.test(key) ? `Digit${key}` : key,
  ctrlKey: false,
  metaKey: false,
  shiftKey: false,
  altKey: false,
  ...held,
})
const canvas = { isWriting: false, isCanvas: true, isMac: false }
const idFor = (key: ReturnType<typeof press>, place = canvas) =>
  commandForKey(appCommands, key, place)?.id ?? null

describe('keys', () => {
  test.for([
    [press('z', { ctrlKey: true }), 'edit.undo'],
    [press('Z', { ctrlKey: true, shiftKey: true }), 'edit.redo'],
    [press('y', { ctrlKey: true }), 'edit.redo'],
    [press('s', { ctrlKey: true }), 'file.save'],
    [press('F5'), 'run.start'],
    [press('F5', { shiftKey: true }), 'run.cancel'],
    [press('Delete'), 'edit.delete'],
    [press('Delete', { ctrlKey: true }), 'edit.deleteAndHeal'],
    [press('a'), 'canvas.quickAdd'],
    [press('?', { shiftKey: true }), 'help.keys'],
    [press('q'), null],
  ] as const)('%o is %s on the canvas', ([key, id]) => expect(idFor(key)).toBe(id))

  test('letters stay letters while writing, chords of the app still count', () => {
    const writing = { isWriting: true, isCanvas: false, isMac: false }
    expect(idFor(press('a'), writing)).toBeNull()
    expect(idFor(press('a', { ctrlKey: true }), writing)).toBeNull()
    expect(idFor(press('z', { ctrlKey: true }), writing)).toBe('edit.undo')
    expect(idFor(press('F5'), writing)).toBe('run.start')
  })

  test('on a Mac it is Cmd, and written so', () => {
    expect(matches('Mod+Z', press('z', { metaKey: true }), true)).toBe(true)
    expect(matches('Mod+Z', press('z', { ctrlKey: true }), true)).toBe(false)
    expect(chordWords('Mod+Shift+Z', true)).toBe('⌘⇧Z')
    expect(chordWords('Mod+Shift+Z', false)).toBe('Ctrl+Shift+Z')
  })

  test('command ids are unique, and no two commands want the same key in the same place', () => {
    expect(new Set(appCommands.map((command) => command.id)).size).toBe(appCommands.length)
    const chords = appCommands.flatMap((command) => command.keys)
    expect(new Set(chords).size).toBe(chords.length)
  })
})

describe('walking and searching', () => {
  const places = new Map([
    ['a', { x: 0, y: 0 }],
    ['b', { x: 300, y: 0 }],
    ['c', { x: 300, y: 200 }],
    ['d', { x: 0, y: 150 }],
  ])
  test.for([
    ['a', 'right', 'b'],
    ['b', 'down', 'c'],
    ['c', 'left', 'd'],
    ['d', 'up', 'a'],
    ['b', 'right', null],
    [null, 'left', 'a'],
  ] as const)('from %s to the %s is %s', ([from, direction, to]) =>
    expect(neighbour(places, from, direction)).toBe(to),
  )

  test('a title beats a keyword beats a description', () => {
    const found = searchKinds(Object.values(taskSpecs), 'http')
    expect(found[0]?.kind).toBe('http-request')
    expect(searchKinds(Object.values(taskSpecs), 'branch')[0]?.category).toBe('flow')
    expect(searchKinds(Object.values(taskSpecs), 'zzz')).toEqual([])
    expect(searchKinds(Object.values(taskSpecs), '')).toHaveLength(Object.keys(taskSpecs).length - 1)
  })
})
