/** A setting that no test ever sets is a promise that nobody keeps: each is set to something else somewhere. */

import { globSync, readFileSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { engineSettingsCatalogue } from '../../../../src-engine/model/settings/engine-settings.ts'
import { shellSettingsCatalogue } from '../../../../src-engine/model/settings/shell-settings.ts'

const root = resolve(import.meta.dirname, '../../../..')
/** They speak of settings as such, and set none. */
const general: readonly string[] = ['settings.test.ts', basename(import.meta.filename)]

const texts = globSync('test/**/*.{ts,tsx}', { cwd: root })
  .filter((file) => !general.includes(basename(file)))
  .map((file) => readFileSync(resolve(root, file), 'utf8'))

const isSet = (key: string, name: string): boolean => {
  const environment = `SAGASMITH_${name.toUpperCase()}`
  const spoken = new RegExp(`\\b(?:${key}|${name}|${environment})\\b`)
  return texts.some((text) => spoken.test(text))
}

const catalogue = Object.entries({ ...engineSettingsCatalogue, ...shellSettingsCatalogue })
/** Seams of what is still to come say so themselves. */
const inEffect = catalogue.filter(([, { meaning }]) => !meaning.endsWith('No effect yet.'))

it.for(inEffect)('%s', ([key, { name }]) => {
  expect(isSet(key, name), `no test sets ${name}`).toBe(true)
})
