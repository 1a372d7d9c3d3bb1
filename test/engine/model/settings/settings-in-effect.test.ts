/** What is shown as a setting does something: code reads it, or its meaning says that it has no effect yet. */

import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { engineSettingsCatalogue } from '../../../../src-engine/model/settings/engine-settings.ts'
import type { AnySetting } from '../../../../src-engine/model/settings/setting.ts'
import { shellSettingsCatalogue } from '../../../../src-engine/model/settings/shell-settings.ts'

const root = resolve(import.meta.dirname, '../../../..')
const noEffect = /No effect yet\.$/

/** The words of all code that is not the catalogue itself. */
function wordsOfCode(): ReadonlySet<string> {
  const words = new Set<string>()
  for (const folder of ['src-engine', 'src-main']) {
    for (const entry of readdirSync(join(root, folder), { recursive: true, withFileTypes: true })) {
      const file = join(entry.parentPath, entry.name)
      if (!entry.isFile() || !entry.name.endsWith('.ts') || file.includes(join('model', 'settings'))) continue
      for (const [word] of readFileSync(file, 'utf8').matchAll(/\w+/g)) words.add(word)
    }
  }
  return words
}

const settings: readonly (readonly [string, AnySetting])[] = Object.entries({
  ...engineSettingsCatalogue,
  ...shellSettingsCatalogue,
})

test('every setting is read by something, or says that it has no effect', () => {
  const words = wordsOfCode()
  const wrong = settings
    .filter(([key, { meaning }]) => words.has(key) === noEffect.test(meaning))
    .map(
      ([key, { name, meaning }]) => `${name} (${key}): ${noEffect.test(meaning) ? 'is read' : 'is not read'}`,
    )
  expect(wrong).toEqual([])
})
