import { expect, test } from 'vitest'
import { appCommands } from '../../src-renderer/commands/registry.ts'
import { editorKeys } from '../../src-renderer/ui/editor-keys.ts'

/** A chord of ours as CodeMirror writes it. */
const spelled = (chord: string): string => {
  const parts = chord.split('+')
  const key = parts.at(-1) ?? ''
  return [...parts.slice(0, -1), key.length === 1 ? key.toLowerCase() : key].join('-')
}

test('no editor keeps a key for itself that is a command’s wherever one is', () => {
  const everywhere = appCommands.filter(({ scope }) => scope === 'global').flatMap(({ keys }) => keys)
  const ours = new Set(everywhere.filter((chord) => /^(Mod|Ctrl|Alt)\+/.test(chord)).map(spelled))
  const kept = editorKeys
    .flatMap(({ key, win, linux }) => [key, win, linux])
    .filter((key) => key !== undefined)
  expect(ours).toContain('Mod-Enter')
  expect(kept.filter((key) => ours.has(key))).toEqual([])
  // What an editor does with its text stays.
  expect(kept).toContain('Mod-Backspace')
})
