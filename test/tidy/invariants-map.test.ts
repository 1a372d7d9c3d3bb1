/** The list of what must hold says truly where each of it is checked: the simulator's page, against the tree. */

import { expect, test } from 'vitest'
import { readTree } from './tree.ts'

const tree = readTree()
const page = tree.find(({ path }) => path === 'test/simulation/README.md')?.text ?? ''
/** As many as the engine was designed with; further ones came with what it learned. */
const designed = 35

const rows = [...page.matchAll(/^\| (I\d+) \| ([^|]+) \| (.+) \|$/gm)].map(
  ([, id = '', what = '', where = '']) => ({
    id,
    what: what.trim(),
    places: [...where.matchAll(/`([^`]+)`/g)].map(([, place = '']) => place),
  }),
)

/** Text files whose path ends like this; a leading `…/` stands for any folders. */
const filesAt = (place: string) => {
  const end = place.replace(/^(\.\.\/|…\/)+/, '/')
  return tree.filter(({ path }) => `/${path}`.endsWith(end.startsWith('/') ? end : `/${end}`))
}

/** Where the tests declare a function of that name. */
const declaring = (name: string) =>
  tree.filter(
    ({ path, text }) =>
      /^test\/(support|simulation)\//.test(path) &&
      new RegExp(`^(export )?(async )?(function ${name}\\b|const ${name} =)`, 'm').test(text),
  )

const isFolder = (place: string): boolean => tree.some(({ path }) => path.startsWith(`${place}/`))

test('each of them has its row, in order', () => {
  const ids = rows.map(({ id }) => id)
  expect(ids).toEqual(ids.map((_, index) => `I${index + 1}`))
  expect(ids.length).toBeGreaterThanOrEqual(designed)
})

test.for(rows)('$id: $what', ({ id, places }) => {
  expect(places).not.toEqual([])
  const found = places.map((place) => {
    const isFile = /\.\w+$/.test(place)
    const files = isFile || place.includes('/') ? filesAt(place) : declaring(place)
    return { place, files, isThere: files.length > 0 || isFolder(place) }
  })
  expect(found.filter(({ isThere }) => !isThere).map(({ place }) => place)).toEqual([])
  // A check of the simulator and the crash harness begins its findings with the number.
  const checks = found.filter(({ files }) => files.some(({ path }) => path.startsWith('test/support/')))
  const says = new RegExp(`\\b${id}\\b`)
  for (const { place, files } of checks)
    expect(
      files.some(({ text }) => says.test(text)),
      `${place} says nothing of ${id}`,
    ).toBe(true)
})
