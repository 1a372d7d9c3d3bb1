/** Commands in the words of the protocol, as servers read them. */

import { Command } from 'ioredis'
import { expect, test } from 'vitest'
import { libraryCommand, wireText } from '../../../../src-engine/store/redis/wire-command.ts'

/** As the library writes it itself. */
const byLibrary = (name: string, args: readonly (string | number)[]): string =>
  new Command(name, args as string[]).toWritable({}).toString()

test('a command reads as the library would write it, numbers and empty texts too', () => {
  const args = ['', 'a', 12, -1.5, 'a\r\nb', 'x'.repeat(5_000)]
  expect(wireText(['HSET', ...args])).toBe(byLibrary('HSET', args))
})

test('what isn’t ASCII is measured in bytes', () => {
  const args = ['plain', 'Grüße', '🜂', 7]
  expect(wireText(['HSET', ...args])).toBe(byLibrary('HSET', args))
})

test('bytes go out as they are', () => {
  const bytes = Buffer.from([0, 255, 13, 10])
  const written = libraryCommand(['SET', 'key', bytes], null).toWritable({})
  expect(Buffer.from(written)).toEqual(
    Buffer.concat([Buffer.from('*3\r\n$3\r\nSET\r\n$3\r\nkey\r\n$4\r\n'), bytes, Buffer.from('\r\n')]),
  )
})
