/**
 * Icons turn by `transform`: then the browser's compositor turns them. The picture of an icon that turns by `rotate` is drawn
 * by the page, sixty times in a second, for as long as anything is under way.
 */

import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const files = globSync('src-renderer/**/*.css')
const animations = files.flatMap((path) =>
  [...readFileSync(path, 'utf8').matchAll(/@keyframes (\S+) \{.*?\n\}/gs)].map(([text, name]) => ({
    name: `${path}: ${name}`,
    text,
  })),
)

test('no animation turns anything by `rotate`', () => {
  expect(animations.filter(({ text }) => /\btransform: rotate\(/.test(text)).length).toBeGreaterThan(3)
  expect(animations.filter(({ text }) => /^\s*rotate:/m.test(text)).map(({ name }) => name)).toEqual([])
})
