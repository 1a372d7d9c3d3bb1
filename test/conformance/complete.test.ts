/** No case is left out: every list of cases is part of the suite, and every store of the product plays it. */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { storeCatalogue } from '../../src-engine/store/catalogue.ts'
import { partitionedRedisStores, redisServers, redisStores } from './redis-stores.ts'
import { stores } from './stores.ts'

// Started only by a test that asks for them.
const servers = redisServers()

const read = (name: string): string => readFileSync(join(import.meta.dirname, name), 'utf8')

test('the suite calls every list of cases, with the store that it is given [P57]', () => {
  const lists = readdirSync(import.meta.dirname)
    .filter((name) => name.endsWith('.ts') && name !== 'suite.ts')
    .flatMap((name) => [...read(name).matchAll(/export function (\w+Suite)\(/g)].map((match) => match[1]))
  expect(lists.length).toBeGreaterThan(10)
  const suite = read('suite.ts')
  const called = [...suite.matchAll(/^ {4}(\w+Suite)\(subject\)$/gm)].map((match) => match[1])
  // What is a matter of several partitions means nothing to a store that has one.
  const calledOfMany = [...suite.matchAll(/^ {6}(\w+Suite),$/gm)].map((match) => match[1])
  expect(calledOfMany.length).toBeGreaterThan(10)
  expect(new Set([...called, ...calledOfMany])).toEqual(new Set(lists))
  expect(calledOfMany.filter((name) => !called.includes(name))).toEqual(['pruneAcrossSuite'])
})

test('every store of the catalogue plays it [P57]', () => {
  const all = [...stores, ...redisStores(servers), ...partitionedRedisStores(servers)]
  const played = all.map(({ name }) => name)
  for (const name of Object.keys(storeCatalogue)) {
    expect(played.some((subject) => subject.startsWith(name))).toBe(true)
  }
  expect(read('conformance.test.ts')).toContain('for (const subject of stores) conformanceSuite(subject)')
  expect(read('redis.test.ts')).toContain('redisStores(redisServers())) conformanceSuite(subject)')
  expect(read('redis-partitioned.test.ts')).toContain('partitionedSuite(subject)')
})
