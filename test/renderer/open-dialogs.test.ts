import { expect, test, vi } from 'vitest'
import { createOpenDialogs } from '../../src-renderer/ui/open-dialogs.ts'

test('the dialog that was opened last is on top, until it is closed, in whatever order they close', () => {
  const dialogs = createOpenDialogs<string>()
  const tell = vi.fn<() => void>()
  const leave = dialogs.subscribe(tell)
  expect(dialogs.top()).toBeNull()
  const closeFirst = dialogs.open('first')
  const closeSecond = dialogs.open('second')
  expect(dialogs.top()).toBe('second')
  closeFirst()
  expect(dialogs.top()).toBe('second')
  closeSecond()
  expect(dialogs.top()).toBeNull()
  expect(tell).toHaveBeenCalledTimes(4)
  leave()
  dialogs.open('third')
  expect(tell).toHaveBeenCalledTimes(4)
})
