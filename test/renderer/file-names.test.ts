import { expect, test } from 'vitest'
import { fileNameOf, nextName } from '../../src-renderer/state/files.ts'

test('a title makes a file name', () => {
  expect(fileNameOf('Orders → Report!')).toBe('orders-report.json')
  expect(fileNameOf('…')).toBe('workflow.json')
})

test('a copy counts up', () => {
  expect(nextName('orders.json')).toBe('orders-2.json')
  expect(nextName('orders-9.json')).toBe('orders-10.json')
  expect(nextName('folder/v2.json')).toBe('folder/v2-2.json')
})
