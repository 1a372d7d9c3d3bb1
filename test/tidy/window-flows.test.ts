/** The flows of the desktop app's window are tests that are there, and each thing that the designer does has one. */

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { namesOfWindowFlows, shownInWindow, windowFlows } from '../e2e/window-flows.ts'

const endToEnd = join(import.meta.dirname, '../e2e')

/** The titles of a spec's tests, as they are written. */
function titlesOf(spec: string): readonly string[] {
  const source = readFileSync(join(endToEnd, `browser/${spec}.e2e.ts`), 'utf8')
  return [...source.matchAll(/\btest\(\s*(['`])(?<title>.+?)\1,/g)].map(
    ({ groups }) => groups?.['title'] ?? '',
  )
}

/** Whether a title begins so; what is put into it stands in brackets. */
function beginsWith(title: string, start: string): boolean {
  const [head = '', tail] = title.split(/\$\{\w+\}/)
  if (tail === undefined) return title.startsWith(start)
  return start.startsWith(head) && tail.startsWith(start.slice(start.indexOf(')')))
}

describe('what is shown in the app’s window', () => {
  it.each(windowFlows)('$spec: $title… is one test of its spec', ({ spec, title }) => {
    expect(titlesOf(spec).filter((found) => beginsWith(found, title))).toHaveLength(1)
  })

  it('names no flow twice, and chooses it by its spec and title alone', () => {
    const names = windowFlows.map(({ spec, title }) => `window browser/${spec}.e2e.ts ${title} and so on`)
    expect(new Set(names).size).toBe(names.length)
    for (const name of names) expect(namesOfWindowFlows.filter((flow) => flow.test(name))).toHaveLength(1)
    const elsewhere = names.map((name) => name.replace('.e2e.ts ', '.e2e.ts what begins otherwise: '))
    for (const name of elsewhere) expect(namesOfWindowFlows.some((flow) => flow.test(name))).toBe(false)
  })

  it.each(shownInWindow)(
    '$thing: a flow of a browser or of the app goes through it',
    ({ flows, desktop }) => {
      expect(Object.keys(flows).length + desktop.length).toBeGreaterThan(0)
      for (const spec of desktop)
        expect(existsSync(join(endToEnd, `desktop/${spec}.e2e.ts`)), spec).toBe(true)
    },
  )
})
