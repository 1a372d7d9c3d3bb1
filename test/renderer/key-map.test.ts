import { describe, expect, test } from 'vitest'
import { commandForKey } from '../../src-renderer/commands/dispatch-key.ts'
import {
  bindAsUsual,
  boundCommands,
  chordOfPress,
  chordsOf,
  keyMapOf,
  keyMapText,
  rebind,
  rivalsOf,
  unbind,
  usualKeys,
} from '../../src-renderer/commands/key-map.ts'
import { matches } from '../../src-renderer/commands/keys.ts'
import { appCommands, commandOf } from '../../src-renderer/commands/registry.ts'

const press = (
  key: string,
  held: Partial<Record<'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey', boolean>> = {},
  code = /^[a-z]$/i.test(key) ? `Key${key.toUpperCase()}` : key,
) => ({ key, code, ctrlKey: false, metaKey: false, shiftKey: false, altKey: false, ...held })

const canvas = { isWriting: false, isCanvas: true, isMac: false }
const tidy = commandOf('edit.tidy')
const connect = commandOf('canvas.connect')

describe('keys of one’s own', () => {
  test('a command takes a chord, and who had it loses it', () => {
    const map = rebind(usualKeys, appCommands, { id: tidy.id, chord: 'C' })
    expect(chordsOf(map, tidy)).toEqual(['C'])
    expect(chordsOf(map, connect)).toEqual([])
    const bound = boundCommands(map, appCommands)
    expect(commandForKey(bound, press('c'), canvas)?.id).toBe(tidy.id)
    expect(commandForKey(bound, press('t'), canvas)).toBeNull()
  })

  test('who has a chord is told before it is taken', () => {
    expect(rivalsOf(usualKeys, appCommands, { chord: 'c', except: tidy.id })).toEqual([connect])
    expect(rivalsOf(usualKeys, appCommands, { chord: 'Mod+Alt+Shift+Q', except: tidy.id })).toEqual([])
  })

  test('usual keys come back, but not those that another has meanwhile', () => {
    const taken = rebind(usualKeys, appCommands, { id: tidy.id, chord: 'C' })
    expect(chordsOf(bindAsUsual(taken, appCommands, connect.id), connect)).toEqual([])
    const given = bindAsUsual(taken, appCommands, tidy.id)
    expect(chordsOf(given, tidy)).toEqual(['T'])
    expect(bindAsUsual(given, appCommands, connect.id)).toEqual(usualKeys)
    expect(chordsOf(unbind(usualKeys, tidy.id), tidy)).toEqual([])
  })

  test('without single letters only chords are left', () => {
    const bound = boundCommands({ ...usualKeys, letters: false }, appCommands)
    expect(commandForKey(bound, press('t'), canvas)).toBeNull()
    expect(commandForKey(bound, press('?', { shiftKey: true }), canvas)).toBeNull()
    expect(commandForKey(bound, press('z', { ctrlKey: true }), canvas)?.id).toBe('edit.undo')
    expect(commandForKey(bound, press('F5'), canvas)?.id).toBe('run.start')
  })

  test('a letter given to a command of the whole app counts on the canvas only', () => {
    const map = rebind(usualKeys, appCommands, { id: 'file.save', chord: 'W' })
    const bound = boundCommands(map, appCommands)
    expect(commandForKey(bound, press('w'), canvas)?.id).toBe('file.save')
    expect(commandForKey(bound, press('w'), { ...canvas, isCanvas: false })).toBeNull()
  })

  test.for([
    [press('k', { ctrlKey: true }), 'Mod+K'],
    [press('Z', { ctrlKey: true, shiftKey: true }), 'Mod+Shift+Z'],
    [press('å', { altKey: true }, 'KeyA'), 'Alt+A'],
    [press('!', { shiftKey: true }, 'Digit1'), 'Shift+1'],
    [press('?', { shiftKey: true }, 'Slash'), '?'],
    [press(' ', { ctrlKey: true }, 'Space'), 'Mod+Space'],
    [press('F6', { altKey: true }), 'Alt+F6'],
    [press('Tab'), null],
    [press('Escape'), null],
    [press('Enter'), null],
    [press('ArrowLeft'), null],
    [press('Shift', { shiftKey: true }), null],
    [press('x', { metaKey: true }), null],
  ] as const)('%o is the chord %s', ([key, chord]) => {
    expect(chordOfPress(key, false)).toBe(chord)
    if (chord !== null) expect(matches(chord, key, false)).toBe(true)
  })

  test('what is kept comes back, and what isn’t ours is as usual', () => {
    const map = rebind({ ...usualKeys, letters: false }, appCommands, { id: tidy.id, chord: 'Mod+Alt+T' })
    expect(keyMapOf(keyMapText(map))).toEqual(map)
    expect(keyMapOf(null)).toBe(usualKeys)
    expect(keyMapOf('{')).toBe(usualKeys)
    expect(keyMapOf('{"chords":{"edit.tidy":[1,"X"]}}').chords['edit.tidy']).toEqual(['X'])
  })
})
