/** Ctrl+Enter sends a dialog, from an editor in it, too. */

import { expect, test } from 'vitest'
import { isSendKey, senderOf } from '../../src-renderer/ui/send-key.ts'

const press = (held: object) =>
  isSendKey({
    ...{ key: 'Enter', ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, repeat: false },
    ...held,
  })

test('Enter alone is no such key, nor is what means something else', () => {
  expect(press({ ctrlKey: true })).toBe(true)
  expect(press({ metaKey: true })).toBe(true)
  expect(press({})).toBe(false)
  expect(press({ ctrlKey: true, shiftKey: true })).toBe(false)
  expect(press({ ctrlKey: true, key: 's' })).toBe(false)
})

test('a key that is held sends once', () => {
  expect(press({ ctrlKey: true, repeat: true })).toBe(false)
})

test('the form’s own button sends it; without a form, the one at its end', () => {
  const dialog = (known: readonly string[]) =>
    senderOf({ querySelector: (query: string) => (known.includes(query) ? (query as never) : null) })
  const [submit, primary] = ['button[type="submit"]', 'footer [data-kind="primary"]']
  expect(dialog([primary, submit])).toBe(submit)
  expect(dialog([primary])).toBe(primary)
  expect(dialog([])).toBeNull()
})
