import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { PressInInspector } from '../../src-renderer/ui/inspector-keys.ts'
import { enterInspector, leavesInspector } from '../../src-renderer/ui/inspector-keys.ts'

class Place {
  readonly #inside: string | null
  constructor(inside: string | null = null) {
    this.#inside = inside
  }
  closest(selector: string): Place | null {
    return this.#inside !== null && selector.includes(this.#inside) ? this : null
  }
}
class Search extends Place {
  readonly type = 'search'
  readonly value: string
  constructor(value: string) {
    super()
    this.value = value
  }
}

beforeEach(() => {
  vi.stubGlobal('Element', Place)
  vi.stubGlobal('HTMLInputElement', Search)
})
afterEach(() => void vi.unstubAllGlobals())

const press = (target: Place, more: Partial<PressInInspector> = {}): PressInInspector => ({
  key: 'Escape',
  isTaken: false,
  isComposing: false,
  target: target as unknown as EventTarget,
  ...more,
})

test('Escape leads from a field of the inspector back to the canvas', () => {
  expect(leavesInspector(press(new Place()))).toBe(true)
  expect(leavesInspector(press(new Place(), { key: 'Enter' }))).toBe(false)
})

test('not while it closes what is offered, ends what is composed, or clears a search', () => {
  expect(leavesInspector(press(new Place(), { isTaken: true }))).toBe(false)
  expect(leavesInspector(press(new Place(), { isComposing: true }))).toBe(false)
  expect(leavesInspector(press(new Search('price')))).toBe(false)
  expect(leavesInspector(press(new Search('')))).toBe(true)
})

test.for(['dialog', '[role="menu"]', '[data-frees-tab]'])('not where it is %s’s own key', (inside) => {
  expect(leavesInspector(press(new Place(inside)))).toBe(false)
})

/** What an inspector has, in the order in which it is looked for; what gets the keyboard. */
function entered(has: readonly string[]): string | null {
  let focused: string | null = null
  const querySelector = (selector: string) => {
    const found = has.find((part) => selector.includes(part))
    return found === undefined ? null : { focus: () => void (focused = found) }
  }
  enterInspector({ querySelector } as unknown as ParentNode)
  return focused
}

test('the way in leads to the first field, else to the tab that is shown, else to what there is', () => {
  expect(entered(['[role="tabpanel"]', '[role="tab"]', 'button'])).toBe('[role="tabpanel"]')
  expect(entered(['[role="tab"]', 'button'])).toBe('[role="tab"]')
  expect(entered(['button'])).toBe('button')
  expect(entered([])).toBeNull()
})
